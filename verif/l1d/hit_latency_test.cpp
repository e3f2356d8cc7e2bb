// Hits that are answered in the cycle of their lookup (core.hit_latency = 1): single cases of the model, what
// the response follows by the gates themselves, lock step on each kind of tags, injected faults, refusals.
#include "gen/config/catalogue.h"
#include "gen/unit/unit.h"
#include "verif/l1d/golden_bench.h"
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/rtl/followed_inputs.h"
#include "verif/rtl/thrown.h"
#include "verif/run_l1forge.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::RequestKind;
using testing::ElementsAre, testing::IsEmpty;
using verif::CaseBench, verif::Flags, verif::high, verif::low, verif::stuck, verif::with;

const Flags at_once{"core.hit_latency=1", "counters.enable=true"};
const Flags small{"geometry.capacity_bytes=2048",
                  "geometry.line_bytes=64",
                  "mshr.entries=4",
                  "mshr.merges=3",
                  "mshr.miss_queue=3",
                  "core.id_bits=5"};
constexpr std::uint64_t set_stride = 4096;  // of the reference cache

std::vector<int> answer_cycles(const CaseBench& bench) {
  std::vector<int> out;
  for (const auto& answer : bench.answers) out.push_back(answer.cycle);
  return out;
}

TEST(HitLatency, AHitTakesOneCycleAndTheIndexLatency) {
  for (int latency = 0; latency <= 4; ++latency) {
    hw::L1dParams p{.hit_latency = 1};
    p.index.latency = latency;
    CaseBench bench(p);
    bench.bring(0x1000, 7);
    bench.load(1, 0x1000, 2);
    bench.tick(10);
    ASSERT_EQ(bench.answers.size(), 1u);
    EXPECT_EQ(bench.answers[0].cycle, bench.accepted.back() + 1 + latency);
    EXPECT_EQ(bench.answers[0].word, 7u);
    EXPECT_TRUE(bench.cache.idle());
  }
}

TEST(HitLatency, OneHitACycle) {
  CaseBench bench(hw::L1dParams{.hit_latency = 1});
  for (std::uint64_t way = 0; way < 4; ++way) bench.bring(way * set_stride, way);
  const std::size_t before = bench.accepted.size();
  for (std::uint32_t i = 0; i < 20; ++i) bench.load(i, i % 4 * set_stride);
  bench.tick(30);
  ASSERT_EQ(bench.answers.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(bench.answers[i].cycle, bench.accepted[before + i] + 1);
    EXPECT_EQ(bench.answers[i].word, i % 4);
  }
  EXPECT_EQ(bench.answers.back().cycle, bench.answers.front().cycle + 19);
}

// The hit is shown, and moves into the answer stage: it does not keep the next request out of the lookup.
TEST(HitLatency, AHitThatIsNotTakenMovesIntoTheAnswerStage) {
  CaseBench bench(hw::L1dParams{.hit_latency = 1});
  for (std::uint64_t way = 0; way < 2; ++way) bench.bring(way * set_stride, way);
  bench.core_ready = false;
  const int start = bench.cycle;
  for (std::uint32_t i = 0; i < 3; ++i) bench.load(i, i % 2 * set_stride);
  bench.tick();
  for (int i = 0; i < 5; ++i) {
    bench.tick();
    EXPECT_TRUE(bench.out.core_response_valid);
    EXPECT_EQ(bench.out.core_response_id, 0u);
  }
  bench.core_ready = true;
  bench.tick(10);
  EXPECT_THAT(bench.answered(), ElementsAre(0, 1, 2));
  EXPECT_THAT(answer_cycles(bench), ElementsAre(start + 6, start + 7, start + 8));
  EXPECT_EQ(bench.answers[1].word, 1u);
}

// Behind an answer in the stage hits take two cycles, one a cycle, until the stage is empty.
TEST(HitLatency, BehindAnotherAnswerAHitTakesTwo) {
  CaseBench bench(hw::L1dParams{.hit_latency = 1});
  bench.bring(0, 3);
  bench.load(9, 0x80);
  bench.tick(6);
  const int filled = bench.cycle;
  bench.answer(bench.down.size() - 1, 5);
  bench.tick(2);
  for (std::uint32_t i = 0; i < 3; ++i) bench.load(i, 0);  // accepted from filled + 2 on
  bench.tick(4);
  bench.load(4, 0);
  bench.tick(6);
  EXPECT_THAT(bench.answered(), ElementsAre(9, 0, 1, 2, 4));
  const int last = bench.accepted.back();
  EXPECT_THAT(answer_cycles(bench), ElementsAre(filled + 3, filled + 4, filled + 5, filled + 6, last + 1));
}

TEST(HitLatency, AMissTakesAsLongAsWithTwo) {
  for (const int latency : {1, 2}) {
    CaseBench bench(hw::L1dParams{.hit_latency = latency});
    bench.load(1, 0);
    bench.tick(8);
    ASSERT_EQ(bench.down.size(), 1u);
    EXPECT_EQ(bench.down[0].cycle, bench.accepted[0] + 3);
    const int filled = bench.cycle;
    bench.answer(0, 5);
    bench.tick(8);
    EXPECT_THAT(answer_cycles(bench), ElementsAre(filled + 3));
  }
}

// No input of the same cycle: neither the memory's responses nor core_response_ready.
TEST(HitLatency, TheResponseFollowsNoInput) {
  const auto followed = [](const std::string& preset, const Flags& settings) {
    return verif::followed_inputs(gen::load_config(preset, with(settings, {"core.hit_latency=1"})),
                                  "core_response_valid");
  };
  EXPECT_THAT(followed("l1d", small), IsEmpty());
  EXPECT_THAT(followed("l1d_gpu", small), IsEmpty());
  EXPECT_THAT(followed("l1d_sectored", small), IsEmpty());
}

