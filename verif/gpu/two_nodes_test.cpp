// A memory of two nodes: latencies of hits, misses and the link, bandwidths, where pages go, and the inputs
// of page placement.
#include "golden/gpu/two_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "verif/gpu/memory_driver.h"

namespace {

using golden::RequestKind;
using golden::TwoNodes;
using golden::TwoNodesParams;
using verif::SentDown;

using Access = golden::MemorySide::Access;

TwoNodesParams fixed(double ratio, int sms = 1) {
  TwoNodesParams p;
  p.blpp.mode = hw::BlppMode::fixed;
  p.blpp.ratio = ratio;
  p.sms = sms;
  return p;
}

// Lines one after the other, each requested once, of an SM's own.
std::vector<std::vector<SentDown>> stream(int sms, int lines) {
  std::vector<std::vector<SentDown>> requests(static_cast<std::size_t>(sms));
  for (std::size_t sm = 0; sm < requests.size(); ++sm)
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(lines); ++i)
      requests[sm].push_back({128 * (sm + requests.size() * i), 0b1111});
  return requests;
}

}  // namespace

TEST(TwoNodes, LatenciesOfMissHitAndLink) {
  // In the bank or the link's port in cycle 2, served in it; of 285.7 bytes a cycle 128 move in one.
  TwoNodes gpu(fixed(1));
  EXPECT_EQ(verif::send_down(gpu, {{{0, 1}}}).answered[0][0], 2 + 100 + 120);
  EXPECT_EQ(verif::send_down(gpu, {{{0, 1}}}).answered[0][0], 2 + 120);
  TwoNodes cpu(fixed(0));
  EXPECT_EQ(verif::send_down(cpu, {{{0, 1}}}).answered[0][0], 2 + 100 + 100);
}

TEST(TwoNodes, AHitOnALineOnItsWayWaitsForIt) {
  TwoNodes memory(fixed(1, 2));
  const auto seen = verif::send_down(memory, {{{0, 1}}, {{0, 1}}});
  EXPECT_EQ(seen.answered[0][0], 222);
  EXPECT_EQ(seen.answered[1][0], 222);
  EXPECT_EQ(memory.figures()->gpu_bytes, 128u);
  EXPECT_EQ(memory.figures()->a2, 2u);
  EXPECT_EQ(memory.figures()->m2, 1u);
}

TEST(TwoNodes, NodesMoveWhatTheirBandwidthsAllow) {
  constexpr int sms = 15, lines = 600;
  const auto bytes_a_cycle = [&](double ratio) {
    TwoNodes memory(fixed(ratio, sms));
    return 128.0 * sms * lines / verif::send_down(memory, stream(sms, lines)).cycles;
  };
  EXPECT_NEAR(bytes_a_cycle(1), 200 / 0.7, 18);
  EXPECT_NEAR(bytes_a_cycle(0), 80 / 0.7, 6);
  // Both together: at most 280 GB/s where pages are shared as bandwidths are.
  EXPECT_GT(bytes_a_cycle(200.0 / 280), 1.1 * 200 / 0.7);
}

TEST(TwoNodes, PagesStayWhereTheyWerePlacedOneACycle) {
  TwoNodes memory(fixed(0.5));
  golden::Blpp unit(fixed(0.5).blpp);
  std::map<std::uint64_t, Access> placed;
  for (std::uint64_t page = 0; page < 100; ++page) {
    const bool cpu = unit.place_cpu({.request = true});
    placed[page] = memory.access(4096 * page + 8 * page);
    EXPECT_EQ(placed[page], cpu ? Access::uncached : Access::cached);
    EXPECT_EQ(memory.access(4096 * (page + 1)), Access::waits) << "a page was placed in this cycle";
    EXPECT_EQ(memory.access(4096 * page), placed[page]);
    memory.tick();
    unit.edge({.request = true});
  }
  for (const auto& [page, access] : placed) EXPECT_EQ(memory.access(4096 * page + 4095), access);
  const auto figures = memory.figures();
  EXPECT_EQ(figures->gpu_pages + figures->cpu_pages, 100u);
  EXPECT_GT(figures->cpu_pages, 30u);
}

// A stream with misses alone: traffic above the limit and CPU pages hardly slower, so that pages are shared
// from the second period on; with hits in the L1s they are not.
TEST(TwoNodes, PlacementFollowsWhatIsCounted) {
  for (const bool hits : {false, true}) {
    TwoNodesParams p;
    p.sms = 15;
    p.blpp.period = 1024;
    TwoNodes memory(p);
    verif::send_down(memory, stream(15, 700), 12, [&](int) {
      for (int i = 0; i < 15; ++i) memory.load_left(!hits);
    });
    const auto figures = memory.figures();
    ASSERT_EQ(figures->parts.size(), hits ? 1u : 2u);
    EXPECT_EQ(figures->parts[0], std::pair(std::uint64_t{0}, std::uint64_t{65536}));
    if (hits) continue;
    EXPECT_EQ(figures->parts[1], std::pair(std::uint64_t{1024 + 63}, std::uint64_t{46811}));
    EXPECT_GT(figures->cpu_pages, 0u);
  }
}

TEST(TwoNodes, FlitsOfRequestsAndReplies) {
  TwoNodes memory(fixed(1));
  verif::send_down(memory, {{{0, 0b1111}, {128, 0b11, RequestKind::store}, {256, 0b1, RequestKind::atomic}}});
  EXPECT_EQ(memory.figures()->flits, (1u + 4) + (2 + 1) + (1 + 1));
}

TEST(TwoNodes, WrittenChunksGoToTheNodeWhenTheirLineDoes) {
  TwoNodes memory(fixed(1));
  // Nine lines of one set of eight ways: 64 sets of 16 banks.
  std::vector<SentDown> stores;
  for (std::uint64_t i = 0; i < 9; ++i) stores.push_back({128 * 16 * 64 * i, 0b11, RequestKind::store});
  verif::send_down(memory, {stores});
  EXPECT_EQ(memory.figures()->gpu_bytes, 64u) << "no line was fetched, one written back";
}
