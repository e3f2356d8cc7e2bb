// The SM dueling unit: its timing and verdicts on the model, lock step at the corners and between, planted
// faults.
#include "golden/dueling/filter_dueling.h"

#include "verif/noc/lock_step.h"

namespace {

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

TEST(FilterDueling, Verdicts) {
  EXPECT_TRUE(score(10, 10, 6, 10, 5).verdict(false)) << "10 points worse is not more than 10";
  EXPECT_FALSE(score(10, 100, 61, 10, 5).verdict(true));
  EXPECT_TRUE(score(10, 3, 1, 7, 3).verdict(false)) << "better";
  EXPECT_TRUE(score(0, 3, 1, 6, 2).verdict(false));
  EXPECT_FALSE(score(0, 3, 2, 6, 2).verdict(true));
  EXPECT_TRUE(score(100, 5, 5, 5, 0).verdict(false));
  for (const bool before : {false, true}) {
    EXPECT_EQ(score(10, 0, 0, 10, 0).verdict(before), before);
    EXPECT_EQ(score(10, 10, 10, 0, 0).verdict(before), before);
  }
}

// Against fractions in lowest terms compared by their difference in exact long arithmetic.
TEST(FilterDueling, VerdictsAreExact) {
  for (int a0 = 1; a0 <= 12; ++a0)
    for (int m0 = 0; m0 <= a0; ++m0)
      for (int a1 = 1; a1 <= 12; ++a1)
        for (int m1 = 0; m1 <= a1; ++m1)
          for (const int margin : {0, 1, 10, 25, 50, 100}) {
            const int common = 27720 * 100;  // a multiple of 1 to 12 and of 100
            const bool worse = common / a0 * m0 > common / a1 * m1 + common / 100 * margin;
            ASSERT_EQ(score(margin, a0, m0, a1, m1).verdict(false), !worse)
                << m0 << "/" << a0 << " " << m1 << "/" << a1 << " " << margin;
          }
}

TEST(FilterDueling, ShowsTheVerdict32CyclesAfterTheInterval) {
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

TEST(FilterDueling, EveryPlantedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"cycle_q == 9'h1f3", "cycle_q == 9'h1f2"},
      {"cycle_q == 9'h1e", "cycle_q == 9'h1d"},
      {"probe0_valid & probe0_miss", "probe0_miss"},
      {"probe1_valid & probe1_miss", "probe1_miss"},
      {"(|loads0_now) & (|loads1_now)", "(|loads0_now)"},
      {"(|loads0_now) & (|loads1_now)", "(|loads1_now)"},
      {"misses1_q <= misses1_now & ~{9{last}}", "misses1_q <= misses1_now"},
      {"loads0_q <= loads0_now & ~{9{last}}", "loads0_q <= loads0_now"},
      {"~difference_q[22] & (|difference_q)", "~difference_q[22]"},
      {"decides_q & (cycle_q", "(cycle_q"},
      {"filter_enable_q <= ~worse", "filter_enable_q <= worse"}};
  for (const auto& fault : faults) verif::expect_found("filter_dueling", {}, fault);
}
