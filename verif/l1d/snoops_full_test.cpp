// Requests of kind snoop in lock step beside other choices of a cache.
#include "verif/l1d/snoops.h"
#include "verif/parameters/small_topologies.h"
#include "verif/unit_lock_step.h"

namespace {

class SnoopsBeside : public testing::TestWithParam<verif::Flags> {};

TEST_P(SnoopsBeside, LockStep) {
  verif::expect_same("l1d", verif::with(verif::small_with_snoops, GetParam()), 300'000, verif::fresh_seed(7));
}

INSTANTIATE_TEST_SUITE_P(All, SnoopsBeside,
                         testing::Values(verif::Flags{"core.drops=true", "tags.replacement=nru"},
                                         verif::Flags{"index.latency=2", "core.request_slice=true"},
                                         verif::Flags{"index.kind=adi", "geometry.ways=2",
                                                      "adaptive.period=16", "adaptive.counter_bits=4",
                                                      "adaptive.idle=0"},
                                         verif::Flags{"tags.replacement=random", "mshr.entries=1"},
                                         verif::Flags{"geometry.ways=1", "core.pc_bits=0"}));

}  // namespace
