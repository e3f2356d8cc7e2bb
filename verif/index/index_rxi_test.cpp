// RXI: the five published equations, and no other shape (ACI thesis, section 3.2.2).
#include "golden/index/index_rxi.h"

#include <gmock/gmock.h>

#include "hw/index/index_unit.h"
#include "verif/rtl/thrown.h"

TEST(IndexRxi, TapsAreThePublishedEquations) {
  const auto facts = hw::index_unit({.kind = hw::IndexKind::rxi}, "rxi").facts;
  EXPECT_EQ(facts.taps, (std::vector<std::vector<int>>{{7, 13}, {8, 14}, {9, 15}, {10, 17}, {11, 19}}));
}

TEST(IndexRxi, GoldenFollowsThem) {
  constexpr hw::IndexParams p{.kind = hw::IndexKind::rxi};
  const auto set = [](std::uint64_t address) { return golden::IndexRxi<p>::set_of(address >> 7).to_uint(); };
  EXPECT_EQ(set(1u << 19), 16u);
  EXPECT_EQ(set(1u << 19 | 1u << 11), 0u);
  EXPECT_EQ(set(1u << 17), 8u);
  EXPECT_EQ(set(1u << 15), 4u);
  EXPECT_EQ(set(1u << 14), 2u);
  EXPECT_EQ(set(1u << 13), 1u);
  EXPECT_EQ(set(1u << 16 | 1u << 18 | 1u << 12), 0u);
}

TEST(IndexRxi, OtherShapesAreRefused) {
  EXPECT_THAT(verif::thrown([] { hw::check({.kind = hw::IndexKind::rxi, .sets = 64}); }),
              testing::EndsWith(
                  "index.sets = 64: rxi is published for 32 sets only; use 32 sets, or another index.kind"));
  EXPECT_THAT(verif::thrown([] { hw::check({.kind = hw::IndexKind::rxi, .line_bytes = 64}); }),
              testing::EndsWith("geometry.line_bytes = 64: rxi is published for 128-byte lines only; use "
                                "128-byte lines, or another index.kind"));
}
