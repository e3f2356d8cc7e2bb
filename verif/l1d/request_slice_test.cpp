// The register slice in front of the L1 data cache: what core_request_ready follows with it and without, by
// the gates themselves; its latency; lock step on each kind of tags and in topologies; injected faults.
#include "gen/unit/unit.h"
#include "verif/l1d/golden_bench.h"
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/rtl/followed_inputs.h"
#include "verif/rtl/thrown.h"
#include "verif/unit_lock_step.h"

namespace {

using testing::UnorderedElementsAreArray;
using verif::Flags, verif::high, verif::stuck, verif::with;

const Flags small{"geometry.capacity_bytes=2048",
                  "geometry.line_bytes=64",
                  "mshr.entries=4",
                  "mshr.merges=3",
                  "mshr.miss_queue=3",
                  "core.id_bits=5"};
const Flags sliced{"core.request_slice=true"};

}  // namespace

TEST(RequestSlice, ReadyFollowsWhatTheManifestSays) {
  const std::pair<const char*, Flags> caches[] = {
      {"l1d", small},
      {"l1d_sectored", small},
      {"l1d_reuse_filter", with(small, {"tags.reuse_filter.ways=4", "geometry.ways=2"})},
      {"l1d_tsc_plus", {"geometry.capacity_bytes=4096", "mshr.entries=4"}},
      {"l1d_dsc", small},
      {"l1d_adi", small},
      {"l1d_mrpb", small},
      {"l1d", with(small, {"core.peeks=true"})},
      {"l1d_gpu", with(small, {"core.hit_latency=1"})},
      {"l1d", with(small, {"memory.protocol=axi4"})}};
  for (const auto& [preset, settings] : caches)
    for (const bool slice : {false, true}) {
      const gen::Config config = gen::load_config(preset, slice ? with(settings, sliced) : settings);
      const std::vector<std::string> stated = gen::elaborate(config).facts["core_request_ready_follows"];
      EXPECT_THAT(verif::followed_inputs(config, "core_request_ready"), UnorderedElementsAreArray(stated))
          << config.top;
      EXPECT_EQ(stated.size() == 1, slice);
    }
}

TEST(RequestSlice, GoldenAnswersAHitACycleLaterAndOneACycle) {
  hw::L1dParams p{.request_slice = true};
  p.index.latency = 1;
  verif::CaseBench bench(p);
  for (std::uint64_t way = 0; way < 4; ++way) bench.bring(way * 4096, way);
  const std::size_t before = bench.accepted.size();
  for (std::uint32_t i = 0; i < 20; ++i) bench.load(i, i % 4 * 4096);
  bench.tick(40);
  ASSERT_EQ(bench.answers.size(), 20u);
  EXPECT_EQ(bench.answers[0].cycle, bench.accepted[before] + 4) << "2, the slice, the index";
  EXPECT_EQ(bench.answers[19].cycle, bench.answers[0].cycle + 19);
}

TEST(RequestSlice, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 2'000'000 : 100'000;
  const auto same = [&](const std::string& preset, const Flags& settings) {
    verif::expect_same(preset, with(settings, sliced), cycles, verif::fresh_seed(11));
  };
  same("l1d_dsc", with(small, {"index.latency=2"}));
  same("l1d_tsc_plus", {"geometry.capacity_bytes=4096", "mshr.entries=4", "mode.threshold=16"});
  same("l1d_adi", with(small, {"adaptive.period=64", "adaptive.idle=128"}));
  same("l1d", with(small, {"memory.protocol=axi4"}));
  if (!verif::full_tier()) return;
  same("l1d", {});
  same("l1d_sectored", with(small, {"index.latency=2"}));
  same("l1d_mrpb", small);
  same("l1d_reuse_filter", {});
}

TEST(RequestSlice, StandsAtCoresOfATopology) {
  const Flags baseline = with(verif::small_topology("baseline"), sliced);
  verif::expect_same("dc_l1", baseline, verif::full_tier() ? 200'000 : 20'000, verif::fresh_seed(3));
  const auto refused = [](const std::string& preset, const Flags& settings) {
    return verif::thrown([&] { gen::elaborate(gen::load_config(preset, settings)); });
  };
  EXPECT_EQ(
      refused("dc_l1", with(verif::small_topology("clustered"), sliced)),
      "-s core.request_slice=true: core.request_slice = true: is for caches at cores; a node's stands behind "
      "Q1, and its core's ready follows credits alone; leave it out, or use topology.kind = \"baseline\" or "
      "\"cdxbar\"");
  EXPECT_EQ(
      refused("dc_l1_node", sliced),
      "-s core.request_slice=true: core.request_slice = true: would stand behind Q1, from whose registers "
      "core_request_ready comes already; leave it out");
}

TEST(RequestSlice, InjectedFaultsAreFound) {
  const std::vector<verif::Fault> faults{
      {"a_flush_does_not_wait", "", "flush_ready", "~sliced_valid", high()},
      {"taken_while_full", "", "core_request_ready", "slice_ready", high()},
      {"stays_behind", "", "request_slice.out_ready", "", verif::only_with("offered")},
      {"leaves_twice", "fifo", "pop", "", verif::only_with("in_ready")}};
  verif::expect_all_found("l1d", with(small, sliced), faults);
}
