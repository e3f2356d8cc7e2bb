// CVI: low bits, and a stride of the sets stays in one set (ACI thesis, section 3.1).
#include "golden/index/index_cvi.h"

#include <gmock/gmock.h>

#include "hw/index/index_unit.h"

namespace {
constexpr hw::IndexParams params{.kind = hw::IndexKind::cvi};
}

TEST(IndexCvi, IsTheLowBitsWithoutAGate) {
  const auto facts = hw::index_unit(params, "cvi").facts;
  EXPECT_EQ(facts.taps, (std::vector<std::vector<int>>{{7}, {8}, {9}, {10}, {11}}));
  EXPECT_EQ(facts.xor_count, 0);
  EXPECT_EQ(facts.tag_bits, 20);
}

TEST(IndexCvi, ColumnAccessesOfAtaxMeetInOneSet) {
  // 32 lanes, rows of 4096 floats: the addresses differ in A[18:14] only.
  for (std::uint64_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(golden::IndexCvi<params>::set_of((0x10000000 + lane * 4096 * 4) >> 7).to_uint(), 0u);
}
