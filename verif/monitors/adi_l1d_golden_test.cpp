// The golden L1 data cache with the adaptive index, alone: untimed against a plain model, in time in random
// environment, and the cycles of a change by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "golden/cache/adaptive.h"
#include "golden/cache/functional_l1d.h"
#include "golden/l1d/functional_bench.h"
#include "golden/tags/split_tags.h"
#include "verif/l1d/golden_bench.h"
#include "verif/l1d/golden_environment.h"
#include "verif/l1d/golden_history.h"
#include "verif/l1d/golden_one_at_a_time.h"
#include "verif/l1d/golden_reference.h"
#include "verif/parameters/split_parameters.h"
#include "verif/tags/split_reference.h"

namespace {

using golden::FunctionalL1d, golden::Request, golden::RequestKind, golden::Result;
using testing::ElementsAre;
using verif::changes_of;

// Small and quick to change its index.
hw::L1dParams random_adaptive(verif::Draw& draw) {
  if (draw.percent(30)) return verif::random_adaptive_split(draw, 64);
  return verif::with_adaptive_index(verif::random_l1d(draw), draw, 64);
}

Request random_request(const hw::L1dParams& p, verif::Draw& draw) {
  Request request{.mask = verif::random_mask(p, draw), .address = verif::random_address(p, draw)};
  if (draw.percent(12)) request.kind = static_cast<RequestKind>(1 + draw.below(3));
  return request;
}

std::vector<std::vector<int>> sels(const std::vector<golden::History::Change>& history) {
  std::vector<std::vector<int>> all;
  for (const auto& change : history) all.push_back(change.value);
  return all;
}

// The plain model under the monitor. Returns how often sel changed.
template <class Plain>
size_t expect_plain_model(FunctionalL1d& fast, Plain& plain, verif::Draw& draw) {
  const hw::L1dParams& p = plain.p;
  golden::AdiCore monitor(golden::monitor_params(p));
  std::vector<std::uint64_t> changed{0};
  for (int batch = 0; batch < 30; ++batch) {
    std::vector<Request> requests(draw.below(600));
    std::vector<Result> results(requests.size());
    for (auto& request : requests) request = random_request(p, draw);
    fast.access(requests, draw.percent(80) ? results.data() : nullptr);
    for (const Request& request : requests) {
      const Result result = plain.access(request);
      const bool missed = result == Result::miss || result == Result::partial_miss;
      if (request.kind != RequestKind::load || !monitor.access(plain.index.block_of(request.address), missed))
        continue;
      plain.flush();
      plain.index.select(monitor.sel());
      changed.push_back(plain.counters.loads);
    }
  }
  for (const auto& [name, counter] : golden::counter_names)
    EXPECT_EQ(fast.counters().*counter, plain.counters.*counter) << name;
  const auto history = changes_of(fast, "adi_history");
  EXPECT_EQ(history.size(), changed.size());
  for (size_t i = 0; i < std::min(changed.size(), history.size()); ++i)
    EXPECT_EQ(history[i].loads, changed[i]);
  EXPECT_THAT(history.back().value, testing::ElementsAreArray(monitor.sel()));
  return changed.size() - 1;
}

TEST(GoldenAdaptive, UntimedEqualsThePlainModel) {
  verif::Draw draw(23);
  size_t changes = 0;
  for (int configuration = 0; configuration < 60; ++configuration) {
    const auto p = verif::with_adaptive_index(verif::random_l1d(draw), draw, 64);
    SCOPED_TRACE(testing::PrintToString(p));
    const auto fast = FunctionalL1d::make(p);
    verif::ReferenceL1d plain(p);
    changes += expect_plain_model(*fast, plain, draw);
    EXPECT_THAT(fast->set_loads(), testing::ElementsAreArray(plain.set_loads));
    EXPECT_THAT(fast->chunk_use(), testing::ElementsAreArray(plain.chunk_use));
    if (HasFailure()) return;
  }
  EXPECT_GT(changes, 500u);
}

TEST(GoldenAdaptive, UntimedSplitTagsEqualTheirPlainModel) {
  verif::Draw draw(37);
  size_t changes = 0, mode_changes = 0;
  std::uint64_t evicted = 0;
  for (int configuration = 0; configuration < 60; ++configuration) {
    const auto p = verif::random_adaptive_split(draw, 64);
    SCOPED_TRACE(testing::PrintToString(p));
    const auto fast = FunctionalL1d::make(p);
    verif::SplitReference plain(p);
    changes += expect_plain_model(*fast, plain, draw);
    evicted += plain.counters.evicted_chunks;
    const auto modes = changes_of(*fast, "mode_history");
    mode_changes += modes.empty() ? 0 : modes.size() - 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(changes, 500u);
  EXPECT_GT(evicted, 10'000u);
  EXPECT_GT(mode_changes, 5u);
}

TEST(GoldenAdaptive, IsFastEnoughForLongTraces) {
  hw::L1dParams p;
  p.index.kind = hw::IndexKind::adi;
  for (const auto& speed : golden::functional_speed(p, 5)) {
    EXPECT_GT(speed.per_second, 1e6) << speed.pattern;
    fmt::print("{}: {:.0f} M requests/s\n", speed.pattern, speed.per_second / 1e6);
  }
}

TEST(GoldenAdaptive, AStaticIndexHasNoHistory) {
  EXPECT_TRUE(FunctionalL1d::make({})->histories().empty());
  EXPECT_TRUE(golden::CycleL1d::make({})->histories().empty());
}

// Every request is answered once and with the right bytes, however often the index changes under it.
TEST(GoldenAdaptive, AnswersEverythingOnceAndRight) {
  verif::Draw draw(29);
  golden::AdiEvents all;
  std::uint64_t flushes = 0;
  std::map<golden::Stall, int> stalls;
  for (int configuration = 0; configuration < 60; ++configuration) {
    const auto p = random_adaptive(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    const auto some = [&] { return static_cast<unsigned>(draw.percent(60) ? 100 : draw.between(30, 100)); };
    verif::GoldenEnvironment environment(p, draw.bits(),
                                         {.request = some(),
                                          .response_ready = some(),
                                          .memory_ready = some(),
                                          .memory_answers = some(),
                                          .flush = static_cast<unsigned>(draw.between(0, 20)),
                                          .loads = static_cast<unsigned>(draw.between(70, 100)),
                                          .latency = static_cast<unsigned>(draw.between(0, 60))});
    environment.run(8'000);
    environment.drain();
    all += environment.cache.monitor<golden::AdaptiveIndex>()->events();
    flushes += environment.cache.counters().flushes;
    for (const auto& [stall, cycles] : environment.stalls) stalls[stall] += cycles;
    if (HasFailure()) return;
  }
  EXPECT_GT(all.changed, 300);
  EXPECT_GT(all.kept, 30);
  EXPECT_GT(all.by_entropy, 30);
  EXPECT_GT(all.by_correlation, 30);
  EXPECT_GT(flushes, static_cast<std::uint64_t>(all.changed));
  EXPECT_GT(stalls[golden::Stall::flush], 300);
}

TEST(GoldenAdaptive, CountsLikeTheUntimedCoreWhereTimingCannotMatter) {
  verif::Draw draw(31);
  size_t changes = 0;
  for (int configuration = 0; configuration < 40; ++configuration) {
    const auto p = random_adaptive(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    verif::OneAtATime timed(p);
    const auto untimed = FunctionalL1d::make(p);
    for (int i = 0; i < 4'000; ++i) {
      const Request request = random_request(p, draw);
      timed.serve(request);
      Result result{};
      untimed->access({&request, 1}, &result);
    }
    for (const auto& [name, counter] : golden::counter_names)
      EXPECT_EQ(timed.cache.counters().*counter, untimed->counters().*counter) << name;
    EXPECT_THAT(timed.cache.set_loads(), testing::ElementsAreArray(untimed->set_loads()));
    const auto history = changes_of(*untimed, "adi_history");
    EXPECT_EQ(changes_of(timed.cache, "adi_history"), history);
    changes += history.size() - 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(changes, 300u);
}

// Lines of the reference cache, two index bits and a period of two loads: whose selection's second load fires
// in cycle t, shows it to the monitor in c = t + 1, and the flush comes in f = c + W + 1 with W = N-B+3 = 28.
class AdaptiveCase : public testing::Test {
 protected:
  AdaptiveCase() {
    p.index.kind = hw::IndexKind::adi;
    p.capacity_bytes = 2048;
    p.index.sets = 4;
    p.adaptive = {.period = 2, .counter_bits = 1, .idle = 0};
  }
  static constexpr int search = 28;

  // Up to selection, which every load of these few lines ends with a change of sel to 15 for index bit 0.
  void approach(verif::CaseBench& bench) const {
    bench.bring(0 << 7);
    bench.bring(0 << 7 | 1 << 20);
    bench.tick(60);
    ASSERT_EQ(bench.cache.monitor<golden::AdaptiveIndex>()->step(), golden::AdiMonitor::Step::selection);
  }

  hw::L1dParams p;
};

TEST_F(AdaptiveCase, TheIndexChangesInTwoCyclesInWhichNothingMoves) {
  verif::CaseBench bench(p);
  approach(bench);
  bench.load(1, 0);
  bench.load(2, 1 << 20);
  bench.tick(5);
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2));
  const int fired = bench.answers[1].cycle - 1, flush = fired + 1 + search + 1;
  // The last load before the change is still looked up under the old sel.
  while (bench.cycle < flush - 2) bench.tick();
  bench.load(3, 0);
  bench.load(4, 0);
  bench.load(5, 0);
  bench.tick(20);
  EXPECT_EQ(bench.accepted[bench.accepted.size() - 3], flush - 2);
  EXPECT_EQ(bench.accepted[bench.accepted.size() - 2], flush - 1);
  EXPECT_EQ(bench.accepted.back(), flush + 2);  // not in f and f + 1
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2, 3));
  EXPECT_EQ(bench.cache.counters().flushes, 1u);
  EXPECT_EQ(bench.cache.counters().reservation_fail_line, 0u);
  EXPECT_EQ(bench.down.back().cycle, flush + 4);  // load 4 missed in f + 2
  bench.answer(bench.down.size() - 1);
  bench.tick(10);
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(bench.cache.counters().hit_pending, 1u);
  EXPECT_THAT(sels(changes_of(bench.cache, "adi_history")),
              ElementsAre(ElementsAre(7, 8), ElementsAre(20, 8)));
}

TEST_F(AdaptiveCase, APendingLineIsFlushedAndAnswersItsOwnLoads) {
  verif::CaseBench bench(p);
  approach(bench);
  bench.load(1, 0);
  bench.load(2, 1 << 20 | 1 << 9);  // stays pending
  bench.tick(5);
  const size_t pending = bench.down.size() - 1;
  bench.tick(search + 5);
  EXPECT_EQ(bench.cache.counters().flushes, 1u);
  EXPECT_TRUE(bench.cache.entry(0).flushed);
  bench.load(3, 1 << 20 | 1 << 9);  // asks for the line again
  bench.tick(5);
  ASSERT_EQ(bench.down.size(), pending + 2);
  bench.answer(pending, 17);
  bench.tick(5);
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2));
  EXPECT_EQ(bench.answers[1].word, 17u);
  bench.answer(pending + 1, 18);
  bench.tick(5);
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2, 3));
  EXPECT_EQ(bench.answers[2].word, 18u);
}

