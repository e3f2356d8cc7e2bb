// The adapter to GPGPU-Sim behind a stand-in of the simulator's load-store unit: every access is answered
// once, and figures are those of `explore` for the same requests.
#include <gmock/gmock.h>

#include <set>

#include "cosim/l1d/l1d_recording.h"
#include "cosim/l1d/l1d_replay.h"
#include "gen/explore/explore.h"
#include "golden/l1d/cycle_l1d.h"
#include "verif/library/gpgpusim/program.h"
#include "verif/parameters/golden_parameters.h"
#include "verif/temp_folder.h"

namespace {

using testing::AllOf, testing::AnyOf, testing::Ge, testing::Le;
using verif::Draw, verif::program, verif::StandIn, verif::StandInInstruction, verif::StandInOptions;
using Kind = StandInInstruction::Kind;

std::vector<std::string> caches() {
  std::vector<std::string> all;
  for (const gen::Preset& preset : gen::presets())
    if (preset.family->name == "L1 data cache") all.push_back(preset.name);
  return all;
}
std::string small(const std::string& cache) {
  return "geometry.capacity_bytes=4096" + std::string(cache == "l1d_bucl" ? " geometry.ways=1" : "");
}

class EveryCache : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Caches, EveryCache, testing::ValuesIn(caches()),
                         [](const auto& info) { return info.param; });

TEST_P(EveryCache, AnswersEachAccessOnce) {
  for (const bool by_sector : {true, false}) {
    SCOPED_TRACE(by_sector);
    StandIn unit(GetParam(), small(GetParam()),
                 {.by_sector = by_sector, .jitter = 30, .memory_splits = by_sector, .full_percent = 20});
    ASSERT_EQ(unit.run(program(400, 3)), "");
    auto figures = unit.figures();
    EXPECT_EQ(figures["loads"] + figures["stores"] + figures["atomics"], figures["accesses"]);
    EXPECT_EQ(figures["hits"] + figures["hit_pending"] + figures["partial_misses"] + figures["misses"] +
                  figures["bypasses"],
              figures["loads"]);
    EXPECT_GT(figures["hits"], 20u);
    const std::uint64_t flushes = figures["flushes"];
    EXPECT_THAT(flushes, AnyOf(1, 2)) << "of many idle cycles; an adaptive index has its own";
    EXPECT_EQ(figures["printed_accesses"], figures["accesses"]);
    EXPECT_GT(unit.refused(), 50u);
    EXPECT_EQ(unit.refused(), figures["refused"]);
    // The simulator's statistics count its accesses; the cache counts requests, of several sectors each.
    const auto results = unit.results();
    EXPECT_EQ(results[0] + results[1] + results[2] + results[4], unit.accesses());
    if (by_sector)
      EXPECT_LT(10 * figures["accesses"], 8 * unit.accesses());
    else
      EXPECT_EQ(figures["accesses"], unit.accesses());
    ASSERT_EQ(unit.run(program(50, 4)), "");
    EXPECT_EQ(unit.figures()["flushes"], flushes + 1);
  }
}

class OneByOne : public testing::TestWithParam<const char*> {};
// None has a monitor, for which cycles would count.
INSTANTIATE_TEST_SUITE_P(Caches, OneByOne,
                         testing::Values("l1d", "l1d_sectored", "l1d_dsc", "l1d_reuse_filter"));

