// Warp schedulers, pick by pick, against orders worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "golden/gpu/warp_scheduler.h"

namespace {

using golden::SchedulerKind;
using golden::WarpScheduler;
using testing::ElementsAre;

std::vector<int> picks(WarpScheduler& scheduler, const std::vector<std::uint64_t>& ready) {
  std::vector<int> out;
  for (const std::uint64_t mask : ready) out.push_back(scheduler.pick(mask));
  return out;
}

WarpScheduler with_warps(SchedulerKind kind, const std::vector<int>& oldest_first, int slots = 8,
                         int group = 4) {
  WarpScheduler scheduler(kind, slots, group);
  for (const int slot : oldest_first) scheduler.started(slot);
  return scheduler;
}

TEST(Gto, StaysThenTakesTheOldest) {
  auto s = with_warps(SchedulerKind::gto, {2, 0, 1});
  // The oldest, slot 2, as long as it can; then slot 0, greedily, although 2 is ready again; then by age.
  EXPECT_THAT(picks(s, {0b111, 0b111, 0b011, 0b111, 0b110, 0b010, 0b111, 0}),
              ElementsAre(2, 2, 0, 0, 2, 1, 1, -1));
}

TEST(Gto, ASuccessorInTheSlotIsYoung) {
  auto s = with_warps(SchedulerKind::gto, {0, 1});
  EXPECT_EQ(s.pick(0b11), 0);
  s.ended(0);
  s.started(0);
  EXPECT_EQ(s.pick(0b11), 1);
}

TEST(Lrr, NextInTurnThatCan) {
  auto s = with_warps(SchedulerKind::lrr, {2, 0, 1});
  EXPECT_THAT(picks(s, {0b111, 0b111, 0b111, 0b111, 0b101, 0b101, 0, 0b111, 0b010}),
              ElementsAre(0, 1, 2, 0, 2, 0, -1, 1, 1));
}

TEST(Lrr, GoesRoundAtTheLastSlot) {
  auto s = with_warps(SchedulerKind::lrr, {0, 63}, 64);
  const std::uint64_t both = 1 | std::uint64_t{1} << 63;
  EXPECT_THAT(picks(s, {both, both, both}), ElementsAre(0, 63, 0));
}

TEST(TwoLevel, RoundRobinInsideTheActiveGroup) {
  // Groups of three slots: {0 1 2}, {3 4 5}, {6 7}.
  auto s = with_warps(SchedulerKind::two_level, {}, 8, 3);
  EXPECT_THAT(picks(s, {0xFF, 0xFF, 0xFF, 0xFF}), ElementsAre(0, 1, 2, 0));
  // The first group stalls; the second stays active although the first can again, and keeps its pointer.
  EXPECT_THAT(picks(s, {0b11111000, 0xFF, 0b11010101, 0b11000101, 0b11000101}), ElementsAre(3, 4, 4, 6, 7));
  // From the last group on to the first, whose last was 0.
  EXPECT_THAT(picks(s, {0b00111111, 0b00111111, 0}), ElementsAre(1, 2, -1));
}

TEST(WarpScheduler, RefusesWhatItCannotHold) {
  EXPECT_THROW(WarpScheduler(SchedulerKind::gto, 65, 8), std::invalid_argument);
  EXPECT_THROW(WarpScheduler(SchedulerKind::gto, 48, 0), std::invalid_argument);
}

}  // namespace
