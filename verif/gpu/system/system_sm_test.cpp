// A streaming multiprocessor of a system alone: what its schedulers issue in which cycle, worked out by hand.
#include "golden/gpu/system/system_sm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden/gpu/system/system_front_end.h"
#include "verif/gpu/system/listed_trace.h"

namespace {

using golden::Operation;
using golden::Record;
using golden::SystemParams;
using verif::load_of;
using verif::operation;
using verif::plain;

SystemParams one_sm(int schedulers, int alu_interval = 1) {
  SystemParams p;
  p.sms = 1;
  p.schedulers = schedulers;
  p.alu_interval = alu_interval;
  return p;
}

// An SM whose requests are all taken at once and answered `latency` cycles later.
class Bench {
 public:
  Bench(const SystemParams& p, std::vector<Record> records, int warps, int latency, bool registers = false)
      : trace_(warps, std::move(records), registers),
        gpu_(trace_, p, {}),
        latency_(static_cast<std::uint64_t>(latency)) {}

  // Cycles until the kernel is over; `addresses` gets (cycle, address) of each request.
  std::uint64_t run(std::vector<std::pair<std::uint64_t, std::uint64_t>>* sent = nullptr) {
    golden::SystemSm& sm = gpu_.sm(0);
    std::deque<std::pair<std::uint64_t, std::uint32_t>> answers;
    std::uint64_t cycle = 0;
    for (; !gpu_.done() && cycle < 100000; ++cycle) {
      if (const auto* offer = sm.offer()) {
        if (sent) sent->emplace_back(cycle, offer->request.address);
        answers.emplace_back(cycle + latency_, offer->id);
        sm.accepted(offer->id);
      }
      for (; !answers.empty() && answers.front().first <= cycle; answers.pop_front())
        sm.answered(answers.front().second);
      sm.tick();
      gpu_.tick();
    }
    return cycle;
  }
  const golden::SystemSm& sm() { return gpu_.sm(0); }