// An instruction of one line in four banks is one request, and requests without overlap have no time.
TEST_P(OneByOne, ComesToTheFiguresOfExplore) {
  Draw draw(7);
  std::string list;
  std::vector<StandInInstruction> instructions;
  for (int n = 0; n < 400; ++n) {
    StandInInstruction inst;
    inst.kind = draw.percent(75) ? Kind::load : draw.percent(70) ? Kind::store : Kind::atomic;
    inst.lines.push_back({128 * draw.below(60), 1 + static_cast<unsigned>(draw.below(15))});
    list += fmt::format("{} {:x} {:x}\n",
                        inst.kind == Kind::load    ? 'L'
                        : inst.kind == Kind::store ? 'S'
                                                   : 'A',
                        inst.lines[0].address, inst.lines[0].sectors);
    instructions.push_back(inst);
  }
  StandIn unit(GetParam(), small(GetParam()), {.idle_between = true});
  ASSERT_EQ(unit.run(instructions), "");
  const verif::TempFolder folder;
  gen::ExploreRequest request;
  request.requests = folder.write("list", list);
  const gen::Config config = gen::load_config(GetParam(), {small(GetParam())});
  const golden::L1dCounters want = gen::explore_list({config}, request, nullptr)[0].sms[0].counters;
  auto figures = unit.figures();
  figures["flushes"] = 0;  // the list ends without one
  for (const auto& [name, counter] : golden::counter_names)
    EXPECT_EQ(figures[std::string(name)], want.*counter) << name;
}

TEST(Configurations, ThatDoNotFitEndTheSimulator) {
  using testing::ExitedWithCode;
  EXPECT_EXIT(
      StandIn("l1d", "geometry.chunk_bytes=64", {}), ExitedWithCode(2),
      "^l1forge: the simulator has lines of 128 bytes in sectors of 32; set geometry.line_bytes=128 and "
      "geometry.chunk_bytes=32\n$");
  EXPECT_EXIT(StandIn("l1d", "geometry.ways=0", {}), ExitedWithCode(2),
              "^l1forge: -s geometry.ways=0: .*; the nearest is 1\n$");
  EXPECT_EXIT(StandIn("l1d", "", {.record = "/nowhere/sm0.txt"}), ExitedWithCode(2),
              "^l1forge: /nowhere/sm0.txt.part: No such file or directory\n$");
}

// Loads of other warps merge behind a store, where the key says so: fewer of them wait.
TEST(StoresOnPending, MergeKnowsTheWarp) {
  std::uint64_t fails[2];
  for (const bool merge : {false, true}) {
    StandIn unit("l1d", merge ? "tags.store_on_pending=merge core.warp_bits=5" : "", {.memory_latency = 100});
    ASSERT_EQ(unit.run(program(400, 9)), "");
    fails[merge] = unit.figures()["reservation_fail_line"];
  }
  EXPECT_LT(2 * fails[1], fails[0]);
}

// Loads of more lines than the threshold go past the cache; others do where they stall, the hit rate is low
// and the buffers of memory are free.
TEST(Bucl, SeesDegreesAndBuffers) {
  std::uint64_t by_degree[2], instead_of_stalls[2];
  for (const bool full : {false, true}) {
    StandIn unit(
        "l1d_bucl",
        small("l1d_bucl") +
            " bypass.bucl.initial=3 bypass.bucl.lowest=3 bypass.bucl.highest=3 bypass.bucl.period=100",
        {.memory_latency = 200, .buffered = full ? 8u : 0u});
    ASSERT_EQ(unit.run(program(600, 5)), "");
    auto figures = unit.figures();
    by_degree[full] = figures["bypasses_load"];
    instead_of_stalls[full] = figures["bypasses_stall"];
  }
  std::uint64_t lines = 0;  // of loads of more than three
  for (const StandInInstruction& inst : program(600, 5)) {
    std::set<std::uint64_t> of;
    for (const auto& line : inst.lines) of.insert(line.address);
    if (inst.kind == Kind::load && of.size() > 3) lines += of.size();
  }
  EXPECT_GE(by_degree[0], lines);
  EXPECT_LT(by_degree[0], 3 * lines / 2) << "a line whose sectors come in several cycles is several requests";
  EXPECT_GE(by_degree[1], lines);
  EXPECT_GT(instead_of_stalls[0], 50u);
  EXPECT_EQ(instead_of_stalls[1], 0u);
}

