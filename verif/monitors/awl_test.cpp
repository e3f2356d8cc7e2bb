// Adaptive warp limiting: the worked examples on model and Verilog, what searches can come to, lock step at
// odd sizes, storage, refusals, injected faults.
#include "golden/monitors/awl.h"

#include "cosim/stimulus/awl_cells.h"
#include "gen/unit/unit.h"
#include "hw/monitors/awl.h"
#include "verif/icarus.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using testing::ElementsAreArray;
using verif::high, verif::low, verif::other_tie, verif::stuck;

// One search: IPC by count of warps (of the tried ones), the counts of its periods, and its
// result.
struct Search {
  std::map<int, int> ipc;
  std::vector<int> counts;
  int result;
  bool moved;
};

struct Example {
  int warps;
  hw::LinearFrom linear_from;
  std::vector<Search> searches;
};

std::map<int, int> stepped(int best, int most) {
  std::map<int, int> ipc;
  for (int count = 1; count <= most; ++count) ipc[count] = count <= best ? 20 : 10;
  return ipc;
}

std::map<int, int> growing(int most) {
  std::map<int, int> ipc;
  for (int count = 1; count <= most; ++count) ipc[count] = count;
  return ipc;
}

const std::vector<Example> examples{
    {24,
     hw::LinearFrom::upper,
     {{{{24, 20}, {12, 30}, {6, 40}, {5, 44}, {4, 42}, {3, 35}}, {24, 12, 6, 3, 6, 5, 4}, 5, true},
      {{{5, 30}, {2, 20}, {10, 40}, {20, 38}, {19, 39}, {18, 37}}, {5, 2, 5, 10, 20, 20, 19, 18}, 19, true}}},
    {24, hw::LinearFrom::upper, {{growing(24), {24, 12, 24}, 24, false}}},
    {8,
     hw::LinearFrom::upper,
     {{stepped(4, 8), {8, 4, 2, 4, 3, 4, 5}, 4, true},
      {stepped(4, 8), {4, 2, 4, 8, 8, 7, 8}, 8, true},
      {stepped(4, 8), {8, 4, 2, 4, 3, 4, 5}, 4, true}}},
    {8,
     hw::LinearFrom::best,
     {{stepped(4, 8), {8, 4, 2, 4, 3, 4, 5}, 4, true}, {stepped(4, 8), {4, 2, 4, 8, 4, 3, 4, 5}, 4, false}}}};

// Periods of two cycles, in the first of which all is issued.
hw::AwlParams params_of(const Example& example) {
  return {.warps = example.warps, .linear_from = example.linear_from, .period = 2};
}

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("awl", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

std::vector<std::string> small(int warps, int period, const std::string& linear_from = "upper") {
  return {fmt::format("limit.warps={}", warps), fmt::format("iacm.period={}", period),
          "limit.linear_from=" + linear_from};
}

std::int64_t stored_bits(const std::vector<std::string>& settings) {
  return gen::published_bits(gen::elaborate(gen::load_config("awl", settings)).accounts);
}

}  // namespace

TEST(Awl, WorkedExamples) {
  for (const Example& example : examples) {
    golden::Awl unit(params_of(example));
    for (const Search& search : example.searches) {
      std::vector<int> counts;
      unit.edge({.start = true});
      while (unit.busy()) {
        counts.push_back(unit.limit());
        unit.edge({.issued = search.ipc.at(unit.limit())});
        unit.edge({.start = true});
      }
      EXPECT_THAT(counts, ElementsAreArray(search.counts));
      EXPECT_TRUE(unit.done());
      EXPECT_EQ(unit.limit(), search.result);
      EXPECT_EQ(unit.moved(), search.moved);
      unit.edge({});
      EXPECT_FALSE(unit.done());
    }
  }
}

