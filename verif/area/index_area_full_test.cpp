// The prime index of larger caches beside a modulo operator, whose synthesis takes a minute.
#include "verif/area/index_area.h"

TEST(IndexAreaFull, PrimeModuloIsBelowAModuloOperator) {
  for (const int sets : {64, 128}) {
    const auto [unit, modulo] = verif::index_area("index_pri", sets);
    EXPECT_LT(unit.gate_equivalents, modulo.gate_equivalents);
    EXPECT_LT(unit.ns, modulo.ns);
  }
}
