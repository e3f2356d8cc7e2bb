// Area and delay of the crossbar with virtual channels against a public one by the recipe in synth-scripts/:
// minutes of synthesis.
#include <gmock/gmock.h>

#include "verif/area/noc_area.h"

using verif::area, verif::Figure;

// The public one, 8x4 with 4 VCs of 4 flits of 256 bits and without VC allocation: 370,926 GE and 4.6 ns.
TEST(VcArea, CrossbarIsSmallerAndFasterThanThePublicOne) {
  const Figure f = area("vc_crossbar", {});
  EXPECT_LE(f.gate_equivalents, 300'000);
  EXPECT_LE(f.ns, 4.0);
}
