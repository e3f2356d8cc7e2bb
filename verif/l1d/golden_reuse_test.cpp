// The golden cycle model with the reuse-count filter alone, in random surroundings and one request at a time;
// and cases of docs/l1d-reuse-filter.md worked out by hand.
#include <gmock/gmock.h>

#include "golden/l1d/cycle_reuse.h"
#include "golden/l1d/functional_l1d.h"
#include "verif/l1d/golden_bench.h"
#include "verif/l1d/golden_environment.h"
#include "verif/l1d/golden_one_at_a_time.h"
#include "verif/l1d/reuse_parameters.h"

namespace {

using golden::CycleReuse, golden::L1dCounters, golden::Request, golden::RequestKind, golden::Stall;

verif::Traffic random_traffic(verif::Draw& draw) {
  const auto some = [&] { return static_cast<unsigned>(draw.percent(40) ? 100 : draw.between(10, 100)); };
  return {.request = some(),
          .response_ready = some(),
          .memory_ready = some(),
          .memory_answers = some(),
          .flush = static_cast<unsigned>(draw.between(0, 20)),
          .loads = static_cast<unsigned>(draw.between(40, 100)),
          .latency = static_cast<unsigned>(draw.between(0, 60))};
}

TEST(GoldenCycleReuse, AnswersEverythingOnceAndRight) {
  verif::Draw draw(41);
  L1dCounters all;
  std::map<Stall, int> stalls;
  for (int configuration = 0; configuration < 100; ++configuration) {
    const auto p = verif::random_reuse_l1d(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    verif::Surroundings environment(p, draw.bits(), random_traffic(draw));
    environment.run(3'000);
    environment.drain();
    const L1dCounters& c = environment.cache.counters();
    EXPECT_EQ(c.accesses, c.loads + c.stores + c.atomics + c.non_l1);
    EXPECT_EQ(c.loads, c.hits + c.hit_pending + c.misses + c.bypasses);
    EXPECT_EQ(c.requests_down, c.misses + c.bypasses);
    EXPECT_EQ(c.fills, c.misses);
    EXPECT_EQ(environment.fetches, c.misses);
    EXPECT_EQ(environment.bypasses, c.bypasses);
    EXPECT_LE(c.evicted_lines, c.loads);
    for (const auto& [name, counter] : golden::counter_names) all.*counter += c.*counter;
    for (const auto& [stall, cycles] : environment.stalls) stalls[stall] += cycles;
    if (HasFailure()) return;
  }
  for (const auto& [name, counter] : golden::counter_names)
    EXPECT_TRUE(name == "partial_misses" || all.*counter > 100) << name << " never seen";
  for (std::size_t stall = 1; stall < golden::stall_names.size(); ++stall)
    EXPECT_TRUE(static_cast<Stall>(stall) == Stall::plan || stalls[static_cast<Stall>(stall)] > 100)
        << golden::stall_names[stall] << " never seen";
}

TEST(GoldenCycleReuse, CountsLikeTheUntimedCoreWhereTimingCannotMatter) {
  verif::Draw draw(43);
  for (int configuration = 0; configuration < 60; ++configuration) {
    const auto p = verif::random_reuse_l1d(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    verif::OneAtATime timed(p);
    const auto untimed = golden::FunctionalL1d::make(p);
    for (int i = 0; i < 1'500; ++i) {
      Request request{.address = verif::random_reuse_address(p, draw), .mask = verif::random_mask(p, draw)};
      if (draw.percent(10)) request.kind = static_cast<RequestKind>(1 + draw.below(3));
      timed.filter_enable = draw.percent(50);
      untimed->enable_filter(timed.filter_enable);
      timed.serve(request);
      golden::Result result{};
      untimed->access({&request, 1}, &result);
      ASSERT_EQ(timed.cache.counters().hits, untimed->counters().hits) << i;
      ASSERT_EQ(timed.cache.counters().bypasses, untimed->counters().bypasses) << i;
      if (draw.below(300) != 0) continue;
      timed.flush();
      untimed->flush();
    }
    for (const auto& [name, counter] : golden::counter_names)
      EXPECT_EQ(timed.cache.counters().*counter, untimed->counters().*counter) << name;
    EXPECT_THAT(timed.cache.set_loads(), testing::ElementsAreArray(untimed->set_loads()));
    EXPECT_THAT(timed.cache.resident_lines(), testing::UnorderedElementsAreArray(untimed->resident_lines()));
    if (HasFailure()) return;
  }
}

// What must hold of a set whatever happens: each line belongs to one entry, and free lines are counted as the
// contract says.
TEST(GoldenCycleReuse, EntriesAndLinesBelongTogether) {
  verif::Draw draw(47);
  for (int configuration = 0; configuration < 20; ++configuration) {
    const auto p = verif::random_reuse_l1d(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    verif::Surroundings environment(p, draw.bits(), random_traffic(draw));
    const auto& cache = dynamic_cast<const CycleReuse&>(environment.cache);
    const unsigned limit = (1u << p.reuse.rc_bits) - 1;
    for (int i = 0; i < 400; ++i) {
      environment.run(7);
      for (unsigned set = 0; set < 2; ++set) {
        unsigned owned = 0, orphans = 0;
        std::vector<int> owners(static_cast<std::size_t>(p.ways));
        for (unsigned t = 0; t < static_cast<unsigned>(p.reuse.ways); ++t) {
          const auto entry = cache.tag_entry(set, t);
          EXPECT_LE(entry.rc, limit);
          EXPECT_TRUE(entry.valid || !entry.has_line);
          if (!entry.has_line) continue;
          ++owned;
          EXPECT_EQ(++owners[entry.position], 1);
          const auto way = cache.way(set, entry.position);
          EXPECT_TRUE(way.valid || way.busy);
          EXPECT_EQ(way.busy, entry.waits);
        }
        unsigned free = 0;
        for (unsigned w = 0; w < static_cast<unsigned>(p.ways); ++w) {
          const auto way = cache.way(set, w);
          free += !way.valid && !way.busy;
          orphans += way.busy && !owners[w];
          EXPECT_TRUE(!way.valid || owners[w]) << "a line of nobody";
        }
        EXPECT_EQ(free, static_cast<unsigned>(p.ways) - owned - orphans);
      }
      if (HasFailure()) return;
    }
  }
}

}  // namespace