 private:
  verif::ListedTrace trace_;
  golden::SystemFrontEnd gpu_;
  std::uint64_t latency_;
};

// Three warps of 5, 3 and 4 independent instructions on two schedulers: scheduler 0 has warps 0 and 2 and
// issues 5 + 4 of them in 9 cycles, scheduler 1 the 3 of warp 1 and then nothing.
TEST(SystemSm, ThreeWarpsOnTwoSchedulers) {
  for (const auto kind : {golden::SchedulerKind::gto, golden::SchedulerKind::lrr}) {
    SystemParams p = one_sm(2);
    p.scheduler = kind;
    Bench bench(p, {plain(0, 4), plain(1, 2), plain(2, 3)}, 3, 1);
    EXPECT_EQ(bench.run(), 9u);
    EXPECT_EQ(bench.sm().warp_instructions(), 12u);
    EXPECT_EQ(bench.sm().thread_instructions(), 12u * 32);
    EXPECT_EQ(bench.sm().issue_cycles().issued, 12u);
    EXPECT_EQ(bench.sm().issue_cycles().no_warp, 6u);
    EXPECT_EQ(bench.sm().issue_cycles().all(), 18u);
  }
}

// A warp of chained instructions issues every alu_interval cycles; four warps fill a scheduler at 4.
TEST(SystemSm, ChainsIssueEveryInterval) {
  Bench alone(one_sm(1, 4), {plain(0, 9)}, 1, 1);
  EXPECT_EQ(alone.run(), 9u * 4 + 1);
  EXPECT_EQ(alone.sm().issue_cycles().scoreboard, 9u * 3);
  std::vector<Record> four;
  for (std::uint16_t w = 0; w < 4; ++w) four.push_back(plain(w, 9));
  Bench filled(one_sm(1, 4), four, 4, 1);
  EXPECT_EQ(filled.run(), 40u);
}

// Issue-bound: instructions / schedulers, to 2 %.
TEST(SystemSm, IssueBoundKernelsTakeInstructionsOverSchedulers) {
  for (const int schedulers : {1, 2, 3, 4}) {
    std::vector<Record> records;
    for (std::uint16_t w = 0; w < 24; ++w) records.push_back(plain(w, 499));
    SystemParams p = one_sm(schedulers, 4);
    p.scheduler = golden::SchedulerKind::lrr;  // gto leaves the youngest warps to the end
    Bench bench(p, records, 24, 1);
    const double expected = 24.0 * 500 / schedulers;
    EXPECT_NEAR(static_cast<double>(bench.run()), expected, 0.02 * expected) << schedulers;
  }
}

// Two schedulers want the one load-store unit: who goes first rotates, so both warps get through; the unit
// takes one instruction a cycle.
TEST(SystemSm, SchedulersShareTheLoadStoreUnitInTurn) {
  std::vector<Record> records;
  for (int i = 0; i < 4; ++i)
    for (std::uint16_t w = 0; w < 2; ++w) {
      records.push_back(load_of(static_cast<std::uint64_t>(w * 0x10000 + i * 0x100), w));
      records.back().kind = golden::AccessKind::store;
    }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sent;
  Bench bench(one_sm(2), records, 2, 1);
  bench.run(&sent);
  ASSERT_EQ(sent.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(sent[i].first, i + 1) << "a request a cycle";
    EXPECT_EQ(sent[i].second >= 0x10000, i % 2 == 1) << "the warps take turns";
  }
}

// A load blocks its warp unless more may be in flight.
TEST(SystemSm, LoadsInFlightAreLimited) {
  for (const int most : {1, 2, 4}) {
    SystemParams p = one_sm(1);
    p.loads_in_flight = most;
    std::vector<Record> records;
    for (int i = 0; i < 8; ++i) records.push_back(load_of(static_cast<std::uint64_t>(i) * 128));
    Bench bench(p, records, 1, 100);
    // Each round of `most` loads leaves in a row, and the next when the first of it is answered.
    const auto rounds = static_cast<std::uint64_t>(8 / most);
    EXPECT_NEAR(static_cast<double>(bench.run()),
                static_cast<double>(rounds * 101 + static_cast<unsigned>(most)), 2)
        << most;
    EXPECT_GT(bench.sm().issue_cycles().load, 8u * 90 / static_cast<unsigned>(most));
  }
}

// With registers: a reader waits for the result of its class, a load's reader for its answer, others do not.
TEST(SystemSm, TheScoreboardHoldsReadersAlone) {
  SystemParams p = one_sm(1);
  p.result = {.integer = 4, .fp = 6, .sfu = 20, .dp = 8, .shared = 24, .branch = 4};
  const std::vector<std::pair<Operation, int>> classes{{Operation::integer, 4},
                                                       {Operation::fp, 6},
                                                       {Operation::sfu, 20},
                                                       {Operation::dp, 8},
                                                       {Operation::shared, 24}};
  for (const auto& [what, latency] : classes) {
    Bench chain(p, {operation(0, what, 1), operation(0, what, 2, 1), operation(0, what, 3, 2)}, 1, 1, true);
    EXPECT_EQ(chain.run(), static_cast<std::uint64_t>(2 * latency + 1));
    Bench independent(p, {operation(0, what, 1), operation(0, what, 2), operation(0, what, 3)}, 1, 1, true);
    EXPECT_EQ(independent.run(), 3u);
  }
  Record load = load_of(0x1000);
  load.registers.destination = 9;
  Bench behind(p, {load, operation(0, Operation::integer, 1), operation(0, Operation::integer, 2, 9)}, 1, 100,
               true);
  // Issued in 0, at the cache in 1, answered in 101, read in 101.
  EXPECT_EQ(behind.run(), 102u);
  EXPECT_EQ(behind.sm().issue_cycles().load, 99u);
  EXPECT_EQ(behind.sm().issue_cycles().issued, 3u);
}

TEST(SystemSm, BarriersHoldTheWarpsOfTheirCta) {
  std::vector<Record> records;
  for (std::uint16_t w = 0; w < 2; ++w) {
    records.push_back(plain(w, w == 0 ? 0 : 49));
    Record barrier = plain(w);
    barrier.space = Record::barrier_space;
    barrier.mask = 0;
    records.push_back(barrier);
    records.push_back(plain(w));
  }
  Bench bench(one_sm(2), records, 2, 1);
  EXPECT_EQ(bench.run(), 52u);
  EXPECT_EQ(bench.sm().issue_cycles().barrier, 49u);
}

// Sleeping and waking change no figure.
TEST(SystemSm, SkippedCyclesAreCountedAsTickedOnes) {
  const std::vector<Record> records{load_of(0, 0, 5), load_of(0x1000, 0, 3), plain(0, 2)};
  const SystemParams p = one_sm(2, 20);
  Bench ticked(p, records, 1, 150);
  const std::uint64_t cycles = ticked.run();

  verif::ListedTrace trace(1, records, false);
  golden::SystemFrontEnd gpu(trace, p, {});
  golden::SystemSm& sm = gpu.sm(0);
  std::optional<std::pair<std::uint64_t, std::uint32_t>> answer;
  std::uint64_t cycle = 0, skipped = 0;
  for (; !gpu.done() && cycle < 100000; ++cycle) {
    if (const auto* offer = sm.offer()) {
      answer.emplace(cycle + 150, offer->id);
      sm.accepted(offer->id);
    }
    if (answer && answer->first == cycle) sm.answered(answer->second), answer.reset();
    if (sm.quiet() && sm.wakes_at() > sm.now())
      sm.skip(1), ++skipped;
    else
      sm.tick();
    gpu.tick();
  }
  EXPECT_EQ(cycle, cycles);
  EXPECT_GT(skipped, cycles / 2);
  const golden::IssueCycles &a = sm.issue_cycles(), &b = ticked.sm().issue_cycles();
  EXPECT_EQ(a.issued, b.issued);
  EXPECT_EQ(a.scoreboard, b.scoreboard);
  EXPECT_EQ(a.load, b.load);
  EXPECT_EQ(a.no_warp, b.no_warp);
  EXPECT_EQ(a.all(), b.all());
}

}  // namespace
