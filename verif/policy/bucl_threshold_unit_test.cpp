// BUCL's update unit: the worked examples on model and Verilog, lock step at limits, storage, refusals,
// injected faults.
#include "golden/policy/bucl_threshold_unit.h"

#include "gen/unit/unit.h"
#include "hw/policy/bucl_threshold_unit.h"
#include "verif/icarus.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::BuclThresholdUnit;
using verif::high, verif::low;

struct Period {
  int accesses, hits;
  unsigned tucd, low;  // after it
};

constexpr Period example[] = {{900, 800, 6, 0}, {1000, 800, 5, 0}, {0, 0, 5, 0},
                              {10, 7, 4, 1},    {10, 8, 3, 0},     {5, 5, 4, 0}};

// Sub-partition 0 has 5 entries in every cycle, 1 has 6, 2 has 8 in 700 cycles, 3 has 8 in 699 and 7 in one.
constexpr std::uint8_t occupancy(int sub_partition, int cycle) {
  switch (sub_partition) {
    case 0:
      return 5;
    case 1:
      return 6;
    case 2:
      return cycle < 700 ? 8 : 0;
    case 3:
      return cycle < 699 ? 8 : cycle == 699 ? 7 : 0;
    default:
      return 0;
  }
}

hw::BuclParams small_profile() {
  return {.update = hw::BuclUpdate::profile, .sms = 3, .profile_cycles = 4, .thresholds = {3, {2, 9, 30}}};
}

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("bucl_threshold_unit", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

std::int64_t stored_bits(const std::vector<std::string>& settings) {
  return gen::published_bits(gen::elaborate(gen::load_config("bucl_threshold_unit", settings)).accounts);
}

const std::string rises = "    #1 clk = 1; #1 clk = 0;\n";

}  // namespace

TEST(BuclThresholdUnit, WorkedExampleOfDynamicUpdate) {
  BuclThresholdUnit unit(hw::BuclParams{});
  EXPECT_EQ(unit.tucd(), 5u);
  EXPECT_FALSE(unit.profiling());
  for (const Period& period : example) {
    const unsigned before = unit.tucd();
    for (int cycle = 0; cycle < 1000; ++cycle) {
      EXPECT_EQ(unit.tucd(), before);
      std::array<std::uint8_t, 12> entries{};
      for (int p = 0; p < 12; ++p) entries[static_cast<std::size_t>(p)] = occupancy(p, cycle);
      // Loads come at the end, so that the last cycle's counts.
      const int load = cycle - (1000 - period.accesses);
      unit.edge({.access = load >= 0, .hit = load >= period.accesses - period.hits, .occupancy = entries});
    }
    EXPECT_EQ(unit.tucd(), period.tucd);
    EXPECT_EQ(unit.hit_rate_low(), period.low != 0);
    EXPECT_EQ(unit.buffer_free(), 0xff9u);
  }
  unit.edge({.kernel_start = true, .access = true});
  EXPECT_EQ(unit.tucd(), 5u);
  EXPECT_EQ(unit.buffer_free(), 0u);
  EXPECT_EQ(unit.accesses(), 0);
}

TEST(BuclThresholdUnit, WorkedExampleOfProfiling) {
  BuclThresholdUnit unit(small_profile());
  const std::array<std::uint8_t, 3> issued{3, 5, 5};
  for (int cycle = 0; cycle < 7; ++cycle) {
    EXPECT_TRUE(unit.profiling()) << cycle;
    EXPECT_EQ(unit.tucd_of(2), 30u);
    unit.edge({.issued = issued});
  }
  EXPECT_FALSE(unit.profiling());
  EXPECT_EQ(unit.tucd(), 9u);
  EXPECT_EQ(unit.tucd_of(2), 9u);
}

TEST(BuclThresholdUnit, ProfilesAgainWhenNothingRan) {
  BuclThresholdUnit unit(small_profile());
  const std::array<std::uint8_t, 3> late{0, 0, 1};
  for (int cycle = 0; cycle < 7; ++cycle) unit.edge({});
  EXPECT_TRUE(unit.profiling());
  for (int cycle = 0; cycle < 7; ++cycle) unit.edge({.issued = late});
  EXPECT_FALSE(unit.profiling());
  EXPECT_EQ(unit.tucd(), 30u);
}