TEST(HitLatency, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 2'000'000 : 150'000;
  const auto same = [&](const std::string& preset, const Flags& settings) {
    SCOPED_TRACE(preset);
    verif::expect_same(preset, with(settings, at_once), cycles, verif::fresh_seed(5));
  };
  same("l1d_gpu", small);
  same("l1d", with(small, {"core.peeks=true", "core.drops=true"}));
  same("l1d_sectored", with(small, {"tags.fetch=line", "tags.store_scope=mask"}));
  same("l1d_dsc", with(small, {"tags.store_policy=update"}));
  same("l1d_adi", with(small, {"adaptive.period=64", "adaptive.idle=128"}));
  if (!verif::full_tier()) return;
  same("l1d", {});
  same("l1d_gpu", {});
  same("l1d", with(small, {"geometry.ways=1", "index.latency=2"}));
  same("l1d", with(small, {"tags.replacement=nru", "core.request_slice=true"}));
  same("l1d", with(small, {"tags.store_on_pending=merge", "core.warp_bits=2"}));
  same("l1d", with(small, {"ecc.tags=secded"}));
  same("l1d", with(small, {"memory.protocol=axi4"}));
  same("l1d", with(small, {"check.ports=true"}));
  same("l1d_sectored", with(small, {"index.latency=2"}));
  same("l1d_mrpb", small);
  same("l1d_bucl", {});
  same("l1d_iacm", {});
  same("l1d_reuse_filter", {});
}

TEST(HitLatency, InjectedFaultsAreFound) {
  const std::vector<verif::Fault> faults{
      {"answered_without_its_data", "", "answered_at_once", "read_ahead_q", high()},
      {"read_beside_a_fill", "", "ahead", "memory_response_valid", low()},
      {"read_beside_a_store", "", "reads_ahead", "store_writes", low()},
      {"read_while_the_stage_holds_data", "", "ahead", "answer_free", high()},
      {"lost_when_not_taken", "", "answer_valid_q", "hit_kept", low()},
      {"another_answer_takes_its_place", "", "answer_free", "answered_at_once", low()},
      {"the_replays_id_is_kept", "", "replay_shown", "hit_kept", low()},
      {"the_way_read_last_is_shown", "_data_store", "shown_way", "at_once", low()},
      {"id_of_the_stage", "", "core_response_id", "read_ahead_q", low()},
      {"mask_of_the_stage", "", "core_response_mask", "read_ahead_q", low()},
      {"answered_twice", "", "hit_asks", "read_ahead_q", low()},
      {"one_way_read_ahead", "", "data_store.read_way", "ahead", low()},
      {"the_set_of_the_lookup", "", "data_store.read_set", "ahead", low()}};
  verif::expect_all_found("l1d_gpu", with(small, at_once), faults, {.cycles = 150'000});
}

TEST(HitLatency, IsInNameAndManifest) {
  const auto manifest = [](const Flags& settings) {
    return gen::elaborate(gen::load_config("l1d", settings));
  };
  EXPECT_EQ(manifest({}).latency, 2);
  EXPECT_EQ(manifest({"core.hit_latency=1"}).latency, 1);
  EXPECT_EQ(manifest({"core.hit_latency=1", "index.latency=2", "core.request_slice=true"}).latency, 4);
  EXPECT_EQ(gen::load_config("l1d", {"core.hit_latency=1"}).top, "l1d_hit1");
  EXPECT_EQ(gen::load_config("l1d", {"core.hit_latency=2"}).top, "l1d");
}

// Of a kernel's hits the median takes a cycle; misses take as long.
TEST(HitLatency, ExploreIsTimed) {
  const auto run = [](const std::string& latency) {
    const auto done = verif::l1forge({"explore", "l1d", "--timed", "--trace", "builtin:btree", "--json", "-",
                                      "-s", "core.hit_latency=" + latency});
    EXPECT_EQ(done.status, 0) << done.output;
    return nlohmann::json::parse(done.output)["runs"][0];
  };
  const auto one = run("1"), two = run("2");
  EXPECT_LT(one["cycles"], two["cycles"]);
  EXPECT_EQ(one["loads"], two["loads"]);
}

TEST(HitLatency, Refusals) {
  const auto refused = [](const std::string& preset, const Flags& settings) {
    return verif::thrown([&] { gen::elaborate(gen::load_config(preset, settings)); });
  };
  EXPECT_EQ(refused("l1d_tsc", {"core.hit_latency=1"}),
            "-s core.hit_latency=1: core.hit_latency = 1: reads the ways of a set as a load enters the tag "
            "lookup, and split tags have slots, which are known in it; use conventional, sectored, "
            "reuse_filter or decoupled tags, or core.hit_latency = 2");
  EXPECT_EQ(refused("l1d", {"core.hit_latency=1", "ecc.data=parity"}),
            "-s core.hit_latency=1: core.hit_latency = 1: answers a hit as its data comes, and ecc.data "
            "checks that before; use core.hit_latency = 2, or ecc.data = \"none\"");
  EXPECT_NE(refused("l1d", {"core.hit_latency=3"}), "");
  EXPECT_NE(refused("l1d", {"core.hit_latency=0"}), "");
  EXPECT_NE(refused("dc_l1", {"core.hit_latency=1"}), "");
}

}  // namespace
