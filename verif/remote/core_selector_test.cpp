// Core selector: the worked examples on model and Verilog, its cycles, the distribution of its draws, lock
// step, storage, refusals, injected faults.
#include "golden/remote/core_selector.h"

#include <cmath>

#include "gen/unit/unit.h"
#include "hw/remote/core_selector.h"
#include "verif/icarus.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::CoreDraw, golden::CoreSelector;
using verif::high, verif::low, verif::other, verif::stuck;

const std::vector<std::string> small{"topology.cores=7",      "selector.core=3",    "remote.coverage=4",
                                     "remote.probes=3",       "selector.period=64", "selector.count_bits=4",
                                     "remote.probability=0.2"};

// A reply in the cycle.
struct Replied {
  int cycle = 0, core = 0;
};

std::string line_of(int cycle, int probes, const std::vector<int>& targets) {
  return fmt::format("{}: {} of {}\n", cycle, fmt::join(targets, " "), probes);
}

// Lists that are taken at once, by the cycle in which they are there.
std::string lists(const hw::CoreSelectorParams& p, int cycles, const std::vector<Replied>& replies = {}) {
  CoreSelector unit(p);
  std::string text;
  for (int cycle = 0; cycle <= cycles; ++cycle) {
    if (unit.valid()) text += line_of(cycle, unit.list().probes, unit.list().targets);
    const auto reply = std::ranges::find(replies, cycle, &Replied::cycle);
    const bool comes = reply != replies.end();
    unit.edge({.take = true, .reply = comes, .core = comes ? reply->core : 0});
  }
  return text;
}

std::string lists_in_verilog(const hw::CoreSelectorParams& p, int cycles,
                             const std::vector<Replied>& replies = {}, const std::string& at_the_end = "") {
  const int core_bits = rtl::clog2(static_cast<std::uint64_t>(p.cores)),
            probe_bits = hw::probe_count_bits(p.probes);
  std::string wires, pins, format, values, come;
  for (int t = 0; t < p.coverage; ++t) {
    wires += fmt::format("  wire [{}:0] target{};\n", core_bits - 1, t);
    pins += fmt::format(", .target{0}(target{0})", t);
    format += t ? " %0d" : "%0d";
    values += fmt::format("target{}, ", t);
  }
  for (const Replied& r : replies)
    come += fmt::format("      if (n == {}) begin reply = 1; core = {}; end\n", r.cycle, r.core);
  const std::string bench = fmt::format(
      "module bench;\n  reg clk = 0, rst = 1, reply = 0;\n  reg [{0}:0] core = 0;\n  wire valid;\n  wire "
      "[{1}:0] "
      "probes;\n{2}  integer n;\n"
      "  unit dut(.clk(clk), .rst(rst), .take(1'b1), .reply(reply), .reply_core(core), .clear(1'b0), "
      ".valid(valid), .probes(probes){3});\n"
      "  initial begin\n    #1 clk = 1; #1 clk = 0; rst = 0;\n"
      "    for (n = 0; n <= {4}; n = n + 1) begin\n      reply = 0;\n{5}"
      "      #1 if (valid) $display(\"%0d: {6} of %0d\", n, {7}probes);\n"
      "      clk = 1; #1 clk = 0;\n    end\n{8}    $finish;\n  end\nendmodule\n",
      core_bits - 1, probe_bits - 1, wires, pins, cycles, come, format, values, at_the_end);
  return verif::simulated(hw::core_selector(p, "unit"), bench);
}

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("core_selector", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

// Of four cores, by replies 5, 3 and 2 of the others.
CoreDraw weighed() {
  CoreDraw draw({.cores = 4, .coverage = 3});
  for (const int core : {1, 1, 1, 1, 1, 2, 2, 2, 3, 3}) draw.count(core);
  draw.double_counts();
  draw.fill_gaps();
  return draw;
}

}  // namespace

