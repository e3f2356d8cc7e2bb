// Requests of kind drop in lock step on each kind of tags, and beside policies.
#include "verif/l1d/drops.h"
#include "verif/parameters/small_topologies.h"
#include "verif/unit_lock_step.h"

namespace {

class DropsOnTags : public testing::TestWithParam<verif::Flags> {};

TEST_P(DropsOnTags, LockStep) {
  verif::expect_same("l1d", verif::with(verif::small_with_drops, GetParam()), 300'000, verif::fresh_seed(7));
}

INSTANTIATE_TEST_SUITE_P(All, DropsOnTags,
                         testing::Values(verif::Flags{"tags.kind=sectored", "tags.store_scope=mask"},
                                         verif::Flags{"tags.kind=split", "geometry.chunk_bytes=16"},
                                         verif::Flags{"tags.kind=reuse_filter"},
                                         verif::Flags{"tags.kind=decoupled"},
                                         verif::Flags{"index.kind=adi", "core.request_slice=true"},
                                         verif::Flags{"bypass.kind=mrpb"},
                                         verif::Flags{"bypass.kind=protection_distance", "index.latency=2"}));

}  // namespace
