// BXI: two groups of S bits, zeros above the address (ACI thesis, section 3.2.1).
#include "golden/index/index_bxi.h"

#include <gmock/gmock.h>

#include <set>

#include "hw/index/index_unit.h"

TEST(IndexBxi, FiveGatesInTheReferenceCache) {
  const auto facts = hw::index_unit({.kind = hw::IndexKind::bxi}, "bxi").facts;
  EXPECT_EQ(facts.taps, (std::vector<std::vector<int>>{{7, 12}, {8, 13}, {9, 14}, {10, 15}, {11, 16}}));
  EXPECT_EQ(facts.xor_count, 5);
}

TEST(IndexBxi, AddressBitsAboveTheTopReadAsZero) {
  constexpr hw::IndexParams p{.kind = hw::IndexKind::bxi, .address_bits = 20, .sets = 1024};
  const auto facts = hw::index_unit(p, "bxi").facts;
  EXPECT_EQ(facts.taps[2], (std::vector<int>{9, 19}));
  EXPECT_EQ(facts.taps[3], (std::vector<int>{10}));
  EXPECT_EQ(golden::IndexBxi<p>::set_of(0x1fff).to_uint(), 0x3f8u);
}

TEST(IndexBxi, ColumnAccessesOfAtaxSpread) {
  constexpr hw::IndexParams p{.kind = hw::IndexKind::bxi};
  std::set<unsigned> reached;
  for (std::uint64_t lane = 0; lane < 32; ++lane)
    reached.insert(golden::IndexBxi<p>::set_of((0x10000000 + lane * 4096 * 4) >> 7).to_uint());
  EXPECT_EQ(reached.size(), 8u);  // A[16:14] reach the index, A[18:17] do not
}