TEST(CoreSelector, WorkedExamples) {
  const std::string first = "11: 8 21 25 14 26 of 1\n22: 11 7 2 13 6 of 2\n";
  EXPECT_EQ(lists({}, 22), first);
  EXPECT_EQ(lists_in_verilog({}, 22), first);
  const hw::CoreSelectorParams ideal{.core = 3, .coverage = 15, .probability = 0.2};
  const std::string second = "31: 8 26 5 20 7 9 11 10 2 25 0 13 1 12 24 of 1\n";
  EXPECT_EQ(lists(ideal, 31), second);
  EXPECT_EQ(lists_in_verilog(ideal, 31), second);
}

TEST(CoreSelector, WeightsOfTheWorkedExample) {
  CoreDraw draw({.cores = 5, .coverage = 3});
  for (const int core : {1, 1, 1, 1, 1, 2, 2, 2, 3, 3}) draw.count(core);
  draw.double_counts();
  EXPECT_EQ(draw.weights(), (std::vector{0, 10, 6, 4, 0}));
  draw.fill_gaps();
  EXPECT_EQ(draw.weights(), (std::vector{0, 10, 6, 4, 2}));
  std::vector<Replied> replies;
  for (const int core : {1, 1, 1, 1, 1, 2, 2, 2, 3, 3})
    replies.push_back({10 + static_cast<int>(replies.size()), core});
  const hw::CoreSelectorParams p{.cores = 5, .coverage = 3, .period = 64};
  EXPECT_THAT(lists_in_verilog(
                  p, 80, replies,
                  "    $display(\"%0d %0d %0d %0d\", dut.cores.weight_q[10:0], dut.cores.weight_q[21:11], "
                  "dut.cores.weight_q[32:22], dut.cores.weight_q[43:33]);\n"),
              testing::EndsWith("\n10 6 4 2\n"));
  EXPECT_EQ(lists_in_verilog(p, 400, replies), lists(p, 400, replies));
}

// 4C + 1 cycles a list with stages, of the same cores; behind the end of a period two passes over 28 cores.
TEST(CoreSelector, StagesDrawTheSameCores) {
  const std::string first = "21: 8 21 25 14 26 of 1\n42: 11 7 2 13 6 of 2\n";
  EXPECT_EQ(lists({.stages = 2}, 42), first);
  EXPECT_EQ(lists_in_verilog({.stages = 2}, 42), first);
  CoreSelector unit({.coverage = 7, .period = 64, .stages = 2});
  std::vector<int> seen;
  for (int cycle = 0; cycle < 200; ++cycle) {
    if (unit.valid()) seen.push_back(cycle);
    unit.edge({.take = true});
  }
  EXPECT_EQ(seen, (std::vector{29, 58, 87, 176}));  // 87 + 2 + 2 * 29 + 29
}

// 2C + 1 cycles a list, and 2 more behind the end of a period.
TEST(CoreSelector, CyclesOfAList) {
  for (const hw::SelectorKind kind : {hw::SelectorKind::supplier, hw::SelectorKind::index}) {
    CoreSelector unit({.coverage = 7, .kind = kind, .period = 64});
    std::vector<int> seen;
    for (int cycle = 0; cycle < 100; ++cycle) {
      if (unit.valid()) seen.push_back(cycle);
      unit.edge({.take = true});
    }
    EXPECT_EQ(seen, (std::vector{15, 30, 45, 60, 75, 92}));
  }
}

TEST(CoreSelector, NeighboursInTurn) {
  const hw::CoreSelectorParams p{.cores = 6, .core = 4, .coverage = 3, .kind = hw::SelectorKind::index};
  EXPECT_EQ(lists(p, 14), "7: 5 0 1 of 1\n14: 5 0 1 of 2\n");
  EXPECT_EQ(lists_in_verilog(p, 14), lists(p, 14));
}

