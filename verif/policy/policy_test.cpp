// Bypass policies of a test's own in the golden models: each question and each message of the interface, on
// every tag organisation, with time and without.
#include "golden/policy/policy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "golden/cache/adaptive.h"
#include "golden/l1d/functional_store.h"
#include "golden/tags/split_tags.h"
#include "verif/l1d/golden_bench.h"
#include "verif/l1d/golden_environment.h"
#include "verif/parameters/reuse_filter_parameters.h"
#include "verif/parameters/split_parameters.h"

namespace {

using golden::Place, golden::PolicyLoad, golden::Request, golden::RequestKind, golden::Result, golden::Stall;
using testing::ElementsAre;

// In the place of any reservation fail.
class OfStalls : public golden::Policy {
  bool in_place_of_fail(const PolicyLoad&) const override { return true; }
};

// Before the lookup, by a bit of the line's address.
class OfLines : public golden::Policy {
  bool before_lookup(const PolicyLoad& load) const override { return load.address >> 8 & 1; }
};

// Some of the ways, and no others.
class OfWays : public golden::Policy {
 public:
  OfWays(std::uint32_t open, bool bypasses) : open_(open), bypasses_(bypasses) {}
  std::uint64_t open_ways(unsigned) const override { return open_; }
  bool in_place_of_allocation(const PolicyLoad&) const override { return bypasses_; }

 private:
  const std::uint32_t open_;
  const bool bypasses_;
};

// Records its calls.
class Diary : public golden::Policy {
 public:
  explicit Diary(std::vector<std::string>& lines) : lines_(lines) {}
  void served(const PolicyLoad& load, Result result, Place matched, bool reserved) override {
    lines_.push_back(fmt::format("load {} {} {}{}", load.set, static_cast<char>(result), way(matched),
                                 reserved ? " reserved" : ""));
  }
  void invalidated(unsigned set, Place place) override {
    lines_.push_back(fmt::format("gone {} {}", set, way(place)));
  }
  void filled(unsigned set, Place place) override {
    lines_.push_back(fmt::format("fill {} {}", set, way(place)));
  }
  void flushed() override { lines_.push_back("flush"); }