// What the unit has sent, again at the ports of a cache: a model here, the Verilog in `cosim --replay`.
TEST(Recordings, AreRepeatedByCosim) {
  const verif::TempFolder folder;
  const std::string file = folder.path("sm0.txt");
  std::vector<StandInInstruction> instructions = program(400, 8);
  std::erase_if(instructions, [](const StandInInstruction& inst) { return inst.kind == Kind::atomic; });
  StandIn unit("l1d_sectored", small("l1d_sectored"), {.jitter = 30, .full_percent = 20, .record = file});
  ASSERT_EQ(unit.run(instructions), "");
  ASSERT_EQ(unit.run(instructions), "");
  EXPECT_THAT(folder.names(), testing::ElementsAre("sm0.txt.part"));
  unit.close();
  EXPECT_THAT(folder.names(), testing::ElementsAre("sm0.txt"));

  const verif::L1dRecording recording = verif::L1dRecording::read(file);
  auto figures = unit.figures();
  EXPECT_EQ(recording.requests.size(), figures["accesses"]);
  EXPECT_EQ(recording.answers.size(), figures["accesses"]);
  EXPECT_EQ(recording.fences.size(), figures["flushes"]);
  const gen::Config config =
      gen::load_config("l1d_sectored", {small("l1d_sectored"), "geometry.address_bits=48"});
  const auto& p = config.get<hw::L1dParams>();
  verif::L1dReplay::check(recording, p);
  const auto cache = golden::CycleL1d::make(p);
  verif::L1dReplay replay(recording, p, verif::L1dReplay::Manner::plain, *cache);
  golden::L1dIn in;
  while (replay.drive(in) && !replay.wrong()) {
    const golden::L1dOut& out = cache->outputs(in);
    verif::L1dSeen seen{};
    seen.core_request_ready = out.core_request_ready;
    seen.core_response_valid = out.core_response_valid;
    seen.core_response_id = out.core_response_id;
    seen.core_response_data = reinterpret_cast<const std::uint8_t*>(out.core_response_data);
    seen.memory_response_ready = out.memory_response_ready;
    seen.flush_ready = out.flush_ready;
    replay.clock(in, out, seen);
    cache->edge(in);
  }
  ASSERT_EQ(replay.wrong(), nullptr) << replay.wrong()->port;
  EXPECT_EQ(cache->counters().loads, figures["loads"]);
  EXPECT_EQ(cache->counters().stores, figures["stores"]);
  EXPECT_EQ(cache->counters().flushes, figures["flushes"]);
}

TEST(Iacm, LimitsTheWarpsOfEachSchedulerOrOfTheCore) {
  const std::string settings = small("l1d_iacm") + " iacm.order=awl iacm.period=64 limit.warps=40";
  StandIn each("l1d_iacm", settings + " limit.scope=scheduler", {.memory_latency = 100});
  ASSERT_EQ(each.run(program(1500, 6)), "");
  EXPECT_EQ(each.warps_that_may_issue().second, 24u) << "12 of each scheduler in the beginning";
  EXPECT_EQ(each.limit_after_start(), 12u) << "half of the kernel's warps";
  const unsigned least = each.warps_that_may_issue().first;
  EXPECT_THAT(least, AllOf(Ge(2u), Le(12u)));
  EXPECT_EQ(least % 2, 0u) << "as many of both";
  StandIn both("l1d_iacm", settings + " limit.scope=core", {.memory_latency = 100});
  ASSERT_EQ(both.run(program(1500, 6)), "");
  EXPECT_EQ(both.warps_that_may_issue().second, 24u);
  EXPECT_EQ(both.limit_after_start(), 24u);
  EXPECT_LE(both.warps_that_may_issue().first, 6u);
  StandIn none("l1d", "", {});
  ASSERT_EQ(none.run(program(300, 6)), "");
  EXPECT_EQ(none.warps_that_may_issue().first, 24u) << "no limit";
}

}  // namespace
