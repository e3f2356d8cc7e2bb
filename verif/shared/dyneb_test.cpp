// DynEB: the worked examples on model and Verilog, its comparison against exact fractions, lock step with
// each metric and each end of a sample, storage, refusals, injected faults.
#include "golden/shared/dyneb.h"

#include <random>

#include "cosim/units/dyneb_fractions.h"
#include "gen/unit/unit.h"
#include "hw/shared/dyneb_evaluation.h"
#include "verif/icarus.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::Dyneb, golden::DynebCause, golden::DynebSample;
using verif::high, verif::low, verif::other, verif::other_tie, verif::stuck;

constexpr hw::DynebParams defaults;
constexpr hw::DynebParams amat{.metric = hw::DynebMetric::amat};

// The worked examples: what a sample comes to.
const std::vector<std::pair<DynebSample, DynebCause>> examples{
    {{.group = {{{14336, 8602, 8602, 0}, {14336, 2867, 2867, 13824}}}}, DynebCause::shared},
    {{.group = {{{14336, 1433, 1433, 0}, {14336, 2867, 2867, 13824}}}}, DynebCause::few_misses},
    {{.group = {{{100, 50, 50, 0}, {100, 50, 50, 0}}}}, DynebCause::tie}};

// Counters from all over their range, its ends and small ones among them; misses are not above accesses.
DynebSample random_sample(std::mt19937_64& draw) {
  const auto number = [&](std::uint64_t most) {
    const auto kind = draw() % 8;
    return kind == 0 ? 0 : kind == 1 ? most : kind < 4 ? std::min(most, draw() % 9) : draw() % (most + 1);
  };
  DynebSample sample;
  for (auto& g : sample.group) {
    g.accesses = number(Dyneb::most), g.misses = number(g.accesses);
    g.slice_replies = number(Dyneb::most), g.home_replies = number(Dyneb::most);
  }
  sample.sent = number(Dyneb::most), sample.sent_missed = number(sample.sent);
  if (draw() % 4 == 0) sample.group[1] = sample.group[0];
  return sample;
}

std::vector<DynebSample> random_samples(std::size_t number) {
  std::mt19937_64 draw(3);
  std::vector<DynebSample> samples;
  for (const auto& [sample, cause] : examples) samples.push_back(sample);
  while (samples.size() < number) samples.push_back(random_sample(draw));
  return samples;
}

verif::DynebTally tally(const DynebSample& s, int odd) {
  const auto& g = s.group[static_cast<std::size_t>(odd)];
  return {g.accesses, g.misses, g.slice_replies, g.home_replies, odd ? s.sent : 0, odd ? s.sent_missed : 0};
}

std::vector<std::string> small(const std::string& metric, bool served) {
  return {"dyneb.metric=" + metric, "dyneb.sample_accesses=13", "dyneb.execute_accesses=37",
          "dyneb.sample_cap=150",   "dyneb.execute_cap=90",     fmt::format("dyneb.count_served={}", served)};
}