// Over all states of the LFSR, 4 draws a list. What one step a draw would give: 52 % instead of 71.
TEST(CoreSelector, DrawsByWeight) {
  CoreDraw draw = weighed();
  std::map<int, int> first, behind_2;
  constexpr int lists = 65'535;
  for (int n = 0; n < lists; ++n) {
    draw.number();
    const int one = draw.core({}), two = draw.core({one});
    ++first[one];
    if (one == 2) ++behind_2[two];
    draw.core({one, two});
  }
  for (const auto& [core, weight] : {std::pair{1, 10}, {2, 6}, {3, 4}})
    EXPECT_NEAR(first[core], lists * weight / 20.0, 2) << core;
  EXPECT_NEAR(100.0 * behind_2[1] / first[2], 71.4, 1.0);
}

TEST(CoreSelector, ProbesByProbability) {
  for (const double p : {0.0, 0.2, 0.5, 1.0}) {
    CoreSelector unit({.cores = 3, .coverage = 1, .probes = 1, .probability = p});
    int lists = 0, all = 0;
    while (lists < 20'000) {
      if (unit.valid()) ++lists, all += unit.list().probes;
      unit.edge({.take = true});
    }
    EXPECT_NEAR(all, 20'000 * p, p > 0 && p < 1 ? 300 : 0) << p;
  }
  EXPECT_EQ(hw::probability_65536ths({.probability = 0.2}), 13'107u);
}

TEST(CoreSelector, LockStep) {
  const bool full = verif::full_tier();
  verif::expect_same("core_selector", {}, full ? 3'000'000 : 500'000, verif::fresh_seed(5));
  verif::expect_same("core_selector", {"selector.stages=2"}, full ? 3'000'000 : 300'000,
                     verif::fresh_seed(15));
  if (!full) return;
  for (const char* probability : {"0", "0.2", "0.5", "1"})
    for (const int coverage : {1, 6, 11})
      verif::expect_same(
          "core_selector",
          {"topology.cores=12", "selector.core=11", "selector.period=100", "selector.count_bits=4",
           fmt::format("remote.coverage={}", coverage), fmt::format("remote.probability={}", probability)},
          500'000, verif::fresh_seed(6));
  for (const char* stages : {"selector.stages=0", "selector.stages=2"}) {
    verif::expect_same("core_selector",
                       {"topology.cores=2", "remote.coverage=1", "selector.period=64", stages}, 300'000, 7);
    verif::expect_same(
        "core_selector",
        {"topology.cores=128", "selector.core=77", "remote.coverage=43", "selector.period=700", stages},
        300'000, 9);
  }
  verif::expect_same("core_selector", {"selector.kind=index", "selector.period=64", "remote.probes=4"},
                     300'000, 8);
}

TEST(CoreSelector, StoresWhatTheSpecificationCounts) {
  const gen::Unit unit = gen::elaborate(gen::load_config("core_selector", {}));
  EXPECT_EQ(gen::published_bits(unit.accounts), 613 + 27);
  EXPECT_EQ(unit.latency, 11);
}

TEST(CoreSelector, Refusals) {
  EXPECT_EQ(
      refusal({"remote.probability=1.5"}),
      "-s remote.probability=1.5: remote.probability = 1.5: must be a number from 0 to 1; the nearest is 1");
  EXPECT_EQ(refusal({"remote.coverage=28"}),
            "-s remote.coverage=28: remote.coverage = 28: must be from 1 to the 27 other cores; use 5");
  EXPECT_EQ(refusal({"topology.cores=64", "remote.coverage=44"}),
            "-s remote.coverage=44: remote.coverage = 44: must be from 1 to 43");
  EXPECT_EQ(refusal({"selector.core=28"}),
            "-s selector.core=28: selector.core = 28: must be below the 28 of topology.cores; use 0");
  EXPECT_EQ(refusal({"selector.stages=1"}),
            "-s selector.stages=1: selector.stages = 1: must be 0 or 2; use 0");
  EXPECT_EQ(refusal({"selector.period=63"}),
            "-s selector.period=63: selector.period = 63: must be from 64 to 65535; the nearest is 64");
}

// The sound unit runs here, too.
TEST(CoreSelector, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"a_period_is_short", "", "last", "LAST_CYCLE", stuck(62)},
      {"a_roll_is_lost", "", "roll_q", "~rolls", low()},
      {"a_roll_stays", "", "roll_q", "~rolls", high()},
      {"draws_before_the_list_is_taken", "", "free", "~valid_q | take", high()},
      {"rolls_into_a_list", "", "begins", "~roll_q", high()},
      {"a_target_short", "", "completes", "LAST_TARGET", stuck(2)},
      {"a_list_stays_valid", "", "valid_q", "~take", high()},
      {"a_clear_leaves_the_list", "", "valid_q", "~clear", high()},
      {"a_clear_steps_the_lfsr", "", "lfsr_q", "~clear", high()},
      {"one_number_for_a_list", "", "lfsr_q", "draws", low()},
      {"always_all_probes", "", "probes_q", "lfsr_q < 16'h3333", high()},
      {"counts_wrap", "_weights", "count_q", "~(&count_q[of * 4 +: 4])", high()},
      {"a_reply_is_lost_in_a_roll", "_weights", "count_q", "replied[of]", low()},
      {"a_count_of_0_is_the_smallest", "_weights", "rank", "|count_q[rank_of * 4 +: 4]", high()},
      {"no_reply_no_weight", "_weights", "half", "smallest[4]", low()},
      {"weights_are_not_smoothed", "_weights", "weight_q", "smooths", low()},
      {"all_weights_are_smoothed", "_weights", "weight_q", "|weight_q[to * 5 +: 5]", low()},
      {"a_clear_leaves_weights", "_weights", "weight_q", "clear", low()},
      {"cores_are_drawn_twice", "_draw", "left", "~chosen_q[weight]", high()},
      {"chosen_cores_are_kept", "_draw", "chosen_q", "completes", low()},
      {"the_total_stays", "_draw", "total_q", "target_weight", low()},
      {"a_sum_at_the_point", "_draw", "above_from_2", "point_q < {1'd0, sums_from_2_q[sum2 * 7 +: 7]}",
       verif::other_tie()},
      {"sums_are_not_added", "_sums", "sums_of_4", "at1[1]", low()}};
  verif::expect_all_found("core_selector", small, faults);
}

TEST(CoreSelector, EveryInjectedFaultOfTheStagesIsFound) {
  std::vector<std::string> staged = small;
  staged.push_back("selector.stages=2");
  const std::vector<verif::Fault> faults{
      {"a_weight_is_added_twice", "_scan", "counts", "~last_cycle", high()},
      {"a_clear_leaves_a_pass", "_scan", "core_q", "clear", low()},
      {"a_count_of_0_is_the_smallest", "_scan", "rank", "|count", high()},
      {"the_smallest_stays", "_scan", "least_q", "first", low()},
      {"no_reply_no_weight", "_scan", "half", "least_q[4]", low()},
      {"a_sum_begins_with_the_last", "_scan", "sum_q", "first", low()},
      {"a_clear_leaves_sums", "_scan", "sums_q", "clear", low()},
      {"the_triple_stays", "_scan", "triple_q", "last", low()},
      {"a_list_begins_with_a_target", "_draw", "weight_q", "begins", low()},
      {"a_list_begins_with_what_is_left", "_draw", "sums_q", "begins", low()},
      {"the_triple_is_subtracted_once", "_draw", "triple_q", "subtracts", low()},
      {"the_top_digit_is_odd", "_draw", "multiple7", "random[15]", low()},
      {"the_fraction_has_no_carry", "_draw", "point_q", "fraction[16]", low()},
      {"a_sum_at_the_point", "_draw", "above", "point_q < sums_q[compared * 8 +: 8]", verif::other_tie()},
      {"weights_are_not_smoothed", "_weights", "weight_q", "smooths", low()}};
  verif::expect_all_found("core_selector", staged, faults);
}
