// Shared L1s over small meshes in lock step, one configuration after the other.
#include "verif/noc/lock_step.h"
#include "verif/topology/small_topologies.h"

namespace {

using verif::Flags;

class SharedL1s : public testing::TestWithParam<Flags> {};

TEST_P(SharedL1s, LockStep) {
  verif::expect_same("shared_l1", verif::with(verif::small_shared(), GetParam()), 400'000,
                     verif::fresh_seed(4));
}

INSTANTIATE_TEST_SUITE_P(
    Small, SharedL1s,
    testing::Values(
        Flags{"shared.min_home_l2=false", "shared.chunk=false", "mesh.clock_ratio=1", "mesh.vcs=4"},
        Flags{"shared.organisation=private", "shared.queue_entries=4"},
        Flags{"shared.home=tag_mod", "mesh.vc_flits=1", "mesh.link_stages=0", "mesh.clock_ratio=3"},
        Flags{"tags.kind=split", "geometry.chunk_bytes=16", "shared.remote_wait_limit=0"},
        Flags{"tags.kind=sectored", "mesh.link_stages=3", "counters.enable=true"},
        Flags{"index.kind=adi", "adaptive.period=64", "adaptive.idle=16"}));

}  // namespace
