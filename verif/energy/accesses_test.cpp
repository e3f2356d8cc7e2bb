// The share of each kind of access in the energy of a window.
#include <gtest/gtest.h>

#include "gen/energy/accesses.h"

namespace {

// Energies that are sums of known ones are found again in any order of the accesses.
TEST(Accesses, KnownEnergiesAreFound) {
  constexpr std::size_t cycles = 640;
  gen::Transfers kinds{{"hit", std::vector<int>(cycles)}, {"store", std::vector<int>(cycles)}};
  std::vector<double> pj(cycles);
  for (std::size_t c = 0; c < cycles; ++c) {
    kinds["hit"][c] = c * c % 7 < 3;
    kinds["store"][c] = c % 11 == 5 && c > 200;
    pj[c] = 2 + 5.0 * kinds["hit"][c] + 9.0 * kinds["store"][c];
  }
  const auto fit = gen::fit_accesses(pj, kinds);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->idle.pj, 2, 1e-6);
  EXPECT_NEAR(fit->pj.at("hit").pj, 5, 1e-6);
  EXPECT_NEAR(fit->pj.at("store").pj, 9, 1e-6);
  EXPECT_NEAR(fit->explained, 1, 1e-9);
}

// Noise of +-3 pJ a cycle: the energy of many hits is known within its error, that of three stores is not.
TEST(Accesses, AFewTransfersAreNotKnown) {
  constexpr std::size_t cycles = 3200;
  gen::Transfers kinds{{"hit", std::vector<int>(cycles)}, {"store", std::vector<int>(cycles)}};
  std::vector<double> pj(cycles);
  unsigned state = 1;
  for (std::size_t c = 0; c < cycles; ++c) {
    state = state * 1664525 + 1013904223;
    kinds["hit"][c] = (state >> 16) % 5 < 2;
    kinds["store"][c] = c == 100 || c == 900 || c == 2000;
    pj[c] = 10 + 5.0 * kinds["hit"][c] + 4.0 * kinds["store"][c] + ((state >> 24) % 7 - 3.0);
  }
  const auto fit = gen::fit_accesses(pj, kinds);
  ASSERT_TRUE(fit);
  const gen::AccessEnergy hit = fit->pj.at("hit");
  EXPECT_TRUE(hit.known());
  EXPECT_NEAR(hit.pj, 5, 4 * hit.error_pj);
  EXPECT_LT(hit.error_pj, 1);
  EXPECT_FALSE(fit->pj.at("store").known());
}

// Several flits of one cycle count each.
TEST(Accesses, SeveralInACycleAreSeparateTransfers) {
  constexpr std::size_t cycles = 640;
  gen::Transfers kinds{{"flit", std::vector<int>(cycles)}};
  std::vector<double> pj(cycles);
  for (std::size_t c = 0; c < cycles; ++c) {
    kinds["flit"][c] = static_cast<int>(c * c % 7 % 4);
    pj[c] = 2 + 5.0 * kinds["flit"][c];
  }
  const auto fit = gen::fit_accesses(pj, kinds);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->pj.at("flit").pj, 5, 1e-6);
}

// Kinds that always come together have no energies of their own, and a few cycles are too short.
TEST(Accesses, NothingIsGuessed) {
  const std::vector<int> now(640, 1);
  EXPECT_FALSE(gen::fit_accesses(std::vector<double>(640, 3), {{"hit", now}, {"fill", now}}));
  EXPECT_FALSE(gen::fit_accesses(std::vector<double>(20, 3), {{"hit", std::vector<int>(20)}}));
}

}  // namespace
