// Rounds of a steered adaptive-indexing monitor: when they begin and end, what cancels them, and lock step.
#include "golden/monitors/adi_monitor.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "gen/process.h"
#include "verif/full_tier.h"
#include "verif/monitors/sample.h"

namespace {

using golden::AdiMonitor;
using Step = AdiMonitor::Step;

constexpr hw::AdiMonitorParams params{.sets = 8, .period = 4, .counter_bits = 2, .steered = true};
constexpr std::uint64_t victimization[] = {1, 3, 1, 2};  // B2 is the victim
constexpr int victim_search = 36, winner_search = 28;

// A monitor that sees these inputs, and counts its rounds.
struct Bench {
  AdiMonitor monitor{params};
  int rounds = 0;

  void cycle(AdiMonitor::In in) {
    rounds += monitor.round_done(in);
    monitor.clock(in);
  }
  void start() { cycle({.probe_valid = true, .probe_miss = true, .flush_ready = true, .adi_start = true}); }
  void load(std::uint64_t block) {
    cycle({.probe_valid = true, .probe_block_address = block, .probe_miss = true, .flush_ready = true});
  }
  void wait(int cycles) {
    while (cycles-- > 0) load(0xff);  // not sampled in a search
  }
  void victimize() {
    for (const auto block : victimization) load(block);
    wait(victim_search);
  }
  // Until the last cycle but one of the search; bit 10 alone moves, or none.
  void select(bool moves) {
    for (const std::uint64_t block : {0, 8, 0, 8}) load(moves ? block : 0);
    wait(winner_search - 1);
  }
};

void lock_step(const hw::AdiMonitorParams& p, const std::string& name, std::int64_t cycles) {
  const gen::TempDir work("adi");
  gen::write_file_atomically(work / "options.json",
                             nlohmann::json{{"top", name}, {"random_cycles", cycles}, {"seed", 3}}.dump());
  const auto program = gen::build_program(verif::adi_program(p, name));
  const auto done = gen::run({.argv = {program.string(), (work / "options.json").string()}});
  EXPECT_EQ(done.status, 0) << gen::changed_settings(p) << "\n" << done.output;
}

}  // namespace

TEST(AdiRounds, RestsUntilItIsStarted) {
  Bench bench;
  bench.wait(20'000);
  EXPECT_EQ(bench.monitor.step(), Step::idle);
  bench.start();
  EXPECT_EQ(bench.monitor.step(), Step::victimization);
  bench.victimize();
  EXPECT_EQ(bench.monitor.step(), Step::selection) << "the load of the start is no sample";
}

TEST(AdiRounds, ARoundEndsWithItsFlushOrWithItsSearch) {
  Bench moves, stays;
  for (Bench* bench : {&moves, &stays}) {
    bench->start();
    bench->victimize();
    bench->select(bench == &moves);
    EXPECT_EQ(bench->rounds, 0);
  }
  stays.wait(1);
  EXPECT_EQ(stays.rounds, 1) << "in the last cycle of the search";
  moves.wait(1);
  EXPECT_EQ(moves.rounds, 0);
  EXPECT_TRUE(moves.monitor.flush_valid());
  moves.wait(1);
  EXPECT_EQ(moves.rounds, 1) << "as the flush is taken";
  EXPECT_EQ(moves.monitor.step(), Step::idle);
  EXPECT_EQ(moves.monitor.sel()[2], 10);
  EXPECT_EQ(stays.monitor.sel()[2], 9);
}

TEST(AdiRounds, AStartCancelsARoundWithoutTheFlush) {
  Bench bench;
  bench.start();
  bench.victimize();
  bench.select(true);
  bench.start();  // in the last cycle of the search
  EXPECT_EQ(bench.monitor.step(), Step::victimization);
  EXPECT_EQ(bench.monitor.sel()[2], 9);
  bench.victimize();
  bench.select(true);
  bench.wait(2);
  EXPECT_EQ(bench.rounds, 1) << "of the two";
  EXPECT_EQ(bench.monitor.sel()[2], 10);
}

TEST(AdiRounds, AFlushUnderWayIsCompleted) {
  Bench bench;
  bench.start();
  bench.victimize();
  bench.select(true);
  bench.wait(1);
  bench.cycle({.adi_start = true});
  bench.cycle({});
  EXPECT_TRUE(bench.monitor.flush_valid());
  bench.cycle({.flush_ready = true});
  EXPECT_EQ(bench.monitor.sel()[2], 10);
  EXPECT_EQ(bench.rounds, 0) << "the round was cancelled";
  EXPECT_EQ(bench.monitor.step(), Step::victimization);
}

TEST(AdiRounds, InLockStepWithGolden) {
  const std::int64_t cycles = verif::full_tier() ? 2'000'000 : 150'000;
  lock_step({.address_bits = 20, .sets = 16, .period = 12, .counter_bits = 4, .steered = true}, "adi_rounds",
            cycles);
  lock_step({.address_bits = 20, .sets = 2, .period = 5, .counter_bits = 4, .idle = 0, .steered = true},
            "adi_rounds_of_one_bit", cycles);
}