 private:
  static std::string way(Place place) { return place == golden::nowhere ? "-" : fmt::format("{}", place); }
  std::vector<std::string>& lines_;
};

constexpr hw::TagKind all_kinds[] = {hw::TagKind::conventional, hw::TagKind::sectored, hw::TagKind::split,
                                     hw::TagKind::reuse_filter};

hw::L1dParams cache_of(hw::TagKind kind) {
  hw::L1dParams p;
  p.tags = kind;
  p.reuse.threshold = 0;
  return p;
}

hw::L1dParams random_cache(verif::Draw& draw) {
  switch (draw.below(3)) {
    case 0:
      return verif::random_l1d(draw);
    case 1:
      return verif::random_split(draw);
    default:
      return verif::random_reuse_l1d(draw);
  }
}

// All that a bypass must leave as it is.
std::vector<std::uint64_t> state_of(const golden::CycleL1d& cache, const hw::L1dParams& p) {
  std::vector<std::uint64_t> state{cache.tags().lfsr()};
  const bool split = p.tags == hw::TagKind::split;
  for (unsigned set = 0; set < static_cast<unsigned>(hw::sets_of(p)); ++set) {
    if (split) {
      const auto& bits = static_cast<const golden::SplitTags&>(cache.tags()).bits(set);
      state.insert(state.end(), {bits.valid, bits.busy, bits.nru});
    }
    for (unsigned w = 0; !split && w < static_cast<unsigned>(p.ways); ++w) {
      const auto way = cache.way(set, w);
      state.insert(state.end(), {way.tag, way.valid, way.busy, way.order});
    }
  }
  for (unsigned e = 0; e < static_cast<unsigned>(p.mshr_entries); ++e) {
    const auto entry = cache.entry(e);
    state.insert(state.end(), {entry.in_use, entry.pending, entry.poisoned, entry.wake, entry.count});
  }
  return state;
}

TEST(Policy, KindNoneIsNone) { EXPECT_EQ(golden::Policy::make(hw::L1dParams{}), nullptr); }

// Each cause of a reservation fail in turn, the last of which no policy may touch.
TEST(Policy, TakesThePlaceOfEachFailAndChangesNothing) {
  for (const hw::TagKind kind : all_kinds)
    for (const std::string cause : {"line", "mshr", "merge", "doomed"}) {
      SCOPED_TRACE(fmt::format("kind {}, {}", static_cast<int>(kind), cause));
      hw::L1dParams p = cache_of(kind);
      p.ways = 1;
      p.capacity_bytes = 4096;
      p.reuse.ways = 4;
      p.split.groups = 1;
      if (cause == "mshr") p.mshr_entries = 1;
      if (cause == "merge") p.mshr_merges = 1;
      verif::CaseBench bench(p, std::make_unique<OfStalls>());
      bench.load(1, 0);
      if (cause == "doomed") bench.store(2, 0);
      bench.tick(10);
      const auto before = state_of(bench.cache, p);
      const auto sent = bench.down.size();
      const std::uint64_t address = cause == "line" ? 4096 : cause == "mshr" ? 128 : 0;
      bench.load(3, address, 5);
      bench.tick(8);
      EXPECT_EQ(bench.cache.counters().bypasses, 1u);
      EXPECT_EQ(state_of(bench.cache, p), before);
      EXPECT_EQ(bench.cache.counters().reservation_fail_line, 0u);
      EXPECT_EQ(bench.cache.counters().reservation_fail_mshr, 0u);
      EXPECT_EQ(bench.cache.counters().reservation_fail_merge, 0u);
      ASSERT_EQ(bench.down.size(), sent + 1);
      EXPECT_EQ(bench.down.back().mask, 5u);
      EXPECT_EQ(bench.down.back().address, address);
      bench.answer(sent, 42);
      bench.tick(4);
      EXPECT_THAT(bench.answered(), ElementsAre(3));
      EXPECT_EQ(bench.answers[0].word, 42u);
    }
}

// With split tags a load that makes its plan has not failed yet.
TEST(Policy, WaitsForAPlan) {
  verif::CaseBench bench(cache_of(hw::TagKind::split), std::make_unique<OfStalls>());
  bench.load(1, 0);
  bench.tick(10);
  EXPECT_EQ(bench.cache.counters().misses, 1u);
  EXPECT_EQ(bench.cache.counters().bypasses, 0u);
}

// Without a slot in the miss queue the load waits for that alone.
TEST(Policy, NeedsAPlaceInTheMissQueue) {
  hw::L1dParams p = cache_of(hw::TagKind::conventional);
  p.mshr_entries = p.miss_queue = 1;
  verif::CaseBench bench(p, std::make_unique<OfStalls>());
  bench.memory_ready = false;
  bench.load(1, 0);
  bench.load(2, 128);
  bench.tick(8);
  EXPECT_EQ(bench.cache.last_probe().stall, Stall::queue);
  EXPECT_GT(bench.cache.counters().reservation_fail_queue, 2u);
  EXPECT_EQ(bench.cache.counters().reservation_fail_mshr, 0u);
  bench.memory_ready = true;
  bench.tick(4);
  EXPECT_EQ(bench.cache.counters().bypasses, 1u);
}

TEST(Policy, BeforeTheLookupNobodySeesTheLoad) {
  for (const hw::TagKind kind : all_kinds) {
    hw::L1dParams p = cache_of(kind);
    p.index.kind = hw::IndexKind::adi;
    p.adaptive = {.period = 16, .counter_bits = 4, .idle = 0};
    verif::CaseBench bench(p, std::make_unique<OfLines>());
    const auto before = state_of(bench.cache, p);
    for (std::uint32_t i = 0; i < 40; ++i) bench.load(i, 256 + 512 * i);
    bench.tick(100);
    EXPECT_EQ(bench.cache.counters().bypasses, 40u);
    EXPECT_EQ(state_of(bench.cache, p), before);
    EXPECT_EQ(bench.cache.monitor<golden::AdaptiveIndex>()->step(), golden::AdiMonitor::Step::victimization);
    for (std::uint32_t i = 0; i < 16; ++i) bench.load(100 + i, 512 * i);
    bench.tick(100);
    EXPECT_NE(bench.cache.monitor<golden::AdaptiveIndex>()->step(), golden::AdiMonitor::Step::victimization);
  }
}

TEST(Policy, OpenWaysAloneAreTaken) {
  for (const auto replacement :
       {hw::Replacement::lru, hw::Replacement::nru, hw::Replacement::random, hw::Replacement::srrip}) {
    hw::L1dParams p = cache_of(hw::TagKind::sectored);
    p.replacement = replacement;
    verif::CaseBench bench(p, std::make_unique<OfWays>(0b0110, true));
    for (std::uint64_t i = 0; i < 20; ++i) bench.bring(i * 4096);
    for (unsigned w = 0; w < 4; ++w) EXPECT_EQ(bench.cache.way(0, w).valid != 0, w == 1 || w == 2);
    EXPECT_EQ(bench.cache.counters().evicted_lines, 18u);
    for (std::uint32_t i = 0; i < 3; ++i) bench.load(i, (100 + i) * 4096);
    bench.tick(10);
    EXPECT_EQ(bench.cache.counters().bypasses, 1u) << "both are reserved";
    EXPECT_EQ(bench.cache.counters().reservation_fail_line, 0u);
  }
  verif::CaseBench refuses(cache_of(hw::TagKind::conventional), std::make_unique<OfWays>(0, false));
  refuses.load(1, 0);
  refuses.tick(6);
  EXPECT_EQ(refuses.cache.last_probe().stall, Stall::line);
}

TEST(Policy, IsNotifiedOfLines) {
  hw::L1dParams p = cache_of(hw::TagKind::sectored);
  p.store_scope = hw::StoreScope::mask;
  std::vector<std::string> lines;
  verif::CaseBench bench(p, std::make_unique<Diary>(lines));
  bench.load(1, 0, 1);
  bench.load(2, 0, 1);
  bench.tick(6);
  bench.answer(0);
  bench.tick(6);
  bench.bring(4096, 0, 3);
  bench.load(3, 0, 1);
  bench.store(4, 4096, 1);
  bench.store(5, 4096, 2);
  bench.tick(8);
  bench.flush = true;
  bench.tick(3);
  EXPECT_THAT(lines, ElementsAre("load 0 M -", "load 0 W 0 reserved", "fill 0 0", "load 0 M -", "fill 0 1",
                                 "load 0 H 0", "gone 0 1", "flush"));
}

// With any bypasses, every load is answered once, with data that is new enough.
TEST(Policy, RandomTrafficIsAnsweredOnceAndRight) {
  verif::Draw draw(71);
  std::map<hw::TagKind, std::uint64_t> stalled, unseen;
  for (int configuration = 0; configuration < 120; ++configuration) {
    const hw::L1dParams p = random_cache(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    const bool stalls = draw.percent(60);
    std::unique_ptr<golden::Policy> policy;
    if (stalls)
      policy = std::make_unique<OfStalls>();
    else
      policy = std::make_unique<OfLines>();
    verif::GoldenEnvironment environment(p, std::move(policy), draw.bits(), {.flush = 4, .loads = 85});
    environment.run(2'000);
    environment.drain();
    const golden::L1dCounters& c = environment.cache.counters();
    EXPECT_EQ(c.loads, c.hits + c.hit_pending + c.partial_misses + c.misses + c.bypasses);
    EXPECT_EQ(environment.bypasses, c.bypasses);
    (stalls ? stalled : unseen)[p.tags] += c.bypasses;
    if (HasFailure()) return;
  }
  for (const hw::TagKind kind : all_kinds) {
    EXPECT_GT(stalled[kind], 100u);
    EXPECT_GT(unseen[kind], 100u);
  }
}

std::string letters(golden::FunctionalL1d& cache, const std::vector<Request>& requests) {
  std::vector<Result> results(requests.size());
  cache.access(requests, results.data());
  std::string text;
  for (const Result result : results) text += static_cast<char>(result);
  return text;
}

// A stall counts only where the load would reserve something, and only with a policy.
TEST(PolicyUntimed, TakesThePlaceOfStalls) {
  const std::vector<Request> requests{{.stalls = true, .mask = 3, .address = 0},
                                      {.mask = 3, .address = 0},
                                      {.stalls = true, .mask = 3, .address = 0},
                                      {.stalls = true, .mask = 5, .address = 128},
                                      {.kind = RequestKind::store, .stalls = true, .mask = 1, .address = 0}};
  for (const hw::TagKind kind : all_kinds) {
    const hw::L1dParams p = cache_of(kind);
    golden::FunctionalStore with(p, std::make_unique<OfStalls>()), without(p, nullptr);
    EXPECT_EQ(letters(with, requests), "BMHBs");
    EXPECT_EQ(letters(without, requests), "MHHMs");
    EXPECT_EQ(letters(*golden::FunctionalL1d::make(p), requests), "MHHMs");
    EXPECT_EQ(with.counters().bypasses, 2u);
    EXPECT_EQ(with.counters().requests_down, 3u);
    EXPECT_EQ(with.counters().fills, 1u);
    EXPECT_EQ(with.resident_lines(), std::vector<std::uint64_t>{});
  }
}

TEST(PolicyUntimed, AsksOfDegreeAndWays) {
  class Wide : public golden::Policy {
    bool before_lookup(const PolicyLoad& load) const override {
      return load.sideband.degree > 2 && !load.sideband.first;
    }
  };
  const std::vector<Request> requests{{.mask = 1, .address = 0, .sideband = {.degree = 3}},
                                      {.mask = 1, .address = 0, .sideband = {.degree = 3, .first = false}},
                                      {.mask = 1, .address = 0, .sideband = {.degree = 2, .first = false}}};
  for (const hw::TagKind kind : all_kinds) {
    golden::FunctionalStore cache(cache_of(kind), std::make_unique<Wide>());
    EXPECT_EQ(letters(cache, requests), "MBH");
  }
  golden::FunctionalStore closed(cache_of(hw::TagKind::conventional), std::make_unique<OfWays>(0, true));
  EXPECT_EQ(letters(closed, requests), "BBB");
  golden::FunctionalStore patient(cache_of(hw::TagKind::conventional), std::make_unique<OfWays>(0, false));
  EXPECT_EQ(letters(patient, requests), "MHH");
  std::vector<std::string> lines;
  golden::FunctionalStore reported(cache_of(hw::TagKind::conventional), std::make_unique<Diary>(lines));
  letters(reported,
          {{.mask = 1, .address = 4096}, {.kind = RequestKind::atomic, .mask = 1, .address = 4096}});
  reported.flush();
  EXPECT_THAT(lines, ElementsAre("load 0 M -", "fill 0 0", "gone 0 0", "flush"));
}

// An adaptive index observes the loads that were looked up, and no others.
TEST(PolicyUntimed, BeforeTheLookupNoMonitorSeesTheLoad) {
  hw::L1dParams p;
  p.index.kind = hw::IndexKind::adi;
  p.adaptive = {.period = 64, .counter_bits = 6, .idle = 0};
  golden::FunctionalStore mixed(p, std::make_unique<OfLines>()), alone(p, nullptr);
  verif::Draw draw(5);
  for (int i = 0; i < 20'000; ++i) {
    const Request request{.mask = 1, .address = draw.below(1 << 12) << 9};
    Request other = request;
    other.address |= 256;
    letters(mixed, {request, other});
    letters(alone, {request});
  }
  EXPECT_GT(alone.adi_events().changed, 3);
  EXPECT_EQ(mixed.adi_events().changed, alone.adi_events().changed);
  EXPECT_EQ(mixed.counters().hits, alone.counters().hits);
  EXPECT_EQ(mixed.counters().bypasses, 20'000u);
}

}  // namespace