std::string refusal(const std::string& setting) {
  try {
    gen::elaborate(gen::load_config("dyneb", {setting}));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(Dyneb, WorkedExamples) {
  for (const auto& [sample, cause] : examples) EXPECT_EQ(golden::compared(defaults, sample), cause);
  const auto& [even, odd] = examples[0].first.group;
  EXPECT_EQ((odd.slice_replies * odd.accesses + odd.home_replies * odd.misses) * even.misses,
            694'480'061'440u);
  EXPECT_EQ(even.slice_replies * even.accesses * odd.misses, 353'553'485'824u);
}

// 512 loads in even sets, 512 in odd ones, one a cycle from reset on.
TEST(Dyneb, PhasesOfTheWorkedExample) {
  Dyneb unit(defaults);
  std::map<int, std::pair<int, int>> cycles;  // phase -> first and last
  for (int cycle = 0; cycle < 1160; ++cycle) {
    const int phase = static_cast<int>(unit.phase());
    cycles.try_emplace(phase, cycle, cycle).first->second.second = cycle;
    unit.edge({.probe = {.valid = cycle < 1024, .odd = cycle >= 512, .miss = true}});
  }
  EXPECT_EQ(cycles[0], std::pair(0, 1024));
  EXPECT_EQ(cycles[1], std::pair(1025, 1151));
  EXPECT_EQ(cycles[2], std::pair(1152, 1152));
  EXPECT_EQ(cycles[3].first, 1153);
}

TEST(Dyneb, DrainWaitsForAllAnswers) {
  Dyneb unit({.sample_accesses = 1, .execute_accesses = 1});
  unit.edge({.request = {.valid = true}, .probe = {.valid = true}});
  unit.edge({.probe = {.valid = true, .odd = true}});
  for (int cycle = 0; cycle < 128; ++cycle) unit.edge({});
  for (int cycle = 0; cycle < 5; ++cycle) {
    EXPECT_TRUE(unit.draining() && unit.hold() && unit.odd_shared());
    unit.edge({.answer = cycle == 4});
  }
  EXPECT_TRUE(unit.draining() && unit.idle());
  unit.edge({});
  EXPECT_EQ(unit.phase(), Dyneb::Phase::execute);
  EXPECT_FALSE(unit.odd_shared()) << "few misses";
}

// From the thesis' equations, as continued fractions.
TEST(Dyneb, ComparesAsExactFractions) {
  std::map<DynebCause, int> seen;
  for (const auto& p : {defaults, amat})
    for (const DynebSample& s : random_samples(200'000)) {
      const DynebCause cause = golden::compared(p, s);
      ++seen[cause];
      ASSERT_EQ(cause == DynebCause::shared, verif::shared_is_better(p, tally(s, 0), tally(s, 1)));
    }
  EXPECT_EQ(seen.size(), 6u);
}

TEST(Dyneb, ComparesAsExactFractionsInVerilog) {
  const auto samples = random_samples(600);
  for (const auto& p : {defaults, amat}) {
    std::string expected,
        bench =
            "module bench;\n  reg clk = 0, clear = 1;\n  reg [159:0] c;\n  wire last, decision;\n"
            "  unit dut(.clk(clk), .rst(1'b0), .clear(clear), .run(1'b1), .last(last), "
            ".decision(decision), .even_accesses(c[159:144]), .even_misses(c[143:128]), "
            ".even_slice_replies(c[127:112]), .even_home_replies(c[111:96]), "
            ".odd_accesses(c[95:80]), .odd_misses(c[79:64]), .odd_slice_replies(c[63:48]), "
            ".odd_home_replies(c[47:32]), .sent(c[31:16]), .sent_missed(c[15:0]));\n"
            "  task compare(input [159:0] counters);\n    begin\n      c = counters;\n"
            "      while (!last) begin #1 clk = 1; #1 clk = 0; #1; end\n"
            "      #1 clk = 1; #1 clk = 0;\n      #1 $display(\"%b\", decision);\n    end\n"
            "  endtask\n  initial begin\n    #1 clk = 1; #1 clk = 0; clear = 0; #1;\n";
    for (const DynebSample& s : samples) {
      std::string counters;
      for (const auto& g : s.group)
        counters +=
            fmt::format("{:04x}{:04x}{:04x}{:04x}", g.accesses, g.misses, g.slice_replies, g.home_replies);
      bench += fmt::format("    compare(160'h{}{:04x}{:04x});\n", counters, s.sent, s.sent_missed);
      expected += verif::shared_is_better(p, tally(s, 0), tally(s, 1)) ? "1\n" : "0\n";
    }
    bench += "    $finish;\n  end\nendmodule\n";
    EXPECT_EQ(verif::simulated(hw::dyneb_evaluation(p, "unit"), bench), expected);
  }
}

TEST(Dyneb, LockStep) {
  const bool full = verif::full_tier();
  // As shipped: a million loads end EXEC.
  verif::expect_same("dyneb", {}, full ? 5'000'000 : 2'000'000, verif::fresh_seed(1));
  verif::expect_same("dyneb", small("eb", true), full ? 5'000'000 : 800'000, verif::fresh_seed(5));
  verif::expect_same("dyneb", small("amat", true), full ? 5'000'000 : 800'000, verif::fresh_seed(6));
  std::vector<std::string> uncapped = small("eb", false);
  uncapped.insert(uncapped.end(), {"dyneb.sample_cap=0", "dyneb.execute_cap=0"});
  verif::expect_same("dyneb", uncapped, full ? 20'000'000 : 3'000'000, verif::fresh_seed(7));
}

TEST(Dyneb, StoresWhatTheSpecificationCounts) {
  EXPECT_EQ(gen::published_bits(gen::elaborate(gen::load_config("dyneb", {})).accounts), 238);
}

TEST(Dyneb, Refusals) {
  EXPECT_EQ(
      refusal("dyneb.sample_accesses=0"),
      "-s dyneb.sample_accesses=0: dyneb.sample_accesses = 0: must be from 1 to 1023; the nearest is 1");
  EXPECT_EQ(refusal("dyneb.execute_accesses=1048577"),
            "-s dyneb.execute_accesses=1048577: dyneb.execute_accesses = 1048577: must be from 1 to 1048576; "
            "the nearest is 1048576");
  EXPECT_EQ(refusal("dyneb.miss_percent=101"),
            "-s dyneb.miss_percent=101: dyneb.miss_percent = 101: must be from 0 to 100; the nearest is 100");
  EXPECT_EQ(
      refusal("dyneb.home_latency=1024"),
      "-s dyneb.home_latency=1024: dyneb.home_latency = 1024: must be from 1 to 1023; the nearest is 1023");
}

// The sound unit runs here, too.
TEST(Dyneb, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"loads_of_others_are_own", "_group", "own_q", "own", high()},
      {"own_accesses_run_on", "_group", "own_q", "~sampled", high()},
      {"the_last_cycle_counts", "", "counts", "~sample_ends", high()},
      {"a_sample_ends_at_once", "", "sample_ends", "&sampled", stuck(1)},
      {"the_cap_is_missed", "", "sample_ends", "sample_capped_q", low()},
      {"a_cap_is_seen_late", "", "sample_capped_q", "total_q == SAMPLE_LAST", low()},
      {"stores_count_in_the_total", "", "another", "request_load", high()},
      {"served_loads_end_exec", "", "executed_q", "~probe_served", high()},
      {"groups_are_swapped", "", "odd.miss", "probe_odd", low()},
      {"homes_count_in_both_groups", "", "even.home_reply", "~home_odd", high()},
      {"hits_at_homes_are_misses", "", "sent_missed_q", "~home_hit", high()},
      {"changes_over_too_early", "", "drained", "|open_q", low()},
      {"changes_over_beside_a_request", "", "drained", "~request", high()},
      {"shared_is_private", "", "odd_shared_q", "decision", low()},
      {"even_sets_are_private", "", "even_shared_q", "decision", low()},
      {"never_holds", "", "hold", "drains", low()},
      {"an_answer_too_many", "", "open_q", "~answer", high()},
      {"counters_are_kept", "", "even.clear", "drains", low()},
      {"few_misses_are_missed", "_evaluation", "decision_q", "~few_misses_q", high()},
      {"no_access_is_no_cause", "_evaluation", "comparable", "|even_accesses", high()},
      {"products_are_added", "_evaluation", "minus", "ahead[0]", low()},
      {"sums_run_on", "_evaluation", "value_q", "clear | ends[0]", other("clear")},
      {"upper_blocks_run_on", "_evaluation", "value_q", "clear | ends[3]", other("clear")},
      {"carries_are_lost", "_evaluation", "carry_q", "total_1[11]", low()},
      {"doubling_loses_a_bit", "_evaluation", "top_q", "value_q[19]", low()},
      {"the_highest_block_stays_or_doubles_out_of_turn", "_evaluation", "moved_on_4", "cycle_q[0]", high()},
      {"bits_come_too_soon", "_evaluation", "bits", "bits_q", low()},
      {"a_sum_stays", "_evaluation", "small_q", "ends[0]", low()}};
  verif::expect_all_found("dyneb", small("eb", true), faults, {.cycles = 600'000});
}
