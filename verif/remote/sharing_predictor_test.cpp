// Sharing predictor: the worked examples on model and Verilog, lock step at small and odd shapes, storage,
// refusals, injected faults.
#include "golden/remote/sharing_predictor.h"

#include "gen/unit/unit.h"
#include "hw/remote/sharing_predictor.h"
#include "verif/icarus.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::SharingPredictor;
using verif::high, verif::low, verif::other, verif::stuck;

const std::vector<std::string> small{"predictor.entries=5", "predictor.pc_bits=8",
                                     "predictor.window=[5, 9, 3, 12]", "predictor.shared=[3, 9, 1, 10]",
                                     "predictor.threshold=[2, 3, 1, 8]"};

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("sharing_predictor", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

// One instruction, a miss a cycle; replies come in the cycles of these misses, from 1 on.
struct Environment {
  int misses = 0;
  std::vector<int> replies = {};
};

// For each miss the state that it finds, and whether it is shared.
std::vector<std::string> reported(const Environment& environment) {
  SharingPredictor unit({});
  std::vector<std::string> lines;
  for (int n = 1; n <= environment.misses; ++n) {
    const SharingPredictor::In in{
        .miss = true, .pc = 7, .reply = std::ranges::count(environment.replies, n) > 0};
    const int state = unit.entries().empty() ? 0 : unit.entries()[0].state;
    lines.push_back(fmt::format("{} {:d}", state, unit.answer(in).shared));
    unit.edge(in);
  }
  return lines;
}

std::vector<std::string> reported_in_verilog(const Environment& environment) {
  std::string bench =
      "module bench;\n  reg clk = 0, rst = 1, miss = 0, reply = 0;\n  wire shared, tracked;\n"
      "  wire [5:0] slot;\n  unit dut(.clk(clk), .rst(rst), .miss(miss), .miss_pc(16'd7), .reply(reply), "
      ".reply_slot(6'd0), .clear(1'b0), .shared(shared), .tracked(tracked), .slot(slot));\n"
      "  initial begin\n    #1 clk = 1; #1 clk = 0; rst = 0; miss = 1;\n";
  for (int n = 1; n <= environment.misses; ++n)
    bench += fmt::format(
        "    reply = {:d}; #1 $display(\"%0d %b\", dut.valid_q[0] ? dut.state_q[1:0] : 2'd0, shared);\n"
        "    clk = 1; #1 clk = 0;\n",
        std::ranges::count(environment.replies, n));
  std::istringstream text(
      verif::simulated(hw::sharing_predictor({}, "unit"), bench + "    $finish;\n  end\nendmodule\n"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST(SharingPredictor, NoReply) {
  const auto lines = reported({.misses = 480});
  EXPECT_EQ(std::ranges::count_if(lines, [](const std::string& l) { return l.ends_with("1"); }), 60);
  const auto first_in = [&](char state) {
    return std::ranges::find_if(lines, [&](const std::string& l) { return l[0] == state; }) - lines.begin() +
           1;
  };
  EXPECT_EQ(first_in('1'), 33);
  EXPECT_EQ(first_in('2'), 97);
  EXPECT_EQ(first_in('3'), 225);
  EXPECT_EQ(reported_in_verilog({.misses = 480}), lines);
}

TEST(SharingPredictor, RepliesByTheLastMissOfAWindow) {
  const Environment in_time{33, {5, 10, 20, 32}}, late{33, {5, 10, 20, 33}};
  EXPECT_EQ(reported(in_time).back(), "0 1");
  EXPECT_EQ(reported(late).back(), "1 1");
  for (const Environment& environment : {in_time, late})
    EXPECT_EQ(reported_in_verilog(environment), reported(environment));
  SharingPredictor unit({});
  for (int n = 1; n <= 33; ++n)
    unit.edge({.miss = n<33, .pc = 7, .reply = std::ranges::count(late.replies, n)> 0});
  EXPECT_EQ(unit.entries()[0].state, 1);
  EXPECT_EQ(unit.entries()[0].replies, 1);
}

TEST(SharingPredictor, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 3'000'000 : 250'000;
  verif::expect_same("sharing_predictor", {}, cycles, verif::fresh_seed(5));
  verif::expect_same("sharing_predictor", {"predictor.stages=1"}, cycles, verif::fresh_seed(8));
  if (!verif::full_tier()) return;
  verif::expect_same("sharing_predictor", {"predictor.kind=always"}, 20'000, 1);
  verif::expect_same("sharing_predictor",
                     {"predictor.entries=1", "predictor.pc_bits=32", "predictor.window=[1]",
                      "predictor.shared=[1]", "predictor.threshold=[1]"},
                     cycles, verif::fresh_seed(6));
  verif::expect_same("sharing_predictor",
                     {"predictor.entries=33", "predictor.window=[7, 1024]", "predictor.shared=[7, 1]",
                      "predictor.threshold=[7, 1]"},
                     cycles, verif::fresh_seed(7));
}

TEST(SharingPredictor, StoresWhatTheSpecificationCounts) {
  const auto bits = [](const std::vector<std::string>& settings) {
    return gen::published_bits(gen::elaborate(gen::load_config("sharing_predictor", settings)).accounts);
  };
  EXPECT_EQ(bits({}), 1920);
  EXPECT_EQ(bits({"predictor.kind=always"}), 0);
}

TEST(SharingPredictor, Refusals) {
  EXPECT_EQ(refusal({"predictor.entries=257"}),
            "-s predictor.entries=257: predictor.entries = 257: must be from 1 to 256; the nearest is 256");
  EXPECT_EQ(refusal({"predictor.kind=perfect"}),
            "-s predictor.kind=perfect: predictor.kind = \"perfect\": must be one of pc, always");
  EXPECT_EQ(
      refusal({"predictor.window=[]"}),
      "-s predictor.window=[]: predictor.window = []: must have 1 to 4 numbers, one a state; use [32, 64, "
      "128, 256], the thesis'");
  EXPECT_EQ(refusal({"predictor.window=[32, 64]"}),
            "sharing_predictor -s predictor.window=[32, 64]: predictor.shared = [32, 16, 8, 4] (default): "
            "must have "
            "as many numbers as the 2 of predictor.window; give one for each state");
  EXPECT_EQ(
      refusal({"predictor.shared=[32, 65, 8, 4]"}),
      "-s predictor.shared=[32, 65, 8, 4]: predictor.shared = [32, 65, 8, 4]: must not exceed the 64 misses "
      "of predictor.window in state 1; use 1 to 64 there");
  EXPECT_EQ(refusal({"predictor.threshold=[4, 2, 9, 1]"}),
            "-s predictor.threshold=[4, 2, 9, 1]: predictor.threshold = [4, 2, 9, 1]: must not exceed the 8 "
            "misses of predictor.shared in state 2; use 1 to 8 there");
}

// The sound unit runs here, too.
TEST(SharingPredictor, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"free_entries_match", "", "match", "valid_q[entry]", high()},
      {"the_table_is_never_full", "", "tracks", "&valid_q", low()},
      {"a_full_table_shares", "", "shared", "tracks", high()},
      {"not_the_lowest_entry", "", "first_free", "{valid_q[3:0], 1'd1}", high()},
      {"replies_come_second", "", "replies", "both", low()},
      {"replies_wrap", "", "more_replies", "&replies_before", low()},
      {"replies_are_kept_over_a_window", "", "restarts", "ends", low()},
      {"a_new_entry_keeps_replies", "", "restarts", "~known", low()},
      {"a_miss_too_many_is_shared", "", "asks", "misses < SHARED_MISSES_0", verif::other_tie()},
      {"a_window_is_short", "", "ends", "LAST_MISS_1", stuck(7)},
      {"a_reply_less_is_enough", "", "enough", "replies >= ENOUGH_REPLIES_0", verif::other_tie()},
      {"leaves_the_last_state", "", "less_shared", "state == STATE_3", low()},
      {"leaves_the_first_state", "", "more_shared", "state == STATE_0", low()},
      {"states_turn_over", "", "next_state", "enough", verif::inverted()},
      {"a_clear_is_missed", "", "valid_q", "clear", low()},
      {"misses_go_on", "", "misses_q", "~ends", high()},
      {"the_number_says_too_much", "", "slot", "miss", high()}};
  verif::expect_all_found("sharing_predictor", small, faults);
}

TEST(SharingPredictor, EveryFaultOfTheStagesIsFound) {
  std::vector<std::string> staged = small;
  staged.emplace_back("predictor.stages=1");
  const std::vector<verif::Fault> faults{{"free_entries_match", "", "match_now", "valid_q[entry]", high()},
                                         {"nobody_is_known", "", "match_q", "match_now", low()},
                                         {"replies_come_second", "", "replies", "both", low()}};
  verif::expect_all_found("sharing_predictor", staged, faults);
}
