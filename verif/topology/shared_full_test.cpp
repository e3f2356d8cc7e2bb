// Shared L1s over small meshes and butterflies in lock step: each choice on each of four shapes, forty
// configurations and 24 million cycles of cores in all; a kernel on twelve cores whole; and the default size
// for a while.
#include "verif/parameters/small_topologies.h"
#include "verif/topology/topology_trace.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::Flags;

constexpr std::int64_t core_cycles = 600'000;  // of a configuration

class SharedL1s : public testing::TestWithParam<std::tuple<Flags, Flags>> {};

TEST_P(SharedL1s, LockStep) {
  const auto& [shape, choice] = GetParam();
  verif::expect_same("shared_l1", verif::with(shape, choice), core_cycles / verif::cores_of(shape),
                     verif::fresh_seed(4));
}

INSTANTIATE_TEST_SUITE_P(Small, SharedL1s,
                         testing::Combine(testing::ValuesIn(verif::shapes_of_shared()),
                                          testing::ValuesIn(verif::choices_of_shared())));

class DynebL1s : public testing::TestWithParam<Flags> {};

TEST_P(DynebL1s, LockStep) {
  verif::expect_same("shared_l1", verif::with(verif::small_dyneb(), GetParam()), 400'000,
                     verif::fresh_seed(5));
}

INSTANTIATE_TEST_SUITE_P(
    Small, DynebL1s,
    testing::Values(
        Flags{"dyneb.metric=amat", "shared.min_home_l2=false", "mesh.clock_ratio=1", "dyneb.execute_cap=60"},
        Flags{"dyneb.count_served=false", "core.id_bits=2"},
        Flags{"dyneb.prefer_leftover_victims=true", "tags.kind=sectored", "index.kind=pri", "index.latency=1",
              "shared.home=tag_mod"},
        Flags{"dyneb.prefer_leftover_victims=true", "bypass.kind=mrpb", "index.kind=pli"},
        Flags{"tags.kind=split", "geometry.chunk_bytes=16", "shared.home=tag_mod"},
        Flags{"tags.kind=sectored", "tags.store_scope=mask", "index.kind=pli", "counters.enable=true"},
        Flags{"tags.kind=reuse_filter", "bypass.kind=mrpb", "index.kind=pri", "index.latency=2",
              "dyneb.execute_cap=60"}));

}  // namespace

TEST(SharedFull, AKernelOnTwelveCores) {
  verif::expect_same_run("shared_l1", verif::twelve_cores);
  verif::expect_same_run("shared_l1", verif::with(verif::twelve_cores, {"shared.organisation=dyneb"}));
  verif::expect_same_run("shared_l1", {"topology.cores=12", "topology.slices=4", "shared.fabric=butterfly"});
}

TEST(SharedFull, DefaultSize) { verif::expect_same("shared_l1", {}, 100'000, verif::fresh_seed(7)); }
