// The network and the L2 of a system, each alone, against what was worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "golden/gpu/system/clock_domain.h"
#include "golden/gpu/system/l2_slice.h"
#include "golden/gpu/system/packet_crossbar.h"

namespace {

using golden::L2Slice;
using golden::MemoryPacket;
using golden::PacketCrossbar;

TEST(ClockDomain, TicksAsOftenAsItsRatio) {
  golden::ClockDomain half(700, 1400), memory(924, 700);
  int ticks = 0;
  std::vector<int> first;
  for (int t = 0; t < 700; ++t) {
    ticks += memory.step();
    if (t < 4) first.push_back(half.step());
  }
  EXPECT_EQ(ticks, 924);
  EXPECT_THAT(first, testing::ElementsAre(0, 1, 0, 1));
}

MemoryPacket packet(int from, int to, int flits) {
  MemoryPacket one;
  one.from = from;
  one.to = to;
  one.flits = flits;
  one.request.id = static_cast<std::uint64_t>(from);
  return one;
}

// Inputs 0 and 1 send two packets of 2 flits each to output 0, input 2 one of 3 to output 1: outputs move a
// flit a cycle, and output 0 takes the inputs in turn.
TEST(PacketCrossbar, OutputsTakeInputsInTurnFlitByFlit) {
  PacketCrossbar crossbar(3, 2, 8);
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 2; ++i) crossbar.push(packet(i, 0, 2));
  crossbar.push(packet(2, 1, 3));
  std::vector<std::pair<int, int>> came;  // cycle, input
  for (int cycle = 1; !crossbar.quiet(); ++cycle) {
    crossbar.tick();
    for (int o = 0; o < 2; ++o)
      while (crossbar.front(o)) came.emplace_back(cycle, crossbar.pop(o).from);
  }
  EXPECT_THAT(came, testing::ElementsAre(testing::Pair(2, 0), testing::Pair(3, 2), testing::Pair(4, 1),
                                         testing::Pair(6, 0), testing::Pair(8, 1)));
  EXPECT_EQ(crossbar.flits(), 11u);
}

TEST(PacketCrossbar, AFullQueueHoldsPacketsBack) {
  PacketCrossbar crossbar(1, 1, 2);
  EXPECT_TRUE(crossbar.ready(0));
  crossbar.push(packet(0, 0, 1));
  crossbar.push(packet(0, 0, 1));
  EXPECT_FALSE(crossbar.ready(0));
  for (int n = 0; n < 2; ++n) crossbar.tick();
  crossbar.push(packet(0, 0, 1));
  for (int n = 0; n < 5; ++n) crossbar.tick();
  EXPECT_EQ(crossbar.waiting(0), 2u);
  EXPECT_FALSE(crossbar.quiet());
  crossbar.pop(0);
  crossbar.tick();
  EXPECT_TRUE(crossbar.quiet());
}

// A slice in front of a memory that is asked by hand.
class Slice {
 public:
  explicit Slice(const golden::L2Params& p)
      : slice(p, 128, 8,
              {[this](bool, std::uint64_t, std::uint32_t) { return ready; },
               [this](bool write, std::uint64_t line, std::uint32_t sectors) {
                 asked.push_back({write, line, sectors});
               }}) {}

  void ask(std::uint64_t line, std::uint32_t sectors, golden::RequestKind kind = golden::RequestKind::load) {
    MemoryPacket one;
    one.request.id = ids++;
    one.request.mask = sectors;
    one.request.kind = kind;
    one.request.writes = kind == golden::RequestKind::store;
    slice.push(one, line, now);
  }
  // Ids of the answers in the next cycles.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> run(int cycles) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
    for (int n = 0; n < cycles; ++n, ++now) {
      slice.tick(now);
      if (slice.answer()) out.emplace_back(now, slice.answer()->request.id), slice.pop();
    }
    return out;
  }

  struct Asked {
    bool write;
    std::uint64_t line;
    std::uint32_t sectors;
    bool operator==(const Asked&) const = default;
  };
  bool ready = true;
  std::vector<Asked> asked;
  std::uint64_t ids = 0, now = 0;
  L2Slice slice;
};

