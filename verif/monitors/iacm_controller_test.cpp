// The controller of integrated adaptive cache management: the worked example on model and Verilog, the phases
// of each order, lock step, storage, refusals, injected faults.
#include "golden/monitors/iacm_controller.h"

#include <set>

#include "cosim/stimulus/iacm_stimulus.h"
#include "gen/unit/unit.h"
#include "hw/monitors/iacm_controller.h"
#include "verif/icarus.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::IacmController;
using hw::IacmOrder;
using testing::ElementsAre, testing::ElementsAreArray;
using verif::high, verif::low, verif::stuck;

constexpr int example_cycles = 160;
constexpr int issued_at[] = {0, 8, 14, 18, 20, 19, 15, 12, 10};

hw::IacmParams example_params(IacmOrder order = IacmOrder::adi_awl) {
  return {.order = order, .awl = {.warps = 8, .period = 4}, .adi_idle = 4};
}

int issued_in(int cycle, int limit) {
  return issued_at[limit] + (cycle >= 140 ? 5 : 0) + (cycle >= 148 ? 12 : 0);
}

using Changes = std::vector<std::pair<int, int>>;  // cycle, value from then on

const std::vector<int> example_starts{0, 8, 46, 54, 152};
const Changes example_phases{{0, 0}, {16, 1}, {46, 0}, {62, 1}, {100, 2}, {152, 0}};
const Changes example_limits{{0, 8},  {21, 4}, {25, 2}, {29, 4}, {33, 3}, {37, 4}, {41, 5}, {45, 4},
                             {67, 2}, {71, 4}, {75, 8}, {83, 7}, {87, 6}, {91, 5}, {95, 4}};

void note(Changes& changes, int cycle, int value) {
  if (changes.empty() || changes.back().second != value) changes.emplace_back(cycle, value);
}

// Phases one after the other when every round ends at once and all that is issued is `issued(limit)`.
std::vector<int> phases(IacmOrder order, int (*issued)(int limit), int cycles) {
  IacmController unit(example_params(order));
  Changes changes;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    note(changes, cycle, unit.phase());
    unit.edge({.issued = issued(unit.limit()), .round_done = true});
  }
  std::vector<int> seen;
  for (const auto& [cycle, phase] : changes) seen.push_back(phase);
  return seen;
}

int steady(int) { return 8; }
int best_at_4(int limit) { return issued_at[limit]; }