TEST(Awl, WorkedExamplesInVerilog) {
  for (const Example& example : examples) {
    const hw::AwlParams p = params_of(example);
    const int bits = hw::warp_count_bits(p);
    std::string expected,
        bench = fmt::format(
            "module bench;\n  reg clk = 0, rst = 1, start = 0;\n  reg [6:0] ipc [0:{0}];\n  reg [6:0] issued "
            "= 0;\n"
            "  wire [{1}:0] limit;\n  wire busy, done, moved;\n  integer n;\n"
            "  unit dut(.clk(clk), .rst(rst), .kernel_start(1'b0), .total({2}'d1), .start(start), "
            ".issued(issued), "
            ".limit(limit), .busy(busy), .done(done), .moved(moved));\n"
            "  task search;\n    begin\n      start = 1; #1 clk = 1; #1 clk = 0; start = 0;\n"
            "      while (busy) begin\n        $write(\"%0d \", limit);\n        issued = ipc[limit];\n"
            "        #1 clk = 1; #1 clk = 0; issued = 0; #1 clk = 1; #1 clk = 0;\n      end\n"
            "      $display(\"result %0d %b%b\", limit, done, moved);\n    end\n  endtask\n"
            "  initial begin\n    #1 clk = 1; #1 clk = 0; rst = 0;\n",
            example.warps, bits - 1, bits);
    for (const Search& search : example.searches) {
      bench += fmt::format("    for (n = 0; n <= {}; n = n + 1) ipc[n] = 0;\n", example.warps);
      for (const auto& [count, ipc] : search.ipc) bench += fmt::format("    ipc[{}] = {};\n", count, ipc);
      bench += "    search;\n";
      for (const int count : search.counts) expected += fmt::format("{} ", count);
      expected += fmt::format("result {} 1{:d}\n", search.result, search.moved);
    }
    bench += "    $finish;\n  end\nendmodule\n";
    EXPECT_EQ(verif::simulated(hw::awl(p, "unit"), bench), expected);
  }
}

TEST(Awl, CountsThePeriodBehindTheStart) {
  golden::Awl unit({.warps = 4, .period = 2});
  unit.edge({.start = true, .issued = 64});
  EXPECT_TRUE(unit.busy());
  EXPECT_EQ(unit.ipc(), 0) << "the cycle of the start does not count";
  for (int cycle = 0; cycle < 4; ++cycle) unit.edge({});
  EXPECT_EQ(unit.limit(), 4) << "nothing was issued";
  unit.edge({});
  unit.edge({.issued = 1});
  EXPECT_EQ(unit.limit(), 2) << "the last cycle counts";
  unit.edge({.kernel_start = true, .total = 1, .start = true});
  EXPECT_FALSE(unit.busy());
  EXPECT_EQ(unit.limit(), 1);
  unit.edge({.start = true});
  EXPECT_TRUE(unit.done()) << "one warp is its own result";
  EXPECT_FALSE(unit.busy() || unit.moved());
}

// Over every sequence of IPCs of a search: docs/contracts/iacm.md has its limits and its length.
TEST(Awl, SearchesStayWithinTheirBounds) {
  for (const auto from : {hw::LinearFrom::upper, hw::LinearFrom::best})
    for (const int warps : {2, 3, 5, 7, 8, 15, 24, 31, 33, 48, 64}) {
      const verif::AwlReach reach = verif::awl_reach({.warps = warps, .linear_from = from});
      EXPECT_GE(reach.least, 1) << warps;
      EXPECT_LE(reach.most_over_total, 0) << warps;
      EXPECT_LE(reach.longest, 2 * warps + 8) << warps;
      if (warps == 24) {
        EXPECT_EQ(reach.longest, from == hw::LinearFrom::best ? 21 : 20);
      }
    }
}

TEST(Awl, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 4'000'000 : 200'000;
  verif::expect_same("awl", small(13, 3, "best"), cycles, verif::fresh_seed(5));
}

// As shipped: periods are long, and each goal is reached nevertheless.
TEST(Awl, LockStepAtDefaults) {
  verif::expect_same("awl", {}, verif::full_tier() ? 4'000'000 : 2'000'000, verif::fresh_seed(1));
}

