// A timed SM: which request stands on its port in which cycle, worked out by hand.
#include "golden/gpu/sm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "golden/gpu/front_end.h"
#include "verif/trace/list_trace.h"

namespace {

using golden::AccessKind;
using golden::FrontEnd;
using golden::GpuParams;
using golden::SchedulerKind;
using testing::ElementsAre;
using verif::access;
using verif::ListTrace;
using verif::wait;

// The line number on the port in each cycle (-1: none), against a memory that accepts everything at once and
// answers `latency` cycles after; `busy` cycles refuse.
struct Seen {
  std::vector<int> lines;
  golden::Sm::Cycles cycles;
};
Seen run(std::vector<ListTrace::Kernel> kernels, GpuParams params, int latency, std::vector<int> busy = {}) {
  ListTrace trace(std::move(kernels));
  FrontEnd gpu(trace, params);
  golden::Sm& sm = gpu.sm(0);
  Seen out;
  std::vector<std::pair<int, std::uint32_t>> under_way;  // answer's cycle, id
  gpu.tick();                                            // of the reset: the first instruction issues
  for (int cycle = 0; !gpu.done() && cycle < 200; ++cycle) {
    const golden::GpuRequest* offer = sm.offer();
    out.lines.push_back(offer ? static_cast<int>(offer->request.address / 128) : -1);
    for (auto one = under_way.begin(); one != under_way.end();)
      if (one->first == cycle) {
        sm.answered(one->second);
        one = under_way.erase(one);
      } else {
        ++one;
      }
    if (offer && std::ranges::find(busy, cycle) == busy.end()) {
      under_way.emplace_back(cycle + latency, offer->id);
      sm.accepted(offer->id);
    }
    if (sm.wants_flush()) sm.flushed();
    gpu.tick();
  }
  EXPECT_TRUE(sm.done());
  out.cycles = sm.cycles();
  return out;
}

ListTrace::Kernel loads(int warps, int accesses) {
  ListTrace::Kernel kernel;
  for (int w = 0; w < warps; ++w)
    for (int n = 0; n < accesses; ++n)
      kernel.push_back(
          access(0, static_cast<std::uint16_t>(w), static_cast<std::uint64_t>(128 * (10 * w + n))));
  return kernel;
}

TEST(Sm, ALoadBlocksItsWarp) {
  // Answered in cycle 3, the next load issues then and stands on the port in cycle 4.
  EXPECT_THAT(run({loads(1, 2)}, {}, 3).lines, ElementsAre(0, -1, -1, -1, 1, -1, -1, -1));
}

TEST(Sm, GtoFillsTheWaitWithTheOldestThatCan) {
  // Warp 0 in 0, 1 in 1, 2 in 2; 0 is answered in cycle 2 and is the oldest in 3; 1 in 4, 2 in 5.
  EXPECT_THAT(run({loads(3, 2)}, {.scheduler = SchedulerKind::gto}, 2).lines,
              ElementsAre(0, 10, 20, 1, 11, 21, -1, -1));
}

TEST(Sm, LrrGoesOnInTurn) {
  // Warp 0 is answered in cycle 1 and could go on in 2, but it is warp 2's turn.
  EXPECT_THAT(run({loads(3, 2)}, {.scheduler = SchedulerKind::lrr}, 1).lines,
              ElementsAre(0, 10, 20, 1, 11, 21, -1));
  // Greedy-then-oldest goes back to warp 0 as soon as it can.
  EXPECT_THAT(run({loads(3, 2)}, {.scheduler = SchedulerKind::gto}, 1).lines,
              ElementsAre(0, 10, 1, 11, 20, -1, 21, -1));
}

TEST(Sm, TwoLevelStaysInItsGroup) {
  // Groups {0 1} and {2 3}: with short waits the first goes on to its end.
  const GpuParams pairs{.scheduler = SchedulerKind::two_level, .fetch_group = 2};
  EXPECT_THAT(run({loads(4, 2)}, pairs, 1).lines, ElementsAre(0, 10, 1, 11, 20, 30, 21, 31, -1));
  // With longer ones the second begins when both warps of the first wait. Warp 0 is back for cycle 3, but it
  // is the turn of warp 3 in the active group.
  EXPECT_THAT(run({loads(4, 2)}, pairs, 2).lines, ElementsAre(0, 10, 20, 30, 1, 11, 21, 31, -1, -1));
}

TEST(Sm, StoresBlockNothing) {
  ListTrace::Kernel kernel = loads(1, 3);
  for (auto& record : kernel) record.kind = AccessKind::store;
  EXPECT_THAT(run({kernel}, {}, 4).lines, ElementsAre(0, 1, 2, -1, -1, -1, -1));
}

TEST(Sm, AtomicsAndLoadsPastTheL1Block) {
  for (const auto kind : {AccessKind::atomic, AccessKind::non_l1}) {
    ListTrace::Kernel kernel = loads(1, 2);
    for (auto& record : kernel) record.kind = kind;
    EXPECT_THAT(run({kernel}, {}, 2).lines, ElementsAre(0, -1, -1, 1, -1, -1));
  }
}

TEST(Sm, OneRequestACycleAndTheWholeInstructionIsWaitedFor) {
  golden::Record wide = access(0, 0, 0);
  wide.mask = 0b111;
  wide.address = {0, 1280, 128};
  // Lines 0, 10, 1 in cycles 0, 1, 3 (refused in 2); the last is answered in 5, the next goes in 6.
  const Seen r = run({{wide, access(0, 0, 256)}}, {}, 2, {2});
  EXPECT_THAT(r.lines, ElementsAre(0, 10, 1, 1, -1, -1, 2, -1, -1));
  EXPECT_EQ(r.cycles.sending, 4u);
  EXPECT_EQ(r.cycles.refused, 1u);
  EXPECT_EQ(r.cycles.waiting, 4u);  // one of them before the first request
  EXPECT_EQ(r.cycles.empty, 1u);    // the last answer takes the CTA away
}

TEST(Sm, RequestsSayWhereTheyComeFrom) {
  golden::Record wide = access(0, 0, 0, AccessKind::store);
  wide.pc = 7;
  wide.mask = 0b11;
  wide.address = {32, 1280};
  ListTrace trace({{wide}});
  FrontEnd gpu(trace, {});
  gpu.tick();
  ASSERT_NE(gpu.sm(0).offer(), nullptr);
  const golden::GpuRequest request = *gpu.sm(0).offer();
  EXPECT_EQ(request.request.kind, golden::RequestKind::store);
  EXPECT_EQ(request.request.mask, 0b0010u);
  EXPECT_EQ(request.request.sideband.pc, 7u);
  EXPECT_EQ(request.request.sideband.warp, 0u);
  EXPECT_EQ(request.request.sideband.degree, 2u);
}

TEST(Sm, IdsLimitWhatIsInFlight) {
  ListTrace::Kernel kernel = loads(1, 4);
  for (auto& record : kernel) record.kind = AccessKind::store;
  // Two ids, each free again in the cycle after its answer.
  EXPECT_THAT(run({kernel}, {.id_bits = 1}, 3).lines, ElementsAre(0, 1, -1, -1, 2, 3, -1, -1, -1));
}

TEST(Sm, BarriersTakeATurnAndHold) {
  const ListTrace::Kernel kernel = {access(0, 0, 0),    wait(0, 0), access(0, 0, 128),
                                    access(0, 1, 1280), wait(0, 1), access(0, 1, 1408)};
  // 0 in cycle 0, 10 in 1; warp 0 issues its barrier at the end of cycle 1 (nothing on the port in 2), warp 1
  // at the end of 2, which releases both.
  EXPECT_THAT(run({kernel}, {.scheduler = SchedulerKind::gto}, 1).lines,
              ElementsAre(0, 10, -1, -1, 11, 1, -1));
}

TEST(Sm, KernelsWaitForEveryAnswerAndAFlush) {
  ListTrace::Kernel store = {access(0, 0, 0, AccessKind::store)};
  // The store is answered in cycle 3, the flush transfers in 4, the next kernel's CTA is dealt at its end and
  // issues at the end of 5.
  EXPECT_THAT(run({store, loads(1, 1)}, {}, 3).lines, ElementsAre(0, -1, -1, -1, -1, -1, 0, -1, -1, -1));
}

}  // namespace