TEST(BuclThresholdUnit, WorkedExampleOfDynamicUpdateInVerilog) {
  std::string ports, drive, expected;
  for (int p = 0; p < 12; ++p) ports += fmt::format(", .occupancy{0}(o[{0}])", p);
  std::string bench = fmt::format(
      "module bench;\n  reg clk = 0, rst = 1, access = 0, hit = 0;\n  reg [3:0] o [0:11];\n  integer c, p, "
      "load;\n"
      "  wire profiling, low;\n  wire [4:0] tucd;\n  wire [11:0] free;\n"
      "  unit dut(.clk(clk), .rst(rst), .kernel_start(1'b0), .access(access), .hit(hit), "
      ".profiling(profiling), "
      ".tucd(tucd), .hit_rate_low(low), .buffer_free(free){});\n"
      "  task period(input integer accesses, input integer hits);\n"
      "    for (c = 0; c < 1000; c = c + 1) begin\n"
      "      o[0] = 5; o[1] = 6; o[2] = c < 700 ? 8 : 0; o[3] = c < 699 ? 8 : c == 699 ? 7 : 0;\n"
      "      load = c - (1000 - accesses);\n      access = load >= 0; hit = load >= accesses - hits;\n"
      "      #1 clk = 1; #1 clk = 0;\n    end\n  endtask\n"
      "  initial begin\n    for (p = 0; p < 12; p = p + 1) o[p] = 0;\n{}    rst = 0;\n",
      ports, rises);
  for (const Period& p : example) {
    bench += fmt::format("    period({}, {});\n    $display(\"%0d %b %h %b\", tucd, low, free, profiling);\n",
                         p.accesses, p.hits);
    expected += fmt::format("{} {} ff9 0\n", p.tucd, p.low);
  }
  bench += "    $finish;\n  end\nendmodule\n";
  EXPECT_EQ(verif::simulated(hw::bucl_threshold_unit({}, "unit"), bench), expected);
}

TEST(BuclThresholdUnit, WorkedExampleOfProfilingInVerilog) {
  std::string ports, cycles, expected;
  for (int p = 0; p < 12; ++p) ports += fmt::format(", .occupancy{}(4'd0)", p);
  for (int c = 0; c < 8; ++c) {
    cycles += "    $display(\"%b %0d\", profiling, tucd);\n" + rises;
    expected += c < 7 ? "1 5\n" : "0 9\n";
  }
  const std::string bench = fmt::format(
      "module bench;\n  reg clk = 0, rst = 1;\n  wire profiling, low;\n  wire [4:0] tucd;\n  wire [11:0] "
      "free;\n"
      "  unit dut(.clk(clk), .rst(rst), .kernel_start(1'b0), .access(1'b0), .hit(1'b0), "
      ".profiling(profiling), "
      ".tucd(tucd), .hit_rate_low(low), .buffer_free(free), .issued0(7'd3), .issued1(7'd5), "
      ".issued2(7'd5){});\n"
      "  initial begin\n{}    rst = 0;\n{}    $finish;\n  end\nendmodule\n",
      ports, rises, cycles);
  EXPECT_EQ(verif::simulated(hw::bucl_threshold_unit(small_profile(), "unit"), bench), expected);
}

TEST(BuclThresholdUnit, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 4'000'000 : 400'000;
  verif::expect_same("bucl_threshold_unit", {}, cycles, verif::fresh_seed(3));
  verif::expect_same("bucl_threshold_unit",
                     {"bypass.bucl.period=17", "bypass.bucl.hit_rate=[3, 7]", "bypass.bucl.highest=63",
                      "bypass.bucl.lowest=0", "bypass.bucl.initial=0", "bypass.bucl.sub_partitions=33",
                      "bypass.bucl.buffer_entries=5", "bypass.bucl.buffer_use=[1, 3]"},
                     cycles, verif::fresh_seed(5));
  verif::expect_same(
      "bucl_threshold_unit",
      {"bypass.bucl.update=profile", "bypass.bucl.period=64", "bypass.bucl.sms=7",
       "bypass.bucl.profile_cycles=31", "bypass.bucl.thresholds=[2, 9, 40]", "bypass.bucl.sub_partitions=1",
       "bypass.bucl.issue_max=255", "bypass.bucl.buffer_use=[0, 3]"},
      cycles, verif::fresh_seed(7));
  verif::expect_same("bucl_threshold_unit", {"bypass.bucl.update=profile"}, cycles, verif::fresh_seed(9));
  if (!verif::full_tier()) return;
  verif::expect_same("bucl_threshold_unit",
                     {"bypass.bucl.update=profile", "bypass.bucl.sms=1", "bypass.bucl.profile_cycles=1",
                      "bypass.bucl.period=1", "bypass.bucl.sub_partitions=64"},
                     cycles, verif::fresh_seed(11));
  verif::expect_same(
      "bucl_threshold_unit",
      {"bypass.bucl.period=65536", "bypass.bucl.buffer_entries=64", "bypass.bucl.hit_rate=[0, 1]",
       "bypass.bucl.buffer_use=[1, 1]", "bypass.bucl.lowest=4", "bypass.bucl.highest=6"},
      2 * cycles, verif::fresh_seed(13));
}

TEST(BuclThresholdUnit, StoresWhatTheSpecificationCounts) {
  EXPECT_EQ(stored_bits({}), 204);
  EXPECT_EQ(stored_bits({"bypass.bucl.update=profile"}), 204 + 327);
  EXPECT_EQ(stored_bits({"bypass.bucl.update=profile", "bypass.bucl.profile_cycles=10000"}), 204 + 344);
  const auto cache = gen::elaborate(gen::load_config("l1d_bucl", {"bypass.bucl.follow=true"}));
  EXPECT_EQ(cache.accounts.back().bits(), 1);
}

