// Area and delay of the adapter of a GPU core's bus by the recipe in synth-scripts/: no slower than a cache.
#include <gmock/gmock.h>

#include "verif/area/noc_area.h"

TEST(ClientArea, AdapterStaysAsSmallAsItIs) {
  const verif::Figure f = verif::area("vortex_adapter", {});
  EXPECT_LE(f.gate_equivalents, 11'800);
  EXPECT_LE(f.ns, 2.77);
}
