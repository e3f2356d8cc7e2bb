// Factoring: the same sums, the least depth, fewer gates wherever two rows share two taps.
#include "hw/index/xor_network.h"

#include <gmock/gmock.h>

#include <bit>
#include <random>

#include "hw/index/index_pli.h"

namespace {

void check(const std::vector<std::uint64_t>& rows) {
  const hw::XorNetwork net = hw::factor(rows);
  ASSERT_EQ(net.outputs.size(), rows.size());
  int unfactored = 0;
  bool shares_two = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int taps = std::popcount(rows[i]);
    unfactored += taps - 1;
    EXPECT_EQ(net.terms[net.outputs[i]].level, std::bit_width(static_cast<unsigned>(taps - 1)))
        << "depth floor of " << taps << " taps";
    for (std::size_t j = 0; j < i; ++j) shares_two |= std::popcount(rows[i] & rows[j]) >= 2;
  }
  // Recomputed from the gates alone.
  std::vector<std::uint64_t> sums;
  for (const hw::XorTerm& t : net.terms) sums.push_back(t.left < 0 ? t.taps : sums[t.left] ^ sums[t.right]);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(sums[net.outputs[i]], rows[i]);
  if (shares_two)
    EXPECT_LT(net.gates(), unfactored);
  else
    EXPECT_LE(net.gates(), unfactored);
}

}  // namespace

TEST(XorNetwork, EveryPolynomialAtTheWidestAddress) {
  for (int s = 1; s <= 16; ++s)
    for (const int bits : {20, 32, 47, 64}) {
      const hw::IndexParams p{
          .kind = hw::IndexKind::pli, .address_bits = bits, .line_bytes = 32, .sets = 1 << s};
      if (s < hw::block_address_bits(p)) check(hw::index_pli(p).rows);
    }
}

TEST(XorNetwork, RandomRows) {
  std::mt19937_64 draw(4);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint64_t> rows(1 + draw() % 16);
    for (auto& row : rows)
      row = (round % 3 ? draw() : draw() & draw() & draw()) | std::uint64_t{1} << draw() % 64;
    check(rows);
  }
}
