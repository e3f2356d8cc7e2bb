// Where the cycles of SMs went: that they add up, and that each part of a latency is counted where it is
// spent.
#include "golden/gpu/system/cycle_causes.h"

#include <gtest/gtest.h>

#include "gen/explore/system_run.h"
#include "gen/system/system_config.h"
#include "verif/gpu/system/listed_trace.h"

namespace {

using golden::CycleCause;
using golden::CycleCauses;
using golden::IssueCause;
using golden::Record;
using golden::Stall;
using golden::SystemParams;
using golden::Whereabouts;
using Place = Whereabouts::Place;

gen::RunResult run(const SystemParams& p, std::unique_ptr<golden::TraceSource> trace,
                   const hw::L1dParams& cache = {}) {
  gen::RunResult result;
  result.sms.resize(static_cast<std::size_t>(p.sms));
  gen::SystemRun(cache, p, std::move(trace)).run(result, [](std::uint64_t, double) {});
  return result;
}

TEST(CycleCauses, AddUpToTheCyclesOfEachSm) {
  for (const char* name : {"fermi_tsc", "fermi_aci", "volta4", "crossbar80"})
    for (const char* kernel : {"builtin:spmv?side=12", "builtin:triad?elements=8192"}) {
      const gen::RunResult result = run(gen::load_system(name).values, golden::open_instructions(kernel));
      std::uint64_t issued = 0;
      for (const gen::SmResult& sm : result.sms) {
        EXPECT_EQ(sm.causes.all(), result.cycles) << name << ", " << kernel;
        issued += sm.causes[CycleCause::issued];
      }
      // As many as the schedulers issued, or fewer where two did in one cycle.
      EXPECT_LE(issued, result.system->warp_instructions);
      EXPECT_GE(issued * 4, result.system->warp_instructions);
      EXPECT_EQ(result.total().causes.all(), result.cycles * result.sms.size());
    }
}

TEST(CycleCauses, AddUpWhereNothingSleeps) {
  hw::L1dParams cache;
  cache.limit = {.kind = hw::LimitKind::fixed, .count = 1};
  const gen::RunResult result = run(gen::load_system("fermi_tsc").values,
                                    golden::open_instructions("builtin:triad?elements=8192"), cache);
  for (const gen::SmResult& sm : result.sms) EXPECT_EQ(sm.causes.all(), result.cycles);
}

// A system with one clock, and one warp that loads line after line from the L2, or from DRAM.
SystemParams one_clock() {
  SystemParams p;
  p.sms = 1;
  p.core_clock = p.network_clock = p.memory_clock = 1000;
  p.alu_interval = 1;
  p.l2.latency = 50;
  p.dram.latency = 80;
  p.l2.slices = p.dram.channels = 1;
  return p;
}

constexpr int loads = 240;
// `distinct` lines, 4,096 bytes apart: more than a set of the L1 holds.
CycleCauses chase(const SystemParams& p, int distinct) {
  std::vector<Record> records;
  for (int i = 0; i < loads; ++i)
    records.push_back(verif::load_of(0x10000000 + std::uint64_t(i % distinct) * 4096));
  return run(p, std::make_unique<verif::ListedTrace>(1, records, false)).sms[0].causes;
}

// What a change of the system adds to each cause.
void expect_more(const CycleCauses& more, const CycleCauses& less, CycleCause where, std::uint64_t cycles) {
  for (std::size_t i = 0; i < more.cycles.size(); ++i)
    EXPECT_EQ(more.cycles[i] - less.cycles[i], i == static_cast<std::size_t>(where) ? cycles : 0)
        << golden::cycle_cause_names[i];
}

TEST(CycleCauses, LatencyOfTheL2IsTheL2s) {
  SystemParams p = one_clock();
  const CycleCauses before = chase(p, 12);
  p.l2.latency += 70;
  expect_more(chase(p, 12), before, CycleCause::l2, 70 * loads);
}

TEST(CycleCauses, LatencyOfDramIsDrams) {
  SystemParams p = one_clock();
  const CycleCauses before = chase(p, loads);
  p.dram.latency += 30;
  expect_more(chase(p, loads), before, CycleCause::dram, 30 * loads);
}

// A reply of four sectors is four flits of 32 bytes, or one of 128.
TEST(CycleCauses, FlitsAreTheNetworks) {
  SystemParams p = one_clock();
  p.network.flit_bytes = 128;
  const CycleCauses before = chase(p, 12);
  p.network.flit_bytes = 32;
  const CycleCauses after = chase(p, 12);
  EXPECT_EQ(after[CycleCause::network] - before[CycleCause::network], 3u * loads);
  EXPECT_EQ(after[CycleCause::l2], before[CycleCause::l2]);
  EXPECT_EQ(after.all() - before.all(), 3u * loads);
}

TEST(CycleCauses, HitsAreTheL1s) {
  SystemParams p = one_clock();
  const CycleCauses before = chase(p, 2);
  p.l1_hit_latency = 28;
  expect_more(chase(p, 2), before, CycleCause::l1, 26 * (loads - 2));
}

// A set of four ways, all of whose lines are on their way: the fifth load of the set waits for a line.
TEST(CycleCauses, ALookupThatFailsIsItsCause) {
  SystemParams p = one_clock();
  std::vector<Record> records;
  for (std::uint16_t w = 0; w < 8; ++w)
    records.push_back(verif::load_of(0x10000000 + std::uint64_t{w} * 4096, w));
  const auto causes = [&] {
    return run(p, std::make_unique<verif::ListedTrace>(8, records, false)).sms[0].causes;
  };
  const CycleCauses before = causes();
  EXPECT_GT(before[CycleCause::fail_line], 50u);
  p.l2.latency += 100;
  EXPECT_EQ(causes()[CycleCause::fail_line] - before[CycleCause::fail_line], 100u);
}

TEST(CycleCauses, WarpsThatWaitForResultsComeBeforeMemory) {
  EXPECT_EQ(golden::cycle_cause(IssueCause::issued, Stall::line, CycleCause::dram), CycleCause::issued);
  EXPECT_EQ(golden::cycle_cause(IssueCause::scoreboard, Stall::line, CycleCause::dram), CycleCause::result);
  EXPECT_EQ(golden::cycle_cause(IssueCause::load, Stall::queue, CycleCause::dram), CycleCause::fail_queue);
  EXPECT_EQ(golden::cycle_cause(IssueCause::load, Stall::bank, CycleCause::dram), CycleCause::dram);
  EXPECT_EQ(golden::cycle_cause(IssueCause::lsu_full, Stall::none, CycleCause::dram), CycleCause::lsu);
  EXPECT_EQ(golden::cycle_cause(IssueCause::lsu_full, Stall::mshr, CycleCause::dram), CycleCause::fail_mshr);
}

TEST(Whereabouts, SayWhereTheOldestReadIs) {
  Whereabouts reads(2);
  EXPECT_FALSE(reads.oldest(0));
  reads.sent(0, 7);
  reads.sent(0, 3);
  EXPECT_EQ(reads.oldest(0), Place::request_network);
  EXPECT_FALSE(reads.oldest(1));
  reads.moved(0, 7, Place::request_network, Place::l2_input, 4);
  reads.moved(0, 7, Place::l2_input, Place::dram);
  EXPECT_EQ(reads.oldest(0), Place::l2_input) << "three of its packets are";
  for (int i = 0; i < 3; ++i) reads.moved(0, 7, Place::l2_input, Place::l2_output);
  EXPECT_EQ(reads.oldest(0), Place::dram);
  reads.answered(0, 3);
  reads.sent(0, 3);  // another one
  reads.answered(0, 7);
  EXPECT_EQ(reads.oldest(0), Place::request_network);
  reads.answered(0, 3);
  EXPECT_FALSE(reads.oldest(0));
}

}  // namespace
