// Area and delay of the switch against public parts by the recipe in synth-scripts/: a minute of synthesis.
#include <gmock/gmock.h>

#include "verif/area/noc_area.h"

using verif::area, verif::Figure;

// Smaller than the best public ones, 11,929 GE and 45,038 GE with queues, and about as fast: theirs take 1.83
// and 2.3 ns.
TEST(SwitchArea, SwitchesAreSmallerThanThePublicOnes) {
  const Figure bare = area("switch", {});
  EXPECT_LE(bare.gate_equivalents, 11'300);
  EXPECT_LE(bare.ns, 2.0);
  const Figure queued = area("switch", {"switch.buffers=2"});
  EXPECT_LE(queued.gate_equivalents, 42'800);
  EXPECT_LE(queued.ns, 2.5);
}
