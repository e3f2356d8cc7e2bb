// The walk of random traffic with an adaptive index: after few selections the index had every address bit.
#include "cosim/stimulus/adi_walk.h"

#include <gmock/gmock.h>

#include <random>
#include <set>

TEST(AdiWalk, LeadsEachAddressBitIntoTheIndex) {
  constexpr int block_bits = 25, offset = 7;
  std::mt19937_64 draw(1);
  verif::AdiWalk walk(block_bits, offset);
  std::vector<int> sel{7, 8, 9, 10, 11};
  std::set<int> selected(sel.begin(), sel.end());
  for (int selection = 0; selection <= block_bits - 5; ++selection) {
    const int victim = walk.victim(draw, sel);
    walk.saw(sel, victim);
    sel[static_cast<std::size_t>(victim)] = walk.winner(draw, sel, victim);
    selected.insert(sel.begin(), sel.end());
  }
  EXPECT_EQ(selected.size(), 25u);
  EXPECT_EQ(*selected.begin(), offset);
  EXPECT_EQ(*selected.rbegin(), offset + block_bits - 1);
}