TEST(BuclThresholdUnit, Refusals) {
  EXPECT_EQ(refusal({"bypass.bucl.initial=26"}),
            "-s bypass.bucl.initial=26: bypass.bucl.initial = 26: must be from 2 to 25; use a value from "
            "bypass.bucl.lowest to bypass.bucl.highest");
  EXPECT_EQ(refusal({"bypass.bucl.lowest=7", "bypass.bucl.highest=6"}),
            "-s bypass.bucl.lowest=7: bypass.bucl.lowest = 7: must be from 0 to 6; use at most "
            "bypass.bucl.highest");
  EXPECT_EQ(
      refusal({"bypass.bucl.hit_rate=[5, 4]"}),
      "-s bypass.bucl.hit_rate=[5, 4]: bypass.bucl.hit_rate = [5, 4]: must be a fraction from 0 to 1, its "
      "denominator from 1 to 255; use [4, 5], the paper's");
  EXPECT_EQ(refusal({"bypass.bucl.buffer_use=[7]"}),
            "-s bypass.bucl.buffer_use=[7]: bypass.bucl.buffer_use = [7]: must be two numbers, numerator and "
            "denominator; use [7, 10], the paper's");
  EXPECT_EQ(
      refusal({"bypass.bucl.designated_sm=15"}),
      "-s bypass.bucl.designated_sm=15: bypass.bucl.designated_sm = 15: must be from 0 to 14; name one of "
      "bypass.bucl.sms");
  EXPECT_EQ(refusal({"bypass.bucl.update=profile", "bypass.bucl.thresholds=[]"}),
            "-s bypass.bucl.thresholds=[]: bypass.bucl.thresholds = []: must have a threshold for an SM to "
            "use; leave "
            "it out: it is the paper's list");
  EXPECT_EQ(refusal({"bypass.bucl.thresholds=[]"}), "") << "nobody profiles";
  EXPECT_EQ(refusal({"bypass.bucl.period=0"}),
            "-s bypass.bucl.period=0: bypass.bucl.period = 0: must be from 1 to 65536; the nearest is 1");
}

TEST(BuclThresholdUnit, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"period_one_short", "", "last", "LAST_CYCLE", verif::stuck(0xf)},
      {"misses_loads_of_the_last_cycle", "", "hit_rate_low_q", "access", low()},
      {"at_the_threshold_is_low", "", "low_hit", "|lacking_hit_hit", high()},
      {"the_load_before_is_missed", "", "loaded_q", "", low()},
      {"the_load_before_is_weighed_later", "", "lacking_q", "loaded_q", low()},
      {"the_hit_before_is_weighed_as_a_miss", "", "lacking_q", "hit_q", low()},
      {"the_last_load_counts_in_the_next_period", "", "loaded_q", "goes_on", high()},
      {"the_last_hit_counts_in_the_next_period", "", "hit_q", "goes_on", high()},
      {"goes_down_with_a_hit_more", "", "tucd_after_hit", "good_hit", verif::inverted()},
      {"a_period_without_accesses_moves", "", "tucd_after_none", "|accesses_q", high()},
      {"above_the_highest", "", "up", "tucd_q == TUCD_HIGHEST", low()},
      {"below_the_lowest", "", "down", "tucd_q == TUCD_LOWEST", low()},
      {"hits_without_access", "", "hit_q", "access", high()},
      {"sums_are_kept", "", "sums_q", "last", low()},
      {"a_sum_at_the_limit_is_free", "", "little_used", "USE_LIMIT", verif::stuck(0x61)},
      {"a_sum_below_the_limit_is_not", "", "little_used", "USE_LIMIT", verif::stuck(0x5f)},
      {"a_kernel_start_counts_loads", "", "goes_on", "kernel_start", low()},
      {"a_kernel_start_keeps_the_threshold", "", "tucd_q", "kernel_start", low()},
      {"a_kernel_start_keeps_the_rate", "", "hit_rate_low_q", "kernel_start", low()},
  };
  verif::expect_all_found("bucl_threshold_unit", {"bypass.bucl.period=17"}, faults);
}

TEST(BuclThresholdUnit, EveryInjectedFaultOfProfilesIsFound) {
  const std::vector<verif::Fault> faults{
      {"profile_one_short", "", "phase_q", "LAST_PROFILE_CYCLE", verif::stuck(0x1d)},
      {"a_tie_goes_to_the_later", "", "more", "", verif::other_tie()},
      {"never_the_last_sm", "", "winner", "more", low()},
      {"ends_when_nothing_ran", "", "found", "|best", high()},
      {"searches_one_too_few", "", "search_ends", "LAST_SM", verif::stuck(5)},
      {"thresholds_of_the_next_sm", "", "tucd_q", "winner", verif::other("sm_q")},
      {"a_kernel_start_keeps_counts", "", "ran_q", "kernel_start", low()},
  };
  verif::expect_all_found(
      "bucl_threshold_unit",
      {"bypass.bucl.update=profile", "bypass.bucl.period=64", "bypass.bucl.sms=7",
       "bypass.bucl.profile_cycles=31", "bypass.bucl.thresholds=[2, 9, 40]", "bypass.bucl.sub_partitions=1"},
      faults);
}
