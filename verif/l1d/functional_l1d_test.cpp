// The untimed L1 data cache against a second, plain model, and against cases worked out by hand.
#include "golden/cache/functional_l1d.h"

#include <gmock/gmock.h>

#include "golden/l1d/functional_bench.h"
#include "verif/l1d/golden_reference.h"
#include "verif/parameters/golden_parameters.h"

namespace {

using golden::FunctionalL1d, golden::Request, golden::RequestKind, golden::Result;
using testing::ElementsAre;

Request random_request(const hw::L1dParams& p, verif::Draw& draw) {
  Request request{.mask = verif::random_mask(p, draw), .address = verif::random_address(p, draw)};
  if (draw.percent(12)) request.kind = static_cast<RequestKind>(1 + draw.below(3));
  return request;
}

std::vector<std::uint64_t> present_lines(const verif::ReferenceL1d& plain) {
  std::vector<std::uint64_t> lines;
  for (const auto& set : plain.sets)
    for (const auto& way : set)
      if (!way.present.empty()) lines.push_back(plain.index.address_of(way.block));
  return lines;
}

void expect_same_counts(const FunctionalL1d& fast, const verif::ReferenceL1d& plain) {
  for (const auto& [name, counter] : golden::counter_names)
    EXPECT_EQ(fast.counters().*counter, plain.counters.*counter) << name;
  EXPECT_THAT(fast.set_loads(), testing::ElementsAreArray(plain.set_loads));
  EXPECT_THAT(fast.chunk_use(), testing::ElementsAreArray(plain.chunk_use));
  EXPECT_THAT(fast.resident_lines(), testing::UnorderedElementsAreArray(present_lines(plain)));
}

void equals_the_plain_model(verif::Draw draw, int configurations, hw::L1dParams (*random)(verif::Draw&)) {
  for (int configuration = 0; configuration < configurations; ++configuration) {
    const auto p = random(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    const auto fast = FunctionalL1d::make(p);
    verif::ReferenceL1d plain(p);
    for (int batch = 0; batch < 40; ++batch) {
      std::vector<Request> requests(draw.below(300));  // more than one inner batch, now and then
      std::vector<Result> results(requests.size());
      for (auto& request : requests) request = random_request(p, draw);
      fast->access(requests, results.data());
      for (size_t i = 0; i < requests.size(); ++i)
        ASSERT_EQ(results[i], plain.access(requests[i])) << "batch " << batch << " request " << i;
      if (!requests.empty()) {
        const auto lines = present_lines(plain);
        const std::uint64_t address = plain.index.address_of(plain.index.block_of(requests[0].address));
        EXPECT_EQ(fast->holds(requests[0].address), std::ranges::count(lines, address) == 1);
      }
      if (draw.percent(5)) {
        fast->flush();
        plain.flush();
      }
    }
    expect_same_counts(*fast, plain);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(FunctionalL1d, EqualsThePlainModel) { equals_the_plain_model(verif::Draw(7), 120, verif::random_l1d); }

TEST(FunctionalL1d, EqualsThePlainModelOfManyWays) {
  equals_the_plain_model(verif::Draw(8), 60, verif::random_wide_l1d);
}

// One set of 512 lines is a list in order of use: of 513 lines in turn each misses, of 512 none.
TEST(FunctionalL1d, OneSetHoldsWhatWasUsedLast) {
  for (const hw::Replacement replacement : {hw::Replacement::lru, hw::Replacement::nru}) {
    hw::L1dParams p{.capacity_bytes = 65536, .ways = 512, .replacement = replacement};
    p.index.sets = 1;
    const auto cache = FunctionalL1d::make(p);
    std::vector<Request> turn;
    for (std::uint64_t line = 0; line < 512; ++line)
      turn.push_back({.mask = 15, .address = 128 * 4096 * line});
    std::vector<Result> results(turn.size());
    cache->access(turn, results.data());
    cache->access(turn, results.data());
    EXPECT_EQ(std::ranges::count(results, Result::hit), 512);
    if (replacement != hw::Replacement::lru) continue;
    turn.push_back({.mask = 15, .address = 128 * 4096 * 512});
    results.resize(turn.size());
    cache->access(turn, results.data());
    cache->access(turn, results.data());
    EXPECT_EQ(std::ranges::count(results, Result::miss), 513);
  }
}

std::string serve(FunctionalL1d& cache, const std::vector<Request>& requests) {
  std::vector<Result> results(requests.size());
  cache.access(requests, results.data());
  std::string letters;
  for (const Result result : results) letters += static_cast<char>(result);
  return letters;
}

constexpr Request load(std::uint64_t address, std::uint32_t mask = 15) {
  return {.kind = RequestKind::load, .mask = mask, .address = address};
}
constexpr Request store(std::uint64_t address, std::uint32_t mask = 15) {
  return {.kind = RequestKind::store, .mask = mask, .address = address};
}
constexpr std::uint64_t set_stride = 4096;  // of the reference cache

TEST(FunctionalL1d, ReferenceCacheEvictsTheLeastRecentlyUsed) {
  const auto cache = FunctionalL1d::make({});
  EXPECT_EQ(serve(*cache, {load(0), load(set_stride), load(2 * set_stride), load(3 * set_stride), load(0, 1),
                           load(4 * set_stride), load(0), load(set_stride)}),
            "MMMMHMHM");
  EXPECT_EQ(cache->counters().evicted_lines, 2u);
  EXPECT_EQ(cache->counters().evicted_chunks, 8u);
  EXPECT_EQ(cache->counters().chunks_requested, 24u);
  EXPECT_EQ(cache->set_loads()[0], 8u);
}

TEST(FunctionalL1d, NruWrapsWhenEveryWayWasUsed) {
  hw::L1dParams p;
  p.replacement = hw::Replacement::nru;
  const auto cache = FunctionalL1d::make(p);
  // The fourth load sets the last bit: all become 0, so ways 0 and 1 are the next two victims.
  EXPECT_EQ(serve(*cache, {load(0), load(set_stride), load(2 * set_stride), load(3 * set_stride),
                           load(4 * set_stride), load(0), load(2 * set_stride), load(3 * set_stride)}),
            "MMMMMMHH");
}

// Two lines that were hit outlast six lines that are used once; with LRU a scan of two takes them.
TEST(FunctionalL1d, SrripKeepsReusedLinesThroughAScan) {
  std::vector<Request> list{load(0), load(set_stride), load(0), load(set_stride)};
  for (std::uint64_t i = 2; i < 8; ++i) list.push_back(load(i * set_stride));
  std::vector<Request> again = list;
  again.insert(again.end(), {load(0), load(set_stride)});
  hw::L1dParams p;
  EXPECT_EQ(serve(*FunctionalL1d::make(p), again), "MMHHMMMMMMMM");
  p.replacement = hw::Replacement::srrip;
  EXPECT_EQ(serve(*FunctionalL1d::make(p), again), "MMHHMMMMMMHH");
  // The seventh finds RRPVs of 2 alone: all become 3, and the lowest way goes.
  list.insert(list.end(), {load(8 * set_stride), load(set_stride), load(0), load(8 * set_stride)});
  EXPECT_EQ(serve(*FunctionalL1d::make(p), list), "MMHHMMMMMMMHMH");
}

TEST(FunctionalL1d, RandomVictimsFollowTheLfsr) {
  hw::L1dParams p;
  p.replacement = hw::Replacement::random;
  const auto cache = FunctionalL1d::make(p);
  std::vector<Request> fill;
  for (std::uint64_t i = 0; i < 4; ++i) fill.push_back(load(i * set_stride));
  serve(*cache, fill);
  // 0xACE1 mod 4 = 1, then 0x5670 mod 4 = 0.
  EXPECT_EQ(serve(*cache, {load(4 * set_stride), load(5 * set_stride), load(2 * set_stride),
                           load(3 * set_stride), load(4 * set_stride), load(5 * set_stride)}),
            "MMHHHH");
  EXPECT_FALSE(cache->holds(0));
  EXPECT_FALSE(cache->holds(set_stride + 4));
  EXPECT_TRUE(cache->holds(5 * set_stride + 100));
}

TEST(FunctionalL1d, SectorsMissOneByOne) {
  hw::L1dParams p;
  p.tags = hw::TagKind::sectored;
  const auto cache = FunctionalL1d::make(p);
  EXPECT_EQ(serve(*cache, {load(0, 1), load(0, 1), load(0, 3), load(0, 8), load(0, 15), load(0, 15)}),
            "MHPMPH");
  EXPECT_EQ(cache->counters().chunks_requested, 4u);
  EXPECT_EQ(cache->counters().evicted_lines, 0u);
}

TEST(FunctionalL1d, StoresInvalidateTheLineOrTheirChunks) {
  hw::L1dParams p;
  p.tags = hw::TagKind::sectored;
  const auto line = FunctionalL1d::make(p);
  EXPECT_EQ(serve(*line, {load(0, 7), store(0, 1), store(0, 1), load(0, 4)}), "MssM");
  EXPECT_EQ(line->counters().store_invalidations, 1u);
  p.store_scope = hw::StoreScope::mask;
  const auto mask = FunctionalL1d::make(p);
  EXPECT_EQ(serve(*mask, {load(0, 7),
                          store(0, 1),
                          store(0, 9),
                          load(0, 4),
                          load(0, 3),
                          store(0, 15),
                          load(0, 2),
                          {.kind = RequestKind::atomic, .mask = 2},
                          {.kind = RequestKind::non_l1, .mask = 2}}),
            "MssHPsMan");
  EXPECT_EQ(mask->counters().store_invalidations, 3u);
}

TEST(FunctionalL1d, ChunkUseCountsLinesThatAreGone) {
  const auto cache = FunctionalL1d::make({});
  serve(*cache, {load(0, 1), load(0, 2), load(128, 15), store(128), load(256, 4), store(256), load(384, 1)});
  EXPECT_THAT(cache->chunk_use(), ElementsAre(0, 1, 0, 0, 1));
  cache->flush();
  EXPECT_THAT(cache->chunk_use(), ElementsAre(0, 2, 1, 0, 1));
  EXPECT_TRUE(cache->resident_lines().empty());
  EXPECT_EQ(cache->counters().flushes, 1u);
}

TEST(FunctionalL1d, BenchmarkKnowsItsHitRates) {
  const auto speeds = golden::functional_speed({}, 1);
  EXPECT_EQ(speeds[0].hit_rate, 0);
  EXPECT_NEAR(speeds[1].hit_rate, 0.25, 0.01);
  EXPECT_EQ(speeds[2].hit_rate, 0);
  for (const auto& speed : speeds) EXPECT_GT(speed.per_second, 1e6) << speed.pattern;
}

}  // namespace