std::vector<std::string> small(const std::string& order, int warps, int period, int adi_idle) {
  return {"iacm.order=" + order, fmt::format("limit.warps={}", warps), fmt::format("iacm.period={}", period),
          fmt::format("iacm.adi_idle={}", adi_idle)};
}

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("iacm_controller", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(IacmController, WorkedExample) {
  IacmController unit(example_params());
  std::vector<int> starts;
  Changes seen_phases, seen_limits;
  for (int cycle = 0, started = -3; cycle < example_cycles; ++cycle) {
    if (unit.adi_start()) starts.push_back(started = cycle);
    note(seen_phases, cycle, unit.phase());
    note(seen_limits, cycle, unit.limit());
    unit.edge({.issued = issued_in(cycle, unit.limit()), .round_done = cycle == started + 3});
  }
  EXPECT_THAT(starts, ElementsAreArray(example_starts));
  EXPECT_THAT(seen_phases, ElementsAreArray(example_phases));
  EXPECT_THAT(seen_limits, ElementsAreArray(example_limits));
}

TEST(IacmController, WorkedExampleInVerilog) {
  std::string table, expected;
  for (int limit = 1; limit <= 8; ++limit)
    table += fmt::format("    ipc[{}] = {};\n", limit, issued_at[limit]);
  const std::string bench = fmt::format(
      "module bench;\n  reg clk = 0, rst = 1;\n  reg [6:0] ipc [0:8];\n  reg [6:0] issued;\n"
      "  reg [2:0] old_phase = 7;\n  reg [3:0] old_limit = 0;\n  wire [1:0] phase;\n  wire [3:0] limit;\n"
      "  wire adi_start;\n  integer cycle, started;\n"
      "  unit dut(.clk(clk), .rst(rst), .kernel_start(1'b0), .total(4'd0), .issued(issued), "
      ".round_done(cycle == started + 3), .phase(phase), .adi_start(adi_start), .limit(limit));\n"
      "  initial begin\n{}    started = -9;\n    cycle = 0;\n    #1 clk = 1; #1 clk = 0; rst = 0;\n"
      "    for (cycle = 0; cycle < {}; cycle = cycle + 1) begin\n      #1;\n"
      "      if (adi_start) begin started = cycle; $display(\"%0d start\", cycle); end\n"
      "      if (phase != old_phase) $display(\"%0d phase %0d\", cycle, phase);\n"
      "      if (limit != old_limit) $display(\"%0d limit %0d\", cycle, limit);\n"
      "      old_phase = phase; old_limit = limit;\n"
      "      issued = ipc[limit] + (cycle >= 140 ? 5 : 0) + (cycle >= 148 ? 12 : 0);\n"
      "      #1 clk = 1; #1 clk = 0;\n    end\n    $finish;\n  end\nendmodule\n",
      table, example_cycles);
  for (int cycle = 0; cycle < example_cycles; ++cycle) {
    if (std::ranges::count(example_starts, cycle)) expected += fmt::format("{} start\n", cycle);
    for (const auto& [name, changes] : {std::pair{"phase", example_phases}, {"limit", example_limits}})
      for (const auto& [from, value] : changes)
        if (from == cycle) expected += fmt::format("{} {} {}\n", cycle, name, value);
  }
  EXPECT_EQ(verif::simulated(hw::iacm_controller(example_params(), "unit"), bench), expected);
}

TEST(IacmController, PhasesOfEachOrder) {
  EXPECT_THAT(phases(IacmOrder::adi_awl, steady, 200), ElementsAre(0, 1, 2));
  EXPECT_THAT(phases(IacmOrder::awl_adi, steady, 200), ElementsAre(1, 0, 2));
  EXPECT_THAT(phases(IacmOrder::parallel, steady, 200), ElementsAre(3, 1, 2));
  EXPECT_THAT(phases(IacmOrder::adi, steady, 200), ElementsAre(0, 2));
  EXPECT_THAT(phases(IacmOrder::awl, steady, 200), ElementsAre(1, 2));
  EXPECT_THAT(phases(IacmOrder::adi_awl, best_at_4, 200), ElementsAre(0, 1, 0, 1, 2)) << "8 to 4 has moved";
  EXPECT_THAT(phases(IacmOrder::awl_adi, best_at_4, 200), ElementsAre(1, 0, 1, 0, 2));
  EXPECT_THAT(phases(IacmOrder::awl, best_at_4, 200), ElementsAre(1, 2))
      << "one phase after the other is one here";
}

TEST(IacmController, KernelsBeginRehashed) {
  IacmController unit(example_params());
  for (int cycle = 0; cycle < 18; ++cycle) unit.edge({.issued = 8, .round_done = true});
  EXPECT_LT(unit.limit(), 8);
  unit.edge({.kernel_start = true, .total = 5, .issued = 64, .round_done = true});
  EXPECT_EQ(unit.limit(), 5);
  EXPECT_TRUE(unit.adi_start());
  EXPECT_EQ(unit.phase(), 0);
  EXPECT_EQ(unit.watch().ipc(), 0);
  unit.edge({.round_done = true});
  EXPECT_FALSE(unit.adi_start());
  EXPECT_EQ(unit.adi(), IacmController::Adi::round) << "nothing ends in the cycle of its start";
}

TEST(IacmController, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 2'000'000 : 150'000;
  auto settings = small("parallel", 7, 4, 5);
  settings.insert(settings.end(), {"iacm.adi_change=[2, 5]", "iacm.idle_change=[1, 3]"});
  verif::expect_same("iacm_controller", settings, cycles, verif::fresh_seed(5));
}

// As shipped: periods are long, and each goal is reached nevertheless.
TEST(IacmController, LockStepAtDefaults) {
  verif::expect_same("iacm_controller", {}, 2'000'000, verif::fresh_seed(1));
}

// Which of AWL's cells and results a default run of this seed does not come to.
std::set<std::string> not_reached(std::uint64_t seed) {
  const hw::IacmParams p;
  std::set<std::string> left = verif::awl_reach(p.awl).cells;
  left.merge(verif::awl_results(p.awl));
  std::mt19937_64 draw(seed);
  verif::IacmStimulus stimulus(p);
  stimulus.aim_at_searches();
  IacmController unit(p);
  for (int cycle = 0; cycle < 2'000'000 && !left.empty(); ++cycle) {
    const verif::IacmInputs in = stimulus.draw(draw, unit);
    const golden::Awl before = unit.awl();
    in.rst ? unit.reset() : unit.edge(in.in);
    if (in.rst || in.in.kernel_start) continue;
    for (const std::string& goal : verif::awl_reached(p.awl, before, unit.awl(), in.in.issued))
      stimulus.reached(goal), left.erase(goal);
  }
  return left;
}

// Not with a fortunate seed alone: seeds 12, 33 and 38 missed one while kernels cut every way short.
TEST(IacmController, SearchesReachEachGoalWithEverySeed) {
  for (std::uint64_t seed = 1; seed <= (verif::full_tier() ? 100u : 40u); ++seed)
    EXPECT_THAT(not_reached(seed), testing::IsEmpty()) << "seed " << seed;
}

TEST(IacmController, StoresWhatTheSpecificationCounts) {
  const auto bits = [](const std::vector<std::string>& settings) {
    return gen::published_bits(gen::elaborate(gen::load_config("iacm_controller", settings)).accounts);
  };
  EXPECT_EQ(bits({}), 74 + 38);
  EXPECT_EQ(bits({"limit.scope=core", "limit.warps=48"}), 78 + 38);
  EXPECT_EQ(bits({"iacm.order=adi"}), 38);
}

TEST(IacmController, Refusals) {
  EXPECT_EQ(
      refusal({"iacm.order=none"}),
      "-s iacm.order=none: iacm.order = none: must be an order: a controller runs ADI or AWL; use adi_awl, "
      "the thesis'");
  EXPECT_EQ(refusal({"iacm.adi_idle=1"}),
            "-s iacm.adi_idle=1: iacm.adi_idle = 1: must be from 2 to 1048576; the nearest is 2");
  EXPECT_EQ(refusal({"iacm.idle_change=[]"}),
            "-s iacm.idle_change=[]: iacm.idle_change = []: must be two numbers, numerator and denominator; "
            "use [1, "
            "4], the thesis'");
}

// The sound unit runs here, too.
TEST(IacmController, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"a_rest_is_short", "", "period_ends", "LAST_REST_CYCLE", stuck(4)},
      {"a_period_of_idle_is_long", "", "period_ends", "LAST_IDLE_CYCLE", stuck(5)},
      {"empty_periods_are_judged", "", "judged", "ipc_some", high()},
      {"one_rest_is_enough", "", "adi_ends", "first_q", low()},
      {"a_changed_ipc_brings_no_round", "", "adi_again", "ipc_changed", low()},
      {"idle_ends_with_its_first_period", "", "wakes", "~first_q", high()},
      {"idle_never_ends", "", "wakes", "ipc_changed", low()},
      {"moved_or_not_it_is_idle", "", "first_begins", "awl_moved", low()},
      {"never_idle", "", "first_begins", "awl_moved", high()},
      {"a_round_ends_as_it_begins", "", "rests", "~adi_start_q", high()},
      {"a_kernel_keeps_its_rest", "", "rest_q", "~kernel_start", high()},
      {"a_kernel_keeps_counts", "", "counts", "~kernel_start", high()},
      {"exactly_the_fraction_more", "", "ipc_changed_up_over", "", verif::one_more()},
      {"exactly_the_fraction_less", "", "ipc_changed_least_less", "11'h1", low()},
      {"less_is_no_change", "", "ipc_changed", "ipc_changed_stays", high()},
      {"the_bounds_lag_a_carry", "", "ipc_changed_most", "ipc_changed_most_low[6]", low()},
      {"awl_begins_never", "", "awl_start_q", "second_begins", low()},
      {"a_phase_knows_the_rest_of_another", "", "first_q", "first_begins", low()}};
  verif::expect_all_found("iacm_controller", small("adi_awl", 24, 5, 6), faults, {.cycles = 150'000});
}
