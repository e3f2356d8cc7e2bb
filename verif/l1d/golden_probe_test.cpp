// What the golden cache shows on its probe outputs: results by their numbers, and that a monitor that stands
// beside the cache decides as the one inside.
#include <gmock/gmock.h>

#include "golden/cache/access_mode.h"
#include "golden/cache/adaptive.h"
#include "golden/cache/filter_duel.h"
#include "golden/monitors/adi_monitor.h"
#include "verif/l1d/golden_bench.h"
#include "verif/parameters/golden_parameters.h"

namespace {

using golden::RequestKind, golden::Result;
using testing::ElementsAre;

// Random loads of few lines, answered a little later.
class Busy : public verif::CaseBench {
 public:
  Busy(const hw::L1dParams& p, std::uint64_t seed) : CaseBench(p), p_(p), draw_(seed) {}

  void cycle() {
    if (accepted.size() == offered_ && draw_.percent(80)) {
      const auto kind = draw_.percent(90) ? RequestKind::load : RequestKind::store;
      offer(kind, static_cast<std::uint32_t>(offered_++ % 200), draw_.below(600) * 128,
            verif::random_mask(p_, draw_));
    }
    if (answered_ < down.size() && draw_.percent(60)) answer(answered_++);
    tick();
  }

 private:
  const hw::L1dParams p_;
  verif::Draw draw_;
  std::size_t offered_ = 0, answered_ = 0;
};

TEST(GoldenProbe, ShowsEachResultByItsNumber) {
  hw::L1dParams p;
  p.tags = hw::TagKind::sectored;
  p.probe_ports = true;
  verif::CaseBench bench(p);
  std::vector<std::string> seen;
  const auto run = [&](int cycles) {
    for (int i = 0; i < cycles; ++i) {
      bench.tick();
      if (!bench.out.probe_valid) continue;
      seen.push_back(std::to_string(bench.out.probe_block_address) + " " +
                     std::to_string(bench.out.probe_set) + " " +
                     std::to_string(static_cast<int>(bench.out.probe_result)) +
                     (bench.out.probe_miss ? " miss " : " ") + std::to_string(bench.out.probe_chunks));
    }
  };
  bench.load(1, 35 * 128, 3);
  bench.load(2, 35 * 128, 1);
  bench.load(3, 35 * 128, 7);
  bench.store(4, 0);
  run(8);
  for (const size_t n : {0u, 1u}) bench.answer(n);
  run(8);
  bench.load(5, 35 * 128, 7);
  run(4);
  EXPECT_THAT(seen, ElementsAre("35 3 3 miss 2", "35 3 1 0", "35 3 2 miss 1", "35 3 0 0"));
  p.tags = hw::TagKind::reuse_filter;
  verif::CaseBench filtered(p);
  filtered.load(1, 128, 1);
  while (!filtered.out.probe_valid) filtered.tick();
  EXPECT_EQ(filtered.out.probe_result, hw::ProbeResult::bypass);
  EXPECT_TRUE(filtered.out.probe_miss);
  EXPECT_EQ(filtered.out.probe_chunks, 1u);
}

// The unit observes a load a cycle before the one inside, and its flush waits for that one's.
TEST(GoldenProbe, AMonitorBesideTheCacheFindsTheSameIndex) {
  for (const auto kind :
       {hw::TagKind::conventional, hw::TagKind::sectored, hw::TagKind::split, hw::TagKind::decoupled}) {
    hw::L1dParams p;
    p.tags = kind;
    p.probe_ports = true;
    p.index.kind = hw::IndexKind::adi;
    p.adaptive = {.period = 64, .counter_bits = 6, .idle = 40};
    Busy bench(p, 3);
    golden::AdiMonitor beside(golden::monitor_params(p));
    for (int i = 0; i < 60'000; ++i) {
      const bool flushes = bench.cache.monitor<golden::AdaptiveIndex>()->flushes();
      bench.cycle();
      beside.clock({.probe_valid = bench.out.probe_valid,
                    .probe_block_address = bench.out.probe_block_address,
                    .probe_miss = bench.out.probe_miss,
                    .flush_ready = flushes});
      ASSERT_TRUE(!flushes ||
                  std::ranges::equal(beside.sel(), bench.cache.monitor<golden::AdaptiveIndex>()->sel()))
          << i;
    }
    const golden::AdiEvents inside = bench.cache.monitor<golden::AdaptiveIndex>()->events();
    EXPECT_GT(inside.changed, 20);
    EXPECT_EQ(beside.core().events().changed, inside.changed);
  }
}

TEST(GoldenProbe, AModeSelectorBesideTheCacheFindsTheSameMode) {
  hw::L1dParams p;
  p.tags = hw::TagKind::split;
  p.probe_ports = true;
  p.mode = {.kind = hw::ModeKind::dueling, .threshold = 20};
  Busy bench(p, 4);
  golden::ModeSelector beside({.sets = 32, .threshold = 20});
  int changes = 0;
  bool before = false;
  for (int i = 0; i < 200'000; ++i) {
    bench.cycle();
    const bool inside = bench.cache.decisions()["mode_coarse"] != 0;
    ASSERT_EQ(inside, beside.mode_coarse()) << i;
    changes += inside != before;
    before = inside;
    beside.edge({.probe_valid = bench.out.probe_valid,
                 .probe_miss = bench.out.probe_miss,
                 .probe_set = bench.out.probe_set,
                 .probe_chunks = bench.out.probe_chunks});
  }
  EXPECT_GT(changes, 3);
}

TEST(GoldenProbe, ABypassCountsNothingForTheMode) {
  hw::L1dParams p;
  p.tags = hw::TagKind::split;
  p.mode.kind = hw::ModeKind::dueling;
  golden::AccessMode mode(p);
  mode.reset(0);
  for (const Result result : {Result::bypass, Result::hit_pending, Result::partial_miss}) {
    const bool fetches = result == Result::partial_miss;
    mode.observe({.set = 0, .result = result, .missed = fetches || result == Result::bypass ? 3u : 0u}, 0);
    for (int i = 0; i < 2; ++i) mode.edge(0);
    EXPECT_EQ(mode.selector().counters().fine().misses, fetches);
    EXPECT_EQ(mode.selector().counters().fine().traffic, fetches ? 4 : 0);
  }
}

// A duel between two caches observes what their probe outputs show.
TEST(GoldenProbe, ADuelObservesWhatTheCachesShow) {
  hw::L1dParams p;
  p.tags = hw::TagKind::reuse_filter;
  p.probe_ports = true;
  hw::L1dParams unfiltered = p;
  unfiltered.reuse.threshold = 0;
  Busy first(p, 5), second(unfiltered, 5);
  golden::FilterDuel observes({.interval = 64});
  golden::FilterDueling shown({.interval = 64});
  int changes = 0;
  for (int i = 0; i < 20'000; ++i) {
    const bool before = observes.filter_enable();
    first.cycle();
    second.cycle();
    if (first.cache.last_event()) observes.observe(*first.cache.last_event(), 0);
    if (second.cache.last_event()) observes.observe(*second.cache.last_event(), 1);
    observes.edge(0);
    shown.edge({golden::DuelingProbe{first.out.probe_valid, first.out.probe_miss},
                golden::DuelingProbe{second.out.probe_valid, second.out.probe_miss}});
    ASSERT_EQ(observes.filter_enable(), shown.filter_enable());
    changes += observes.filter_enable() != before;
  }
  EXPECT_GT(changes, 3);
}

}  // namespace