// A stimulus that aims at nothing leaves goals out, and that alone fails the run.
TEST(Awl, GoalsAreMissedWithoutAim) {
  const auto change = [](gen::ProgramSource& source) {
    const std::string bench = "verif::AwlBench<Vdut, params>", run = "int run(";
    source.name += "_without_aim";
    source.main.replace(source.main.find(bench), bench.size(), "WithoutAim");
    source.main.insert(
        source.main.find(run),
        "struct WithoutAim : " + bench +
            " {\n  Inputs draw(std::mt19937_64& draw) {\n"
            "    return {.in = {.total = 24, .start = true, .issued = static_cast<int>(draw() % 65)}};"
            "\n  }\n};\n");
  };
  const verif::LockStep run = verif::lock_step("awl", {}, 100'000, 1, change);
  EXPECT_EQ(run.status, 1) << run.output;
  EXPECT_TRUE(run.report["mismatches"].empty());
  const auto& coverage = run.report["coverage"];
  EXPECT_THAT(coverage["missed"].get<std::vector<std::string>>(),
              testing::IsSupersetOf({"one by one down ends at half", "result exactly the fraction above"}));
  EXPECT_EQ(coverage["goals"].get<std::size_t>(),
            coverage["reached"].get<std::size_t>() + coverage["missed"].size());
}

// Those of a run of one cycle are those of any.
TEST(Awl, GoalsDependOnNoLength) {
  const auto goals = [](std::int64_t cycles) {
    std::vector<std::string> names;
    for (const auto& [goal, times] :
         verif::lock_step("awl", {}, cycles, 1).report["coverage"]["counts"].items())
      names.push_back(goal);
    return names;
  };
  EXPECT_EQ(goals(1), goals(50'000));
}

TEST(Awl, StoresWhatTheSpecificationCounts) {
  EXPECT_EQ(stored_bits({}), 74);
  EXPECT_EQ(stored_bits({"limit.scope=core", "limit.warps=48"}), 78);
  EXPECT_EQ(gen::elaborate(gen::load_config("awl", {})).facts["published_bits_of_16_cores"], 1184);
}

TEST(Awl, Refusals) {
  EXPECT_EQ(refusal({"limit.warps=65"}),
            "-s limit.warps=65: limit.warps = 65: must be from 1 to 64; the nearest is 64");
  EXPECT_EQ(refusal({"iacm.period=1"}),
            "-s iacm.period=1: iacm.period = 1: must be from 2 to 1048576; the nearest is 2");
  EXPECT_EQ(refusal({"iacm.issue_max=1025"}),
            "-s iacm.issue_max=1025: iacm.issue_max = 1025: must be from 1 to 1024; the nearest is 1024");
  EXPECT_EQ(
      refusal({"iacm.warp_change=[1]"}),
      "-s iacm.warp_change=[1]: iacm.warp_change = [1]: must be two numbers, numerator and denominator; "
      "use [1, 4], the thesis'");
  EXPECT_EQ(
      refusal({"iacm.warp_change=[1, 0]"}),
      "-s iacm.warp_change=[1, 0]: iacm.warp_change = [1, 0]: must be a fraction of terms up to 255, its "
      "denominator not 0; use [1, 4], the thesis'");
  EXPECT_EQ(refusal({"iacm.warp_change=[255, 1]", "limit.linear_from=best"}), "");
}

// The sound unit runs here, too.
TEST(Awl, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"period_one_short", "", "last", "LAST_CYCLE", stuck(2)},
      {"the_last_cycle_is_missed", "", "pays_over", "{2'd0, issued}", low()},
      {"an_equal_ipc_pays", "", "pays_over", "", verif::one_more()},
      {"a_carry_is_missed", "", "pays", "pays_over[8]", low()},
      {"with_equal_upper_bits_nothing_pays", "", "pays", "|pays_over[8:7]", low()},
      {"empty_periods_are_judged", "", "judged", "ipc_some", high()},
      {"a_start_begins_rehashed", "", "begins", "~busy_q", high()},
      {"one_warp_is_searched", "", "busy_q", "~alone", high()},
      {"no_cut_at_all_warps", "", "twice", "{1'd0, total_q} < doubled", low()},
      {"halving_does_not_end_at_1", "", "paying_ends", "at_one", low()},
      {"doubling_does_not_end_at_all", "", "paying_ends", "at_all", low()},
      {"one_by_one_down_does_not_end", "", "paying_ends", "at_half", low()},
      {"one_by_one_up_does_not_end", "", "paying_ends", "at_twice", low()},
      {"halving_never_turns", "", "turns", "at_half", low()},
      {"one_by_one_never_turns", "", "turns", "below", low()},
      {"the_count_before_is_the_next", "", "back", "up_q", low()},
      {"the_origin_is_not_renewed", "", "origin_q", "~turns", low()},
      {"exactly_the_fraction_more_has_moved", "", "back_moved", "back_moved_most < back_moved_scaled",
       other_tie()},
      {"exactly_the_fraction_less_has_moved", "", "back_moved", "back_moved_scaled < back_moved_least",
       other_tie()},
      {"a_kernel_keeps_the_result", "", "settled_q", "kernel_start", low()},
      {"a_kernel_searches_on", "", "busy_q", "~kernel_start", high()},
      {"done_in_each_cycle", "", "done_q", "ends", high()},
      {"reset_to_one_warp", "", "active_q", verif::reset_value, stuck(1)}};
  verif::expect_all_found("awl", small(24, 4), faults, {.cycles = 200'000});
}
