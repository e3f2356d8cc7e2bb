// LIN: tables against the definition, and the matrices that are refused.
#include "golden/index/index_lin.h"

#include <gmock/gmock.h>

#include <random>

#include "hw/index/index_unit.h"
#include "verif/rtl/thrown.h"

namespace {

constexpr hw::IndexParams with_taps(std::array<std::uint64_t, hw::max_index_bits> taps, int sets = 8) {
  return {.kind = hw::IndexKind::lin, .sets = sets, .taps = taps};
}
constexpr std::uint64_t bit(int k) { return std::uint64_t{1} << k; }

}  // namespace

TEST(IndexLin, TablesEqualTheParities) {
  constexpr auto p = with_taps({bit(7) | bit(12) | bit(31), bit(8) | bit(30), bit(9) | bit(7) | bit(20)});
  std::mt19937_64 draw(3);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t block = draw() & 0x1ffffff;
    ASSERT_EQ(golden::IndexLin<p>::set_of(block).to_uint(), golden::IndexLin<p>::parities(block));
  }
  EXPECT_EQ(golden::IndexLin<p>::set_of(bit(31 - 7)).to_uint(), 1u);
  EXPECT_EQ(golden::IndexLin<p>::set_of(bit(0)).to_uint(), 5u);
}

TEST(IndexLin, SingularMatricesNameTheirRows) {
  const auto p = with_taps({bit(7) | bit(8), bit(8) | bit(9) | bit(25), bit(7) | bit(9) | bit(30)});
  EXPECT_THAT(verif::thrown([&] { hw::check(p); }),
              testing::EndsWith("index.taps = lists 0, 1, 2: sum to nothing over A7..A9, so the matrix is "
                                "singular and two blocks would "
                                "share set and tag; change the taps of one of these lists below the tag"));
}

TEST(IndexLin, TapsOutsideTheBlockAddressAndEmptyListsAreRefused) {
  EXPECT_THAT(verif::thrown([] {
                hw::check(with_taps({bit(7), bit(8) | bit(3), bit(9)}));
              }),
              testing::EndsWith("index.taps = A3 in list 1: must be an address bit from 7 to 31, above the "
                                "line's offset; drop the tap or "
                                "change the geometry"));
  EXPECT_THAT(verif::thrown([] {
                hw::check(with_taps({bit(7), 0, bit(9)}));
              }),
              testing::EndsWith("index.taps = list 1: has no tap left, so the index bit would be constant; "
                                "give it a tap; a repeated tap cancels"));
  EXPECT_THAT(verif::thrown([] {
                hw::check(with_taps({bit(7), bit(8), bit(9), bit(10)}));
              }),
              testing::EndsWith(
                  "index.taps = list 3: 8 sets need 3 lists; give one list of address bits per index bit"));
}
