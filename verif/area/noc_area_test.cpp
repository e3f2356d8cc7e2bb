// Area and delay of the arbiter and the allocator against public parts by the recipe in synth-scripts/.
#include <gmock/gmock.h>

#include "verif/area/noc_area.h"

using verif::area, verif::Figure;

TEST(NocArea, ArbitersAreNoLargerThanThePublicFairOnes) {
  const Figure small = area("arbiter_round_robin", {});
  EXPECT_LE(small.gate_equivalents, 123);
  EXPECT_LE(small.ns, 1.35);
  const Figure large = area("arbiter_round_robin", {"arbiter.inputs=80"});
  EXPECT_LE(large.gate_equivalents, 1371);
  EXPECT_LE(large.ns, 2.8);
}

// 1,986 GE and 2.0 ns.
TEST(NocArea, AllocatorIsSmallerThanThePublicOneAndNearlyAsFast) {
  const Figure f = area("allocator_islip", {});
  EXPECT_LE(f.gate_equivalents, 1986);
  EXPECT_LE(f.ns, 2.05);
}
