// A DRAM channel against command sequences worked out by hand from its timing, and what must hold for any.
#include "golden/gpu/system/dram_channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

namespace {

using golden::DramChannel;
using golden::DramParams;
using Command = DramChannel::Command;

struct Sent {
  std::int64_t tick;
  Command command;
  int bank;

  bool operator==(const Sent&) const = default;
};

void PrintTo(const Sent& sent, std::ostream* out) {
  *out << sent.tick << " "
       << "-APRW"[static_cast<int>(sent.command)] << sent.bank;
}

constexpr Command activate = Command::activate, precharge = Command::precharge, read = Command::read,
                  write = Command::write;

// Byte address of a column of a row, as a channel of 16 banks in 4 groups splits it.
std::uint64_t address(int bank, int row, int column) {
  const int group = bank % 4, in_group = bank / 4;
  return ((static_cast<std::uint64_t>(row) * 4 + static_cast<std::uint64_t>(in_group)) * 4 +
          static_cast<std::uint64_t>(group)) *
             2048 +
         static_cast<std::uint64_t>(column) * 64;
}

struct Timeline {
  std::vector<Sent> sent;
  std::vector<std::pair<std::int64_t, std::uint64_t>> arrived;  // tick, token
};

// Ticks until nothing is under way.
Timeline run(DramChannel& channel) {
  Timeline timeline;
  while (!channel.quiet()) {
    const auto issued = channel.tick();
    if (issued.command != Command::none)
      timeline.sent.push_back({channel.now(), issued.command, issued.bank});
    while (const auto token = channel.arrived()) timeline.arrived.emplace_back(channel.now(), *token);
  }
  return timeline;
}

void ask(DramChannel& channel, std::uint64_t at, std::uint64_t token = 0, bool writes = false) {
  channel.push({.address = at, .write = writes, .bytes = 64, .token = token});
}

TEST(DramChannel, ReadsTakeTheSumOfTheirTimings) {
  DramChannel channel({});
  ask(channel, address(3, 5, 0), 1);  // closed: activate in tick 1, tRCD 12, tCL 12, two cycles of the bus
  Timeline timeline = run(channel);
  EXPECT_THAT(timeline.sent, testing::ElementsAre(Sent{1, activate, 3}, Sent{13, read, 3}));
  EXPECT_THAT(timeline.arrived, testing::ElementsAre(testing::Pair(13 + 12 + 2, 1)));

  channel.skip(100);  // open: a read at once
  const std::int64_t hit = channel.now() + 1;
  ask(channel, address(3, 5, 1), 2);
  timeline = run(channel);
  EXPECT_THAT(timeline.sent, testing::ElementsAre(Sent{hit, read, 3}));
  EXPECT_THAT(timeline.arrived, testing::ElementsAre(testing::Pair(hit + 12 + 2, 2)));

  channel.skip(100);  // another row: precharge, tRP 12, activate, tRCD 12
  const std::int64_t conflict = channel.now() + 1;
  ask(channel, address(3, 6, 0), 3);
  timeline = run(channel);
  EXPECT_THAT(timeline.sent,
              testing::ElementsAre(Sent{conflict, precharge, 3}, Sent{conflict + 12, activate, 3},
                                   Sent{conflict + 24, read, 3}));
  EXPECT_THAT(timeline.arrived, testing::ElementsAre(testing::Pair(conflict + 24 + 12 + 2, 3)));
  EXPECT_EQ(channel.counters().row_misses, 1u);
  EXPECT_EQ(channel.counters().row_hits, 1u);
  EXPECT_EQ(channel.counters().row_conflicts, 1u);
}

// 36 reads of four open rows, one in each bank group, in turn: 40 commands. Rows open tRRD apart, a read of
// group 0 going before the activate of group 2; group 0 reads alone, tCCDL apart, until group 1 is open.
TEST(DramChannel, FortyCommandsRoundTheGroups) {
  DramChannel channel({.queue = 64});
  for (int i = 0; i < 36; ++i) ask(channel, address(i % 4, 0, i / 4), static_cast<std::uint64_t>(i));
  const Timeline timeline = run(channel);
  std::vector<Sent> expected{{1, activate, 0}, {7, activate, 1}, {13, read, 0},     {14, activate, 2},
                             {16, read, 0},    {19, read, 1},    {20, activate, 3}, {21, read, 1 - 1}};
  ASSERT_EQ(timeline.sent.size(), 40u);
  EXPECT_THAT(std::vector<Sent>(timeline.sent.begin(), timeline.sent.begin() + 8),
              testing::ElementsAreArray(expected));
  // From then on two groups or more are open: a read every tCCD 2, until one group is left.
  for (std::size_t i = 8; i + 1 < 38; ++i)
    EXPECT_EQ(timeline.sent[i].tick - timeline.sent[i - 1].tick, 2) << "command " << i;
  EXPECT_EQ(channel.counters().busy_cycles, 72u);
}

// Reads that hit rows and go round the groups fill the bus; in one group tCCDL leaves two thirds of it.
TEST(DramChannel, GroupsFillTheBusAndOneGroupLeavesTwoThirds) {
  for (const auto& [banks, interval] : {std::pair{4, 2}, {1, 3}}) {
    DramChannel channel({.queue = 1024});
    for (int i = 0; i < banks; ++i) ask(channel, address(i, 0, 0));
    run(channel);
    channel.skip(100);
    const std::int64_t begin = channel.now() + 1;
    for (int i = 0; i < 120; ++i) ask(channel, address(i % banks, 0, 1 + i / banks % 31));
    const Timeline timeline = run(channel);
    ASSERT_EQ(timeline.sent.size(), 120u);
    EXPECT_EQ(timeline.sent.back().tick, begin + 119 * interval);
  }
}

// Twelve requests to one bank and its neighbour, row by row: hits go first, the oldest of them in front; a
// row closes when nothing wants it.
TEST(DramChannel, FirstReadyFirstComeFirstServed) {
  DramChannel channel({});
  //            token:    0  1  2  3  4  5  6  7  8  9 10 11
  const int bank[12] = {0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 4, 0};
  const int rows[12] = {1, 2, 1, 7, 2, 7, 1, 8, 3, 1, 7, 2};
  for (int i = 0; i < 12; ++i) ask(channel, address(bank[i], rows[i], i), static_cast<std::uint64_t>(i));
  std::vector<std::uint64_t> order;
  for (const auto& [tick, token] : run(channel).arrived) order.push_back(token);
  // Bank 0 opens row 1 at 1, bank 4 row 7 at 7; from 13 on a hit every tCCDL 3, the oldest first: 0 2, and
  // with bank 4 open at 19, 3 5 6 9 10. Bank 0 closes at 29 (tRAS), as 9 has been served at 28, and opens
  // row 2 at 41 (tRC); bank 4 closes at 35 and opens row 8 at 47. So 1 and 4 at 53 and 56, then 7 at 59,
  // which is older than 11, at 62; bank 0 opens row 3 for 8 last.
  EXPECT_THAT(order, testing::ElementsAre(0, 2, 3, 5, 6, 9, 10, 1, 4, 7, 11, 8));
  EXPECT_EQ(channel.counters().row_hits, 12u - 5);
  EXPECT_EQ(channel.counters().row_misses + channel.counters().row_conflicts, 5u);
}

// Bank 0 is open; the older request is for a closed bank. Both have a legal command, the row hit sends first.
TEST(DramChannel, ARowHitGoesBeforeAnOlderActivate) {
  DramChannel channel({});
  ask(channel, address(0, 0, 0));
  run(channel);
  channel.skip(100);
  const std::int64_t begin = channel.now() + 1;
  ask(channel, address(1, 0, 0), 1);
  ask(channel, address(0, 0, 1), 2);
  const Timeline timeline = run(channel);
  EXPECT_THAT(timeline.sent, testing::ElementsAre(Sent{begin, read, 0}, Sent{begin + 1, activate, 1},
                                                  Sent{begin + 13, read, 1}));
}

// Rows of one bank open tRC apart, also where tRAS and tRP are over before.
TEST(DramChannel, RowsOfABankOpenTrcApart) {
  DramParams p;
  p.timing.rc = 60;
  DramChannel channel(p);
  ask(channel, address(0, 0, 0), 0);
  ask(channel, address(0, 1, 0), 1);
  EXPECT_THAT(run(channel).sent,
              testing::ElementsAre(Sent{1, activate, 0}, Sent{13, read, 0}, Sent{29, precharge, 0},
                                   Sent{61, activate, 0}, Sent{73, read, 0}));
}

// A written row closes tWR 12 behind the write's data, which ends tWL 4 and two cycles of the bus behind it.
TEST(DramChannel, AWrittenRowClosesTwrBehindItsData) {
  DramParams p;
  p.timing.ras = 1;
  DramChannel channel(p);
  ask(channel, address(0, 0, 0), 0, true);
  run(channel);
  ask(channel, address(0, 1, 0), 1);
  EXPECT_THAT(run(channel).sent, testing::Contains(Sent{13 + 4 + 2 + 12, precharge, 0}));
}

TEST(DramChannel, AnOldEntryGoesBeforeRowHits) {
  for (const int age : {40, 1000}) {
    DramChannel channel({.queue = 1024, .age = age});
    ask(channel, address(0, 0, 0));
    ask(channel, address(0, 1, 0), 99);  // waits for a row that hits keep open
    for (int i = 0; i < 200; ++i) ask(channel, address(0, 0, 1 + i % 31));
    const Timeline timeline = run(channel);
    const auto found = std::ranges::find(timeline.arrived, std::uint64_t{99},
                                         &std::pair<std::int64_t, std::uint64_t>::second);
    EXPECT_EQ(found - timeline.arrived.begin() < 50, age == 40);
    // It came in cycle 0: in the first cycle in which it is older than 40 its bank closes.
    EXPECT_EQ(std::ranges::count(timeline.sent, Sent{41, precharge, 0}), age == 40);
  }
}

TEST(DramChannel, WritesWaitUntilTheyFillHalfTheQueueAndReadsWaitForThem) {
  DramChannel channel({.queue = 4});
  ask(channel, address(0, 0, 0), 0);
  for (int i = 0; i < 3; ++i) ask(channel, address(0, 0, 1 + i), 0, true);
  Timeline timeline = run(channel);
  EXPECT_EQ(timeline.sent[1].command, read);
  EXPECT_EQ(timeline.sent[2].command, write);
  for (int i = 0; i < 4; ++i) ask(channel, address(0, 0, 5 + i), 0, true);
  ask(channel, address(0, 0, 9), 1);
  timeline = run(channel);
  ASSERT_EQ(timeline.sent.size(), 5u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(timeline.sent[static_cast<std::size_t>(i)].command, write);
  // The last write's data ends tWL 4 and two cycles of the bus behind it; tCDLR 5 more to the read.
  EXPECT_EQ(timeline.sent[4].tick, timeline.sent[3].tick + 4 + 2 + 5);
}

TEST(DramChannel, EveryReadArrivesOnceWhateverItIsAskedFor) {
  std::mt19937 random(7);
  DramChannel channel({.bytes_per_command = 12, .queue = 16});
  std::set<std::uint64_t> waiting;
  std::uint64_t tokens = 0, arrived = 0;
  for (int t = 0; t < 20000; ++t) {
    const bool writes = random() % 3 == 0;
    if (random() % 4 == 0 && channel.ready(writes, 1)) {
      ask(channel, address(static_cast<int>(random() % 16), static_cast<int>(random() % 3), 0), tokens,
          writes);
      if (!writes) waiting.insert(tokens);
      ++tokens;
    }
    channel.tick();
    while (const auto token = channel.arrived()) {
      EXPECT_EQ(waiting.erase(*token), 1u);
      ++arrived;
    }
  }
  for (int t = 0; t < 5000; ++t) {
    channel.tick();
    while (const auto token = channel.arrived()) {
      EXPECT_EQ(waiting.erase(*token), 1u);
      ++arrived;
    }
  }
  EXPECT_TRUE(waiting.empty());
  EXPECT_EQ(arrived, channel.counters().reads);
  EXPECT_GT(arrived, 1000u);
}

}  // namespace
