// The memory below the caches: latency, bandwidth, back-pressure, order, and bytes.
#include "golden/gpu/next_level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>

namespace {

using golden::ByteMask;
using golden::L1dIn;
using golden::L1dOut;
using golden::LineData;
using golden::NextLevel;
using golden::NextLevelParams;
using golden::RequestKind;
using testing::ElementsAre;
using testing::Pair;

struct Sent {
  std::uint64_t address;
  std::uint32_t mask = 1;
  RequestKind kind = RequestKind::load;
  const ByteMask* byte_enable = nullptr;
  const LineData* data = nullptr;
};

struct Seen {
  std::vector<std::pair<int, int>> accepted, answered;  // cycle, number of the request
  std::vector<std::uint32_t> masks;
  std::vector<LineData> data;
};

// Offers the requests one after the other from cycle 0 on; answers are taken except in the cycles of
// `closed`.
Seen run(NextLevel& memory, const std::vector<Sent>& requests, const std::vector<int>& closed = {}) {
  Seen seen;
  size_t next = 0;
  for (int cycle = 0; seen.answered.size() < requests.size() && cycle < 2000; ++cycle) {
    L1dIn in;
    L1dOut out;
    memory.drive(in);
    out.memory_response_ready = std::ranges::find(closed, cycle) == closed.end();
    if (next < requests.size()) {
      const Sent& r = requests[next];
      out.memory_request_valid = true;
      out.memory_request_id = next;
      out.memory_request_kind = r.kind;
      out.memory_request_address = r.address;
      out.memory_request_mask = r.mask;
      out.memory_request_byte_enable = r.byte_enable;
      out.memory_request_data = r.data;
      if (in.memory_request_ready) seen.accepted.emplace_back(cycle, static_cast<int>(next++));
    }
    if (in.memory_response_valid && out.memory_response_ready) {
      seen.answered.emplace_back(cycle, static_cast<int>(in.memory_response_id));
      seen.masks.push_back(in.memory_response_mask);
      if (in.memory_response_data) seen.data.push_back(*in.memory_response_data);
    }
    memory.edge(in, out);
  }
  EXPECT_TRUE(memory.idle());
  return seen;
}

TEST(NextLevel, LatencyAndOneChunkACycle) {
  NextLevel memory({.latency = 10});
  // Chunks: 1, then 4 moved in cycles 1 to 4, then 1 in cycle 5.
  const Seen seen = run(memory, {{0}, {128, 0b1111}, {256, 0b1000}});
  EXPECT_THAT(seen.accepted, ElementsAre(Pair(0, 0), Pair(1, 1), Pair(2, 2)));
  EXPECT_THAT(seen.answered, ElementsAre(Pair(10, 0), Pair(14, 1), Pair(15, 2)));
  EXPECT_THAT(seen.masks, ElementsAre(1u, 0b1111u, 0b1000u));
}

TEST(NextLevel, BanksWorkSideBySide) {
  NextLevel memory({.latency = 10, .banks = 2});
  // Lines 0 and 2 share a bank: 0 moves in cycles 0 to 3, 1 in 1 to 4, 2 in 4; answers 13, 14 and 14: one
  // waits.
  EXPECT_THAT(run(memory, {{0, 15}, {128, 15}, {256, 1}}).answered,
              ElementsAre(Pair(13, 0), Pair(14, 1), Pair(15, 2)));
  // A short one overtakes a long one of another bank.
  EXPECT_THAT(run(memory, {{0, 15}, {128, 1}}).answered, ElementsAre(Pair(11, 1), Pair(13, 0)));
}

TEST(NextLevel, TheQueuePushesBack) {
  NextLevel memory({.latency = 5, .queue = 2});
  // Each moves for four cycles: two entries are free again when the first has moved, in cycle 4.
  EXPECT_THAT(run(memory, {{0, 15}, {0, 15}, {0, 15}, {0, 15}}).accepted,
              ElementsAre(Pair(0, 0), Pair(1, 1), Pair(4, 2), Pair(8, 3)));
}

TEST(NextLevel, AnswersWaitForTheCache) {
  NextLevel memory({.latency = 2});
  EXPECT_THAT(run(memory, {{0}, {0}, {0}}, {2, 3, 5}).answered,
              ElementsAre(Pair(4, 0), Pair(6, 1), Pair(7, 2)));
}

TEST(NextLevel, WiderBanksAndOtherChunks) {
  NextLevel memory({.line_bytes = 64, .chunk_bytes = 8, .latency = 1, .bank_bytes = 32});
  // 8, 40 and 64 bytes: 1, 2 and 2 cycles.
  EXPECT_THAT(run(memory, {{0, 1}, {0, 0x1F}, {0, 0xFF}}).answered,
              ElementsAre(Pair(1, 0), Pair(3, 1), Pair(5, 2)));
}

TEST(NextLevel, StoresAreAcknowledgedAndNonL1IsRecognisedByItsByteEnables) {
  NextLevel memory(NextLevelParams{});
  ByteMask some{1};
  EXPECT_THAT(run(memory, {{0, 3, RequestKind::store, &some},
                           {0, 3, RequestKind::atomic},
                           {0, 3, RequestKind::non_l1},
                           {0, 3, RequestKind::non_l1, &some}})
                  .masks,
              ElementsAre(0u, 3u, 3u, 0u));
}

TEST(NextLevel, BytesInTheOrderOfAcceptance) {
  NextLevel memory({.latency = 20}, [](std::uint64_t n) { return n; });
  LineData data{};
  data[1] = 0x1122334455667788;
  ByteMask enable{0x0500};  // bytes 8 and 10
  LineData add{};
  add[0] = 0xFFFFFFFF'00000002;
  const Seen seen = run(memory, {{0x1000},
                                 {0x1000, 1, RequestKind::store, &enable, &data},
                                 {0x1000},
                                 {0x1000, 1, RequestKind::atomic, nullptr, &add},
                                 {0x1000}});
  ASSERT_EQ(seen.data.size(), 4u);
  EXPECT_EQ(seen.data[0][1], 0x201u);
  EXPECT_EQ(seen.data[1][0], 0x200u);
  EXPECT_EQ(seen.data[1][1], 0x660288u);
  EXPECT_EQ(seen.data[2], seen.data[1]);  // an atomic answers what was there before
  EXPECT_EQ(seen.data[3][0], 0xFFFFFFFF00000202u);
  EXPECT_EQ(seen.data[3][1], 0x660288u);
  EXPECT_EQ(memory.line(0x1000), seen.data[3]);
  EXPECT_EQ(memory.line(0x1080)[0], 0x210u);
}

TEST(NextLevel, ResetForgetsRequestsNotBytes) {
  NextLevel memory({}, NextLevel::scrambled);
  LineData data{};
  ByteMask enable{0xFF};
  L1dIn in;
  L1dOut out{.memory_request_valid = true,
             .memory_request_kind = RequestKind::store,
             .memory_request_mask = 1,
             .memory_request_byte_enable = &enable,
             .memory_request_data = &data};
  memory.drive(in);
  memory.edge(in, out);
  EXPECT_FALSE(memory.idle());
  memory.edge({.rst = true}, {});
  EXPECT_TRUE(memory.idle());
  EXPECT_EQ(memory.line(0)[0], 0u);
  EXPECT_EQ(memory.line(0)[1], NextLevel::scrambled(1));
}

// Under any traffic, each request is answered once, not before its latency, one answer a cycle.
TEST(NextLevel, EveryRequestIsAnsweredOnce) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    const NextLevelParams p{.latency = 1 + static_cast<int>(random() % 30),
                            .banks = 1 + static_cast<int>(random() % 4),
                            .queue = 1 + static_cast<int>(random() % 9)};
    NextLevel memory(p);
    std::vector<Sent> requests;
    for (int i = 0; i < 100; ++i)
      requests.push_back({128 * (random() % 8), static_cast<std::uint32_t>(1 + random() % 15)});
    std::vector<int> closed;
    for (int i = 0; i < 100; ++i) closed.push_back(static_cast<int>(random() % 500));
    const Seen seen = run(memory, requests, closed);
    std::vector<int> times(requests.size(), -1);
    ASSERT_EQ(seen.answered.size(), requests.size());
    for (size_t i = 0; i < seen.answered.size(); ++i) {
      const auto& [cycle, number] = seen.answered[i];
      if (i > 0) {
        EXPECT_GT(cycle, seen.answered[i - 1].first);
      }
      EXPECT_GE(cycle, seen.accepted[static_cast<size_t>(number)].first + p.latency);
      EXPECT_EQ(std::exchange(times[static_cast<size_t>(number)], cycle), -1);
    }
  }
}

}  // namespace
