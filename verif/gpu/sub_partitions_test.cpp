// Sub-partitions below several SMs: their buffers hold what has come for them and no more, push back, and
// serve all SMs alike.
#include "golden/gpu/sub_partitions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "verif/gpu/memory_driver.h"

namespace {

using golden::SubPartitions;
using testing::ElementsAre;
using verif::SentDown;

// So many loads of a whole line of sub-partition p of 12.
std::vector<SentDown> lines_of(std::uint64_t p, int count) {
  std::vector<SentDown> list;
  for (int i = 0; i < count; ++i) list.push_back({256 * (p + 12 * static_cast<std::uint64_t>(i)), 0b1111});
  return list;
}

}  // namespace

TEST(SubPartitions, PortBufferBytesThenLatency) {
  SubPartitions memory({.sms = 1, .latency = 10});
  // In the port in cycle 1, in the buffer in cycle 2; four cycles of bytes, or one; the second waits.
  const auto seen = verif::send_down(memory, {{{0, 0b1111}, {0, 0b1}, {256, 0b1}}});
  EXPECT_THAT(seen.accepted[0], ElementsAre(0, 1, 2));
  EXPECT_THAT(seen.answered[0], ElementsAre(5 + 10, 6 + 10, 4 + 10));
  EXPECT_THAT(seen.masks[0], ElementsAre(0b1111u, 0b1u, 0b1u));
}

TEST(SubPartitions, ABufferHoldsItsEntriesAndPushesBack) {
  SubPartitions memory({.sms = 5, .latency = 10});
  std::vector<std::vector<SentDown>> requests(5, lines_of(3, 20));
  const auto seen = verif::send_down(memory, requests);
  for (std::size_t p = 0; p < 12; ++p) EXPECT_EQ(seen.most[p], p == 3 ? 8u : 0u) << p;
  // One sub-partition moves them all, a line in four cycles.
  EXPECT_GE(seen.cycles, 5 * 20 * 4);
  EXPECT_LE(seen.cycles, 5 * 20 * 4 + 20);
  // Two in its port and its share of the buffer; then an SM waits.
  EXPECT_GT(seen.accepted[0][7] - seen.accepted[0][6], 10);
}

TEST(SubPartitions, BuffersOfOtherSizes) {
  SubPartitions memory({.sms = 4, .count = 3, .buffer_entries = 5});
  std::vector<std::vector<SentDown>> requests(4);
  for (auto& list : requests)
    for (std::uint64_t i = 0; i < 30; ++i) list.push_back({256 * (3 * i + 1), 0b1111});
  EXPECT_THAT(verif::send_down(memory, requests, 3).most, ElementsAre(0u, 5u, 0u));
}

TEST(SubPartitions, ServeTheSmsInTurn) {
  SubPartitions memory({.sms = 3, .latency = 10});
  const auto seen = verif::send_down(memory, {lines_of(0, 50), lines_of(0, 50), lines_of(0, 50)});
  // Each SM's n-th answer comes within a round of the others'.
  for (std::size_t i = 0; i < 50; ++i) {
    const auto [first, last] = std::minmax({seen.answered[0][i], seen.answered[1][i], seen.answered[2][i]});
    EXPECT_LE(last - first, 3 * 4) << i;
  }
}

TEST(SubPartitions, WorkSideBySide) {
  SubPartitions one({.sms = 12, .latency = 10}), all({.sms = 12, .latency = 10});
  std::vector<std::vector<SentDown>> same, apart;
  for (std::uint64_t sm = 0; sm < 12; ++sm)
    same.push_back(lines_of(0, 20)), apart.push_back(lines_of(sm, 20));
  EXPECT_GT(verif::send_down(one, same).cycles, 8 * verif::send_down(all, apart).cycles);
}

// Under any traffic: each request is answered once, not before its latency, a line's in order, one an SM and
// cycle.
TEST(SubPartitions, EveryRequestIsAnsweredOnce) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const golden::SubPartitionsParams p{.sms = 1 + static_cast<int>(random() % 6),
                                        .count = 1 + static_cast<int>(random() % 13),
                                        .buffer_entries = 1 + static_cast<int>(random() % 9),
                                        .latency = 1 + static_cast<int>(random() % 30)};
    SubPartitions memory(p);
    std::vector<std::vector<SentDown>> requests(static_cast<std::size_t>(p.sms));
    for (auto& list : requests)
      for (int i = 0; i < 60; ++i)
        list.push_back({128 * (random() % 40), static_cast<std::uint32_t>(1 + random() % 15)});
    const auto seen = verif::send_down(memory, requests, p.count);
    for (const unsigned most : seen.most) EXPECT_LE(most, static_cast<unsigned>(p.buffer_entries));
    for (std::size_t sm = 0; sm < requests.size(); ++sm) {
      std::set<int> cycles;
      for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_GE(seen.answered[sm][i], seen.accepted[sm][i] + p.latency);
        EXPECT_TRUE(cycles.insert(seen.answered[sm][i]).second);
        for (std::size_t j = 0; j < i; ++j) {
          const bool same_line = requests[sm][i].address == requests[sm][j].address;
          EXPECT_TRUE(!same_line || seen.answered[sm][i] > seen.answered[sm][j]);
        }
      }
    }
  }
}
