// The SM dueling unit: its timing and lookup results on the model, lock step at the corners and between,
// injected faults.
#include "golden/monitors/filter_dueling.h"

#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::high, verif::inverted, verif::stuck;

using golden::DuelingScore, golden::FilterDueling;

DuelingScore score(int margin, int loads0, int misses0, int loads1, int misses1) {
  DuelingScore s(margin);
  for (int i = 0; i < loads0; ++i) s.load(0, i < misses0);
  for (int i = 0; i < loads1; ++i) s.load(1, i < misses1);
  return s;
}

std::vector<std::string> dueling(int interval, int margin) {
  return {fmt::format("tags.reuse_filter.dueling_interval={}", interval),
          fmt::format("tags.reuse_filter.dueling_margin_percent={}", margin)};
}

}  // namespace

TEST(FilterDueling, Decisions) {
  EXPECT_TRUE(score(10, 10, 6, 10, 5).decision(false)) << "10 points worse is not more than 10";
  EXPECT_FALSE(score(10, 100, 61, 10, 5).decision(true));
  EXPECT_TRUE(score(10, 3, 1, 7, 3).decision(false)) << "better";
  EXPECT_TRUE(score(0, 3, 1, 6, 2).decision(false));
  EXPECT_FALSE(score(0, 3, 2, 6, 2).decision(true));
  EXPECT_TRUE(score(100, 5, 5, 5, 0).decision(false));
  for (const bool before : {false, true}) {
    EXPECT_EQ(score(10, 0, 0, 10, 0).decision(before), before);
    EXPECT_EQ(score(10, 10, 10, 0, 0).decision(before), before);
  }
}

// Against fractions in lowest terms compared by their difference in exact long arithmetic.
TEST(FilterDueling, DecisionsAreExact) {
  for (int a0 = 1; a0 <= 12; ++a0)
    for (int m0 = 0; m0 <= a0; ++m0)
      for (int a1 = 1; a1 <= 12; ++a1)
        for (int m1 = 0; m1 <= a1; ++m1)
          for (const int margin : {0, 1, 10, 25, 50, 100}) {
            const int common = 27720 * 100;  // a multiple of 1 to 12 and of 100
            const bool worse = common / a0 * m0 > common / a1 * m1 + common / 100 * margin;
            ASSERT_EQ(score(margin, a0, m0, a1, m1).decision(false), !worse)
                << m0 << "/" << a0 << " " << m1 << "/" << a1 << " " << margin;
          }
}

TEST(FilterDueling, ShowsTheDecision32CyclesAfterTheInterval) {
  FilterDueling unit({.interval = 64});
  for (int cycle = 0; cycle < 64 + 31; ++cycle) {
    EXPECT_FALSE(unit.filter_enable()) << cycle;
    unit.edge({golden::DuelingProbe{.valid = cycle == 0}, {.valid = cycle == 63}});
  }
  for (int cycle = 64 + 31; cycle < 128 + 31; ++cycle) {
    EXPECT_TRUE(unit.filter_enable()) << cycle;
    unit.edge({golden::DuelingProbe{.valid = cycle < 128, .miss = true}, {.valid = cycle < 128}});
  }
  EXPECT_FALSE(unit.filter_enable());
  unit.reset();
  EXPECT_FALSE(unit.filter_enable());
}

TEST(FilterDueling, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 4'000'000 : 400'000;
  verif::expect_same("filter_dueling", {}, cycles, verif::fresh_seed(3));
  verif::expect_same("filter_dueling", dueling(64, 0), cycles, verif::fresh_seed(5));
  verif::expect_same("filter_dueling", dueling(65, 100), cycles, verif::fresh_seed(7));
  verif::expect_same("filter_dueling", dueling(1023, 33), cycles, verif::fresh_seed(9));
  verif::expect_same("filter_dueling", dueling(65536, 10), 3 * cycles, verif::fresh_seed(11));
}

TEST(FilterDueling, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"interval_one_short", "", "last", "LAST_CYCLE", stuck(0x1f2)},
      {"decides_a_cycle_early", "", "filter_enable_q", "DECISION_CYCLE", stuck(0x1d)},
      {"misses_of_cache_0_without_probes", "", "misses0_now", "probe0_valid", high()},
      {"misses_of_cache_1_without_probes", "", "misses1_now", "probe1_valid", high()},
      {"decides_without_loads_of_cache_1", "", "decides_q", "|loads1_now", high()},
      {"decides_without_loads_of_cache_0", "", "decides_q", "|loads0_now", high()},
      {"misses_not_cleared", "", "misses1_q", "~{9{last}}", high()},
      {"loads_not_cleared", "", "loads0_q", "~{9{last}}", high()},
      {"a_tie_is_worse", "", "worse", "|difference_q", high()},
      {"decides_in_each_interval", "", "filter_enable_q", "decides_q", high()},
      {"decides_the_other_way", "", "filter_enable_q", "~worse_q", inverted()}};
  verif::expect_all_found("filter_dueling", {}, faults);
}