TEST_F(AdaptiveCase, BothFlushesInOneCycleAreOne) {
  verif::CaseBench bench(p);
  approach(bench);
  bench.load(1, 0);
  bench.load(2, 1 << 20);
  bench.tick(5);
  const int flush = bench.answers[1].cycle - 1 + 1 + search + 1;
  while (bench.cycle < flush) bench.tick();
  ASSERT_TRUE(bench.cache.monitor<golden::AdaptiveIndex>()->flushes());
  bench.flush = true;
  bench.tick();
  EXPECT_FALSE(bench.flush);
  EXPECT_EQ(bench.cache.counters().flushes, 1u);
  EXPECT_EQ(bench.cache.monitor<golden::AdaptiveIndex>()->change_cycle(), 2);
}

// One cycle more with split tags, where two requests are looked up again.
class AdaptiveSplitCase : public AdaptiveCase {
 protected:
  AdaptiveSplitCase() { p.tags = hw::TagKind::split; }

  static const golden::SplitTags& tags(const verif::CaseBench& bench) {
    return static_cast<const golden::SplitTags&>(bench.cache.tags());
  }
};

TEST_F(AdaptiveSplitCase, TheIndexChangesInThreeCyclesInWhichNothingMoves) {
  verif::CaseBench bench(p);
  approach(bench);
  bench.load(1, 0);
  bench.load(2, 1 << 20);
  bench.tick(5);
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2));
  const int flush = bench.answers[1].cycle - 1 + 1 + search + 1;
  while (bench.cycle < flush - 3) bench.tick();
  bench.load(3, 0);        // the last that is looked up under the old sel
  bench.load(4, 0);        // in the tag-lookup stage in f, where it would hit
  bench.load(5, 1 << 20);  // in the compare stage
  bench.load(6, 0);
  bench.tick(8);  // up to f + 4
  EXPECT_EQ(bench.accepted[bench.accepted.size() - 2], flush - 1);
  EXPECT_EQ(bench.accepted.back(), flush + 4);  // when load 4 fires: its plan is made in f + 3
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2, 3));
  bench.tick(10);
  ASSERT_EQ(bench.down.size(), 4u);
  EXPECT_EQ(bench.down[2].cycle, flush + 6);
  EXPECT_EQ(bench.cache.entry(0).set, 0u);
  EXPECT_EQ(bench.cache.entry(1).set, 1u) << "load 5 was compared again in its new set";
  bench.answer(2);
  bench.answer(3);
  bench.tick(10);
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2, 3, 4, 6, 5));
  EXPECT_EQ(bench.cache.counters().flushes, 1u);
  EXPECT_EQ(bench.cache.counters().reservation_fail_line, 0u);
}

