// Area and delay of the AXI4 bridge by the recipe in synth-scripts/.
#include <gmock/gmock.h>

#include "verif/area/noc_area.h"

TEST(Axi4Area, BridgeStaysAsSmallAsItIs) {
  const verif::Figure f = verif::area("axi4_bridge", {});
  EXPECT_LE(f.gate_equivalents, 15'400);
  EXPECT_LE(f.ns, 2.95);
}
