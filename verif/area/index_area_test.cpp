// Area and delay of the index units against what they must beat.
#include "verif/area/index_area.h"

TEST(IndexArea, PolynomialAt64SetsIsNoLargerAndNoSlowerThanAPublicHash) {
  const auto [unit, plain] = verif::index_area("index_pli", 64);
  EXPECT_LE(unit.gate_equivalents, 124);
  EXPECT_LE(unit.ns, 0.86);
  EXPECT_LT(unit.gate_equivalents, plain.gate_equivalents);
}

TEST(IndexArea, PrimeModuloIsFarBelowAModuloOperator) {
  const auto [unit, modulo] = verif::index_area("index_pri", 32);
  EXPECT_LE(unit.gate_equivalents, 0.45 * modulo.gate_equivalents);
  EXPECT_LE(unit.ns, 0.5 * modulo.ns);
  // The recipe is the one that the public figures of the operator were made by.
  EXPECT_NEAR(modulo.gate_equivalents, 563, 1);
  EXPECT_NEAR(modulo.ns, 12.8, 0.1);
}
