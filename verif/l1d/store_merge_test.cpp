// Loads that merge behind a store to a line on its way (tags.store_on_pending = "merge"): lock step, the
// states of a line that each warp may see, single cases, and what is refused.
#include <gmock/gmock.h>

#include "gen/config/catalogue.h"
#include "verif/full_tier.h"
#include "verif/l1d/golden_bench.h"
#include "verif/l1d/golden_coverage.h"
#include "verif/l1d/lock_step.h"
#include "verif/mutate/mutation_run.h"
#include "verif/run_l1forge.h"

namespace {

using golden::L1dIn, golden::RequestKind, golden::Result;
using verif::CaseBench;
using Settings = std::vector<std::string>;

// Few lines and warps, everything scarce.
Settings small(const Settings& more = {}) {
  Settings all{"tags.store_on_pending=merge",
               "core.warp_bits=2",
               "geometry.capacity_bytes=1024",
               "geometry.ways=2",
               "mshr.entries=4",
               "mshr.merges=3",
               "mshr.miss_queue=3",
               "core.id_bits=5",
               "counters.enable=true"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

hw::L1dParams params(const Settings& settings) {
  return gen::load_config("l1d", settings).params.get<hw::L1dParams>();
}

TEST(StoreMerge, InLockStep) {
  const std::vector<Settings> caches{small(), small({"core.warp_bits=6", "tags.store_policy=update",
                                                     "core.request_slice=true", "index.latency=1"})};
  for (const Settings& settings : caches) {
    const gen::Config config = gen::load_config("l1d", settings);
    SCOPED_TRACE(config.top);
    const auto run = verif::lock_step(
        config, {.random_cycles = verif::full_tier() ? 2'000'000 : 200'000, .coverage = true});
    EXPECT_EQ(run.status, 0) << run.report.dump(1);
    EXPECT_GT(run.report["coverage"]["counts"]["load merges behind a store of another warp"], 50);
    EXPECT_GT(run.report["coverage"]["counts"]["answer from before a store of another warp"], 50);
  }
}

// Of the generated Verilog. The proof in the full tier has the same ones.
TEST(StoreMerge, InjectedFaultsAreFound) {
  const std::vector<verif::Fault> faults{
      {"warp_not_compared", "_mshr_entries", "waits", "warp_bits", verif::low()},
      {"store_of_no_warp", "_mshr_entries", "storing", "warp_bits", verif::low()},
      {"atomics_hold_one_warp", "_mshr_entries", "storing", "poison_all", verif::low()},
      {"merges_all_the_same", "", "can_merge", "~entry_waits", verif::high()}};
  verif::expect_all_found("l1d", small(), faults, {.cycles = 200'000});
}

// A run of the model under the scoreboard, which knows nothing of it; `told` is the warp that the cache
// gets. The first rule that is broken, or "".
template <class Reported>
std::string broken_rule(const hw::L1dParams& p, std::int64_t cycles, std::uint64_t seed, Reported reported) {
  const auto cache = golden::CycleL1d::make(p);
  verif::L1dScoreboard scoreboard(p);
  verif::L1dStimulus stimulus(p, seed, cycles, scoreboard);
  for (L1dIn in; stimulus.drive(in);) {
    L1dIn observed = in;
    observed.core_request_sideband.warp = reported(in);
    const golden::L1dOut& out = cache->outputs(observed);
    const verif::L1dSeen seen = verif::as_ports(out);
    if (in.rst)
      scoreboard.reset();
    else if (const auto& found = scoreboard.cycle(in, seen); !found.port.empty())
      return found.port;
    stimulus.clock(in, out, seen);
    cache->edge(observed);
  }
  return "";
}

std::uint32_t as_it_is(const L1dIn& in) { return in.core_request_sideband.warp; }

TEST(StoreMerge, NoLoadSeesALineFromBeforeAStoreOfItsWarp) {
  for (const Settings& more :
       {Settings{}, Settings{"tags.store_policy=update"},
        Settings{"index.kind=adi", "adaptive.period=16", "adaptive.counter_bits=4", "adaptive.idle=64"},
        Settings{"mshr.merges=8", "core.warp_bits=6", "index.latency=2"}})
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      EXPECT_EQ(broken_rule(params(small(more)), verif::full_tier() ? 2'000'000 : 60'000, seed, as_it_is),
                "");
}

// The scoreboard finds a cache that takes a load, or a store, for that of another warp.
TEST(StoreMerge, AWrongWarpIsFound) {
  const hw::L1dParams p = params(small());
  constexpr const char* rule = "core_response_data, since the last store of the load's warp";
  EXPECT_EQ(broken_rule(p, 60'000, 1,
                        [](const L1dIn& in) {
                          return in.core_request_sideband.warp ^ (in.core_request_kind == RequestKind::load);
                        }),
            rule);
  EXPECT_EQ(broken_rule(p, 60'000, 1, [](const L1dIn& in) { return in.core_request_sideband.warp & 2; }), "");
}

// Nor does it take the answers of a cache that merges for those of one that waits.
TEST(StoreMerge, TheOrderOfAllWarpsIsGivenUp) {
  const hw::L1dParams merging = params(small());
  hw::L1dParams waiting = merging;
  waiting.store_on_pending = hw::StoreOnPending::wait;
  const auto cache = golden::CycleL1d::make(merging);
  verif::L1dScoreboard scoreboard(waiting);
  verif::L1dStimulus stimulus(merging, 1, 60'000, scoreboard);
  std::string rule;
  for (L1dIn in; rule.empty() && stimulus.drive(in);) {
    const golden::L1dOut& out = cache->outputs(in);
    const verif::L1dSeen seen = verif::as_ports(out);
    if (in.rst)
      scoreboard.reset();
    else
      rule = scoreboard.cycle(in, seen).port;
    stimulus.clock(in, out, seen);
    cache->edge(in);
  }
  EXPECT_EQ(rule, "core_response_data, in the order of acceptance");
}

// Memory answers with a word that names its request: what each load has seen.
class OneLine : public testing::Test {
 protected:
  void expect_answers(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& words) {
    ASSERT_EQ(bench.answers.size(), words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      EXPECT_EQ(bench.answers[i].id, words[i].first) << i;
      EXPECT_EQ(bench.answers[i].word, words[i].second) << i;
    }
  }
  void load(std::uint32_t warp, std::uint32_t id) {
    bench.warp = warp;
    bench.load(id, 0x1000);
  }
  void change(RequestKind kind, std::uint32_t warp, std::uint32_t id) {
    bench.warp = warp;
    bench.offer(kind, id, 0x1000, 15);
  }

  CaseBench bench{params({"tags.store_on_pending=merge", "core.warp_bits=2"})};
};

TEST_F(OneLine, AnotherWarpMergesAndTheStoringWaits) {
  load(0, 1);
  change(RequestKind::store, 1, 2);
  load(0, 3);
  load(2, 4);
  load(1, 5);  // waits, and behind it all others
  load(3, 6);
  bench.tick(12);
  EXPECT_EQ(bench.cache.counters().hit_pending, 2u);
  EXPECT_EQ(bench.cache.counters().misses, 1u);
  EXPECT_GT(bench.cache.counters().reservation_fail_line, 0u);
  bench.answer(0, 100);
  bench.tick(12);
  ASSERT_EQ(bench.down.size(), 3u);
  bench.answer(2, 200);
  bench.tick(12);
  expect_answers({{1, 100}, {3, 100}, {4, 100}, {5, 200}, {6, 200}});
  EXPECT_EQ(bench.cache.counters().misses, 2u);
  EXPECT_EQ(bench.cache.counters().doomed, 1u);
}

TEST_F(OneLine, AllWaitBehindAnAtomic) {
  load(0, 1);
  change(RequestKind::store, 1, 2);
  change(RequestKind::atomic, 3, 3);
  load(2, 4);
  bench.tick(12);
  EXPECT_EQ(bench.cache.counters().hit_pending, 0u);
  bench.answer(0, 100);
  bench.tick(12);
  ASSERT_EQ(bench.down.size(), 4u);
  bench.answer(3, 200);
  bench.tick(12);
  expect_answers({{1, 100}, {4, 200}});
}

// A line that has come and that targets still read is poisoned by a store: nobody joins them.
TEST_F(OneLine, NobodyMergesOnceTheLineHasCome) {
  load(0, 1);
  load(0, 2);
  bench.tick(6);
  bench.core_ready = false;
  bench.answer(0, 100);
  bench.tick(4);
  change(RequestKind::store, 1, 3);
  load(2, 4);
  bench.tick(8);
  EXPECT_EQ(bench.cache.counters().doomed, 1u);
  EXPECT_EQ(bench.cache.last_probe().stall, golden::Stall::line);
  EXPECT_FALSE(bench.cache.last_probe().own_store);
  bench.core_ready = true;
  bench.tick(12);
  ASSERT_EQ(bench.down.size(), 3u);
  bench.answer(2, 200);
  bench.tick(12);
  expect_answers({{1, 100}, {2, 100}, {4, 200}});
}

// A fill comes before the next request there: nothing is ever on its way.
TEST(StoreMerge, UntimedIsTheSame) {
  const auto dump = [](const char* value) {
    return verif::l1forge({"explore", "l1d", "--untimed", "--trace", "builtin:btree", "--json", "-", "-s",
                           fmt::format("tags.store_on_pending={}", value)});
  };
  auto merge = nlohmann::json::parse(dump("merge").output)["runs"][0],
       wait = nlohmann::json::parse(dump("wait").output)["runs"][0];
  for (const auto& [name, counter] : golden::counter_names)
    EXPECT_EQ(merge[std::string(name)], wait[std::string(name)]) << name;
}

std::string refusal(const Settings& settings) {
  std::vector<std::string> arguments{"gen", "l1d", "-o", "-", "-s", "tags.store_on_pending=merge"};
  for (const std::string& s : settings) arguments.insert(arguments.end(), {"-s", s});
  const auto run = verif::l1forge(arguments);
  EXPECT_EQ(run.status, 2);
  return run.output;
}

TEST(StoreMerge, Refusals) {
  using testing::HasSubstr;
  EXPECT_THAT(refusal({"tags.kind=sectored"}),
              HasSubstr("tags.store_on_pending = merge: needs lines that come "
                        "as a whole, and sectored tags have chunks or a filter"));
  EXPECT_THAT(refusal({"bypass.kind=mrpb"}), HasSubstr("needs loads of a line to stay in order"));
  EXPECT_THAT(refusal({"core.peeks=true"}), HasSubstr("needs all that changes a line to come from warps"));
  EXPECT_THAT(refusal({"memory.protocol=axi4"}), HasSubstr("is not served beside AXI4"));
  EXPECT_THAT(refusal({"core.warp_bits=7"}), HasSubstr("core.warp_bits"));
}

}  // namespace
