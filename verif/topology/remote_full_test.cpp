// Cores that search each other's L1s in lock step: each choice on each of four shapes, forty configurations
// and 20 million cycles of cores in all; a kernel on twelve cores whole; and the default size for a while.
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/topology/by_scoreboard.h"
#include "verif/topology/topology_trace.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::Flags;

constexpr std::int64_t core_cycles = 500'000;  // of a configuration

class RemoteCores : public testing::TestWithParam<std::tuple<Flags, Flags>> {};

TEST_P(RemoteCores, LockStep) {
  const auto& [shape, choice] = GetParam();
  verif::expect_same("remote_core", verif::with(shape, choice), core_cycles / verif::cores_of(shape),
                     verif::fresh_seed(4));
}

INSTANTIATE_TEST_SUITE_P(Small, RemoteCores,
                         testing::Combine(testing::ValuesIn(verif::shapes_of_remote()),
                                          testing::ValuesIn(verif::choices_of_remote())));

}  // namespace

// The scoreboard of cores alone, without the reference model.
TEST(RemoteFull, OwnStoresNeedTheGuard) {
  const std::vector<verif::Fault> faults{{"stores_do_not_mark", "_node", "marks", "", verif::low()}};
  verif::expect_all_found("remote_core", verif::small_remote(), faults,
                          {.cycles = 100'000, .change = verif::against_scoreboard});
}

TEST(RemoteFull, AKernelOnTwelveCores) { verif::expect_same_run("remote_core", verif::twelve_cores); }

TEST(RemoteFull, DefaultSize) { verif::expect_same("remote_core", {}, 100'000, verif::fresh_seed(7)); }