TEST(L2Slice, HitsAfterItsLatencyOneSectorACycle) {
  Slice s({.latency = 10});
  s.ask(5, 0xF, golden::RequestKind::store);
  s.run(20);
  s.ask(5, 0xF);
  s.ask(5, 0x1);
  s.ask(5, 0x3);
  const std::uint64_t from = s.now + 10;
  // Four sectors hold the port for four cycles, one for one.
  EXPECT_THAT(s.run(30), testing::ElementsAre(testing::Pair(from, 1), testing::Pair(from + 4, 2),
                                              testing::Pair(from + 5, 3)));
  EXPECT_TRUE(s.asked.empty()) << "a store of whole sectors fetches nothing";
  EXPECT_EQ(s.slice.counters().hits, 3u);
}

TEST(L2Slice, MissesWaitTogetherAndFetchEachSectorOnce) {
  Slice s({});
  s.ask(7, 0x3);
  s.ask(7, 0x6);
  s.ask(7, 0x1);
  EXPECT_THAT(s.run(10), testing::IsEmpty());
  EXPECT_THAT(s.asked, testing::ElementsAre(Slice::Asked{false, 7, 0x3}, Slice::Asked{false, 7, 0x4}));
  s.slice.filled(7, 0x3);
  EXPECT_EQ(s.run(4).size(), 2u);
  s.slice.filled(7, 0x4);
  EXPECT_THAT(s.run(4), testing::ElementsAre(testing::Pair(14, 1)));
  EXPECT_EQ(s.slice.counters().missed_bytes, 3u * 32);
}

TEST(L2Slice, WithoutAnMshrTheQueueStands) {
  Slice s({.mshrs = 2});
  for (const std::uint64_t line : {1, 2, 3}) s.ask(line, 0x1);
  s.run(10);
  EXPECT_EQ(s.asked.size(), 2u);
  EXPECT_EQ(s.slice.counters().fails, 8u);
  s.slice.filled(1, 0x1);
  s.run(2);
  EXPECT_EQ(s.asked.size(), 3u);
}

// The least recently used line goes, and is written back if it is dirty; a line that is waited for stays.
TEST(L2Slice, ReplacesTheLeastRecentlyUsedAndWritesItBack) {
  Slice s({.sets = 2, .ways = 2});
  s.ask(0, 0x3, golden::RequestKind::store);
  s.ask(2, 0xF, golden::RequestKind::store);
  s.ask(0, 0x1);
  s.run(10);
  s.ask(4, 0xF, golden::RequestKind::store);
  s.run(10);
  EXPECT_THAT(s.asked, testing::ElementsAre(Slice::Asked{true, 2, 0xF}));
  s.ask(6, 0x1);
  s.run(5);
  s.ask(8, 0x1);
  s.run(5);
  s.ask(10, 0x1);  // both ways are waited for
  s.run(5);
  EXPECT_THAT(s.asked, testing::ElementsAre(Slice::Asked{true, 2, 0xF}, Slice::Asked{true, 0, 0x3},
                                            Slice::Asked{false, 6, 0x1}, Slice::Asked{true, 4, 0xF},
                                            Slice::Asked{false, 8, 0x1}));
  EXPECT_EQ(s.slice.counters().fails, 5u);
  EXPECT_EQ(s.slice.counters().written_back, (4u + 2 + 4) * 32);
}

TEST(L2Slice, AFlushForgetsLines) {
  Slice s({});
  s.ask(5, 0xF, golden::RequestKind::store);
  s.run(5);
  s.slice.flush();
  s.ask(5, 0x1);
  s.run(5);
  EXPECT_EQ(s.asked, (std::vector<Slice::Asked>{{false, 5, 0x1}}));
}

TEST(L2Slice, SectorsMayBeServedOneByOne) {
  Slice s({.split_sectors = true});
  s.ask(3, 0xF, golden::RequestKind::store);
  EXPECT_EQ(s.run(10).size(), 4u);
  EXPECT_EQ(s.slice.counters().accesses, 4u);
}

// 256-byte blocks go round the slices; the lines of a slice are numbered without gaps.
TEST(L2Slice, LinesOfASliceAreNumberedInTurn) {
  std::map<int, std::uint64_t> next;
  for (std::uint64_t address = 0; address < 12 * 256 * 10; address += 128) {
    const int slice = static_cast<int>(address / 256 % 12);
    EXPECT_EQ(L2Slice::local_line(address, 12, 128), next[slice]++);
  }
}

}  // namespace