TEST_F(AdaptiveSplitCase, SlotsStayBusyUntilTheirChunksHaveComeAndBeenRead) {
  verif::CaseBench bench(p);
  bench.bring(0, 5, 1);
  bench.bring(1 << 20, 0, 1);
  bench.tick(60);
  ASSERT_EQ(bench.cache.monitor<golden::AdaptiveIndex>()->step(), golden::AdiMonitor::Step::selection);
  bench.load(1, 1 << 20, 1);
  bench.load(2, 0, 3);  // chunk 0 is held, chunk 1 on its way
  bench.tick(search + 10);
  ASSERT_EQ(bench.cache.counters().flushes, 1u);
  const unsigned held = tags(bench).slot_of(0, 0), pending = tags(bench).slot_of(0, 1);
  EXPECT_TRUE(bench.cache.entry(0).flushed);
  EXPECT_EQ(tags(bench).bits(0).valid, 0u);
  EXPECT_EQ(tags(bench).bits(0).busy, 1u << held | 1u << pending);
  bench.load(3, 0, 3);  // in the same set under the new sel, and finds nothing
  bench.tick(6);
  EXPECT_EQ(bench.cache.counters().misses, 3u);
  EXPECT_NE(tags(bench).slot_of(1, 0), held);
  bench.answer(2, 17);
  bench.tick(6);
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2));
  EXPECT_EQ(bench.answers[1].word, 5u);  // of chunk 0, which the flush did not take from it
  EXPECT_EQ(tags(bench).bits(0).busy & (1u << held | 1u << pending), 0u);
  EXPECT_EQ(tags(bench).bits(0).valid, 0u);
  bench.answer(3, 18);
  bench.tick(6);
  EXPECT_THAT(bench.answered(), ElementsAre(1, 2, 3));
  EXPECT_EQ(bench.answers[2].word, 18u);
}

}  // namespace
