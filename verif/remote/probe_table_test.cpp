// Probe table: the worked examples on model and Verilog, dead slots of its queue, lock step at small shapes,
// storage, refusals, injected faults.
#include "golden/remote/probe_table.h"

#include "gen/unit/unit.h"
#include "hw/remote/probe_table.h"
#include "verif/icarus.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::ProbeTable;
using State = ProbeTable::State;
using verif::high, verif::inverted, verif::low, verif::stuck;

const std::vector<std::string> small{"topology.cores=6",   "selector.core=2", "mshr.entries=5",
                                     "remote.coverage=5",  "remote.probes=3", "remote.timeout=64",
                                     "predictor.entries=7"};

// Inputs of a cycle that are not 0, and for how many cycles; none of the others has an event.
struct Step {
  std::vector<std::pair<std::string, int>> inputs = {};
  int cycles = 1;
};

// What is seen in the last of a step's cycles.
std::string seen(const ProbeTable& table, const ProbeTable::In& in) {
  const auto sends = table.sends(in);
  const auto asks = table.asks();
  std::string targets;
  for (std::size_t k = 0; k < 2; ++k)
    targets +=
        fmt::format(" {}", sends && !sends->list && k < sends->targets.size() ? sends->targets[k] : 31);
  return fmt::format("state {} list {:d} search {:d}{} ask {:d} late {:d} fills {:d} idle {:d}\n",
                     static_cast<int>(table.entries()[3].state), sends && sends->list, sends && !sends->list,
                     sends && !sends->list ? targets : "", asks.has_value(), asks && asks->timed_out,
                     table.fills(in.reply), table.idle());
}

ProbeTable::In inputs_of(const Step& step) {
  ProbeTable::In in;
  for (const auto& [name, value] : step.inputs) {
    const auto number = static_cast<unsigned>(value);
    if (name == "miss_valid") in.miss = {true, 3, true, 9};
    if (name == "list_valid") in.list = {true, 2, 4};
    if (name == "free_slots") in.list.free_slots = value;
    if (name == "return_valid") in.probe = {true, false, 3, 1, {}};
    if (name == "return_scout") in.probe.scout = true;
    if (name.starts_with("return_found")) in.probe.found.push_back(value);
    if (name == "reply_valid") in.reply = {true, false, 3, 1};
    if (name == "reply_l2") in.reply.l2 = number != 0;
    if (name == "ask_take") in.ask_take = true;
  }
  return in;
}

std::string run(const std::vector<Step>& steps) {
  ProbeTable table({});
  std::string text;
  for (const Step& step : steps)
    for (int n = 1; n <= step.cycles; ++n) {
      const ProbeTable::In in = inputs_of(step);
      if (n == step.cycles) text += seen(table, in);
      table.edge(in);
    }
  return text;
}

std::string run_in_verilog(const std::vector<Step>& steps) {
  std::string bench =
      "module bench;\n  reg clk = 0, rst = 1, miss_valid, list_valid, return_valid, return_scout, "
      "reply_valid, "
      "reply_l2, ask_take;\n  reg [2:0] free_slots;\n  reg [4:0] return_found0, return_found1;\n"
      "  wire miss_ready, idle, list_take, search, reply_fills, reply_tracked, ask_valid, ask_timed_out;\n"
      "  wire [31:0] searching, late;\n  wire [4:0] probe_entry, search_target0, search_target1, ask_entry;\n"
      "  wire [21:0] probe_sequence, ask_sequence;\n  wire [5:0] reply_slot;\n  integer n;\n"
      "  unit dut(.clk(clk), .rst(rst), .miss_valid(miss_valid), .miss_ready(miss_ready), .miss_entry(5'd3), "
      ".miss_tracked(1'b1), .miss_slot(6'd9), .searching(searching), .late(late), .idle(idle), "
      ".list_valid(list_valid), .list_probes(2'd2), .free_slots(free_slots), .list_take(list_take), "
      ".search(search), "
      ".probe_entry(probe_entry), .probe_sequence(probe_sequence), .search_target0(search_target0), "
      ".search_target1(search_target1), .return_valid(return_valid), .return_scout(return_scout), "
      ".return_entry(5'd3), .return_sequence(22'd1), .return_found0(return_found0), "
      ".return_found1(return_found1), .reply_valid(reply_valid), .reply_l2(reply_l2), .reply_entry(5'd3), "
      ".reply_sequence(22'd1), .reply_fills(reply_fills), .reply_tracked(reply_tracked), "
      ".reply_slot(reply_slot), .ask_valid(ask_valid), .ask_timed_out(ask_timed_out), .ask_entry(ask_entry), "
      ".ask_sequence(ask_sequence), .ask_take(ask_take));\n"
      "  task quiet; begin miss_valid = 0; list_valid = 0; return_valid = 0; return_scout = 0; reply_valid = "
      "0; "
      "reply_l2 = 0; ask_take = 0; free_slots = 0; return_found0 = 31; return_found1 = 31; end endtask\n"
      "  initial begin\n    quiet; #1 clk = 1; #1 clk = 0; rst = 0;\n";
  for (const Step& step : steps) {
    bench += "    quiet;";
    for (const auto& [name, value] : step.inputs) {
      bench += fmt::format(" {} = {};", name, value);
      if (name == "list_valid") bench += " free_slots = 4;";
    }
    bench += fmt::format(
        "\n    for (n = 1; n < {}; n = n + 1) begin #1 clk = 1; #1 clk = 0; end\n"
        "    #1 $write(\"state %0d list %b search %b\", dut.state_q[11:9], list_take, search);\n"
        "    if (search) $write(\" %0d %0d\", search_target0, search_target1);\n"
        "    $display(\" ask %b late %b fills %b idle %b\", ask_valid, ask_timed_out & ask_valid, "
        "reply_fills, "
        "idle);\n    clk = 1; #1 clk = 0;\n",
        step.cycles);
  }
  return verif::simulated(hw::probe_table({}, "unit"), bench + "    $finish;\n  end\nendmodule\n");
}

const std::vector<Step> found{
    {{{"miss_valid", 1}}},
    {{{"list_valid", 1}}},
    {{{"return_valid", 1}}},
    {{{"return_valid", 1}, {"return_scout", 1}, {"return_found0", 14}, {"return_found1", 5}}},
    {},
    {{{"free_slots", 1}}},
    {{{"reply_valid", 1}}},
    {},
    {}};

const std::vector<Step> too_late{{{{"miss_valid", 1}}},
                                 {{{"list_valid", 1}}},
                                 {{}, 2046},
                                 {},
                                 {},
                                 {{{"ask_take", 1}}},
                                 {{{"reply_valid", 1}}},
                                 {},
                                 {{{"reply_valid", 1}, {"reply_l2", 1}}},
                                 {}};

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("probe_table", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(ProbeTable, CandidatesOfTheWorkedExample) {
  EXPECT_EQ(run(found),
            "state 0 list 0 search 0 ask 0 late 0 fills 0 idle 1\n"
            "state 1 list 1 search 0 ask 0 late 0 fills 0 idle 0\n"
            "state 2 list 0 search 0 ask 0 late 0 fills 0 idle 0\n"
            "state 2 list 0 search 0 ask 0 late 0 fills 0 idle 0\n"
            "state 3 list 0 search 0 ask 0 late 0 fills 0 idle 0\n"
            "state 3 list 0 search 1 5 14 ask 0 late 0 fills 0 idle 0\n"
            "state 3 list 0 search 0 ask 0 late 0 fills 1 idle 0\n"
            "state 0 list 0 search 0 ask 0 late 0 fills 0 idle 1\n"
            "state 0 list 0 search 0 ask 0 late 0 fills 0 idle 1\n");
  EXPECT_EQ(run_in_verilog(found), run(found));
}

// Begun in cycle 0, too long in cycle 2,048: the state is there in the next.
TEST(ProbeTable, TimeOutOfTheWorkedExample) {
  EXPECT_EQ(run(too_late),
            "state 0 list 0 search 0 ask 0 late 0 fills 0 idle 1\n"
            "state 1 list 1 search 0 ask 0 late 0 fills 0 idle 0\n"
            "state 2 list 0 search 0 ask 0 late 0 fills 0 idle 0\n"
            "state 2 list 0 search 0 ask 0 late 0 fills 0 idle 0\n"
            "state 4 list 0 search 0 ask 1 late 1 fills 0 idle 0\n"
            "state 4 list 0 search 0 ask 1 late 1 fills 0 idle 0\n"
            "state 5 list 0 search 0 ask 0 late 0 fills 1 idle 0\n"
            "state 5 list 0 search 0 ask 0 late 0 fills 0 idle 0\n"
            "state 5 list 0 search 0 ask 0 late 0 fills 0 idle 0\n"
            "state 0 list 0 search 0 ask 0 late 0 fills 0 idle 1\n");
  EXPECT_EQ(run_in_verilog(too_late), run(too_late));
}

// Candidates are searched from the next core upward, around.
TEST(ProbeTable, OrderOfCandidates) {
  ProbeTable table({.cores = 8, .core = 5, .coverage = 7});
  table.edge({.miss = {true, 3}});
  table.edge({.list = {true, 2, 4}});
  table.edge({.probe = {true, true, 3, 1, {0, 4, 6}}});
  table.edge({.probe = {true, false, 3, 1, {}}});
  const auto sent = table.sends({.list = {.free_slots = 1}});
  ASSERT_TRUE(sent.has_value());
  EXPECT_EQ(sent->targets, (std::vector{6, 0, 4}));
}

// Four searches end in one stretch: their slots leave one a cycle, and no dead slot is in front for longer.
TEST(ProbeTable, DeadPlacesLeaveOneACycle) {
  ProbeTable table({});
  for (unsigned e = 0; e < 6; ++e) table.edge({.miss = {true, e}});
  for (unsigned e = 1; e < 5; ++e) table.edge({.reply = {true, false, e, 1}});
  const auto places = [&] {
    std::vector<unsigned> entries;
    for (const auto& place : table.places())
      if (place.live) entries.push_back(place.entry);
    return entries;
  };
  EXPECT_EQ(places(), (std::vector{0u, 5u}));
  table.edge({});
  EXPECT_TRUE(table.places()[0].live && table.places()[1].live && !table.places()[2].live);
}

TEST(ProbeTable, LockStep) {
  const bool full = verif::full_tier();
  verif::expect_same("probe_table", {}, full ? 1'000'000 : 200'000, verif::fresh_seed(5));
  verif::expect_same("probe_table", {"table.stages=1"}, full ? 1'000'000 : 200'000, verif::fresh_seed(7));
  if (!full) return;
  for (const int probes : {1, 2, 3, 4})
    for (const int coverage : {1, 2, 6})
      for (const int stages : {0, 1})
        verif::expect_same("probe_table",
                           {"topology.cores=7", "selector.core=6", "mshr.entries=6", "remote.timeout=64",
                            "remote.outgoing=4", fmt::format("remote.coverage={}", coverage),
                            fmt::format("remote.probes={}", probes), fmt::format("table.stages={}", stages)},
                           400'000, verif::fresh_seed(6));
}

TEST(ProbeTable, StoresWhatTheSpecificationCounts) {
  EXPECT_EQ(gen::published_bits(gen::elaborate(gen::load_config("probe_table", {})).accounts), 2048 + 704);
}

TEST(ProbeTable, Refusals) {
  EXPECT_EQ(refusal({"remote.timeout=63"}),
            "-s remote.timeout=63: remote.timeout = 63: must be from 64 to 32767; the nearest is 64");
  EXPECT_EQ(refusal({"remote.outgoing=1"}),
            "-s remote.outgoing=1: remote.outgoing = 1: must be from the 2 of remote.probes to 32; use 4");
  EXPECT_EQ(
      refusal({"topology.cores=5"}),
      "probe_table -s topology.cores=5: remote.coverage = 5 (default): must be from 1 to the 4 other cores; "
      "use 4");
  EXPECT_EQ(refusal({"table.stages=2"}),
            "-s table.stages=2: table.stages = 2: must be from 0 to 1; the nearest is 1");
  EXPECT_EQ(refusal({"mshr.entries=1"}),
            "-s mshr.entries=1: mshr.entries = 1: must be from 2 to 128; the nearest is 2");
}

// The sound unit runs here, too.
TEST(ProbeTable, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"any_sequence_fills", "", "reply_known", "", high()},
      {"data_fill_twice", "", "reply_awaited", "reply_first", high()},
      {"free_entries_fill", "", "reply_awaited", "~reply_idle", high()},
      {"l2_fills_behind_data", "", "reply_fills", "reply_first", high()},
      {"answers_before_the_question", "", "reply_asked", "|(reply_bits & in_wait_l2)", high()},
      {"any_sequence_comes_back", "", "return_known", "return_sequence_now == return_sequence", high()},
      {"a_return_too_few", "", "return_last", "2'd1", stuck(2)},
      {"returns_behind_their_time", "", "return_first", "", high()},
      {"the_second_level_never_ends", "", "level_ends", "return_state == STATE_LEVEL2", low()},
      {"leaders_name_candidates", "", "joining", "return_scout", high()},
      {"candidates_are_forgotten", "", "joined", "candidates_before", low()},
      {"candidates_are_not_searched", "", "level_next", "some_joined", low()},
      {"a_leader_is_sent_for_ever", "", "searched_bits", "searches", low()},
      {"a_list_for_a_late_search", "_queue", "head_waits", "~old", high()},
      {"a_list_without_a_slot", "", "takes", "fits", high()},
      {"a_list_beside_a_search", "", "takes", "~searches", high()},
      {"late_searches_wait_for_others", "", "asks_first", "some_late", low()},
      {"data_frees_what_l2_was_asked_for", "", "asked_before", "in_wait_l2", low()},
      {"data_frees_what_is_asked_for_now", "", "asked_before", "asked_bits", low()},
      {"sequences_stay", "", "next_sequence", "26'h1", low()},
      {"a_new_search_has_data", "", "data_came_q", "~missed_bits", high()},
      {"a_new_search_is_late", "", "timed_out_q", "~missed_bits", high()},
      {"time_outs_are_early", "_queue", "aged0", "MOST_AGE", stuck(62)},
      {"a_dead_search_is_late", "_queue", "old", "live_q[0]", high()},
      {"dead_places_stay", "_queue", "stays", "~ends_here", high()},
      {"a_search_that_asked_stays", "_queue", "ends_here", "asks", low()},
      {"places_do_not_move", "_queue", "moves", "", low()},
      {"the_wrong_place_is_taken", "_queue", "gap", "", low()},
      {"order_begins_at_core_0", "_list", "left0", "",
       [](const rtl::Expr&, const verif::Nets& net) { return net("cores"); }}};
  verif::expect_all_found("probe_table", small, faults, {.cycles = 250'000});
}

TEST(ProbeTable, EveryFaultOfTheStagesIsFound) {
  const std::vector<verif::Fault> faults{
      {"a_search_that_ended_takes_a_list", "", "chosen_waits", "", high()},
      {"a_late_search_takes_a_list", "", "chosen_late", "", low()},
      {"a_choice_is_kept", "", "chooses", "~chosen_q", high()},
      {"requests_are_sent_twice", "", "ask_bits_still", "in_ask_l2", high()},
      {"candidates_are_searched_too_late", "", "leads_on", "", high()},
      {"a_leader_is_sent_for_ever", "", "lead_ends", "searches", low()},
      {"a_search_is_known_too_early", "", "reply_idle", "fresh_q", low()},
      {"a_line_is_lost", "", "data_bits", "data_q", low()},
      {"returns_are_known_too_early", "", "return_known", "fresh_q", low()}};
  std::vector<std::string> staged = small;
  staged.emplace_back("table.stages=1");
  verif::expect_all_found("probe_table", staged, faults, {.cycles = 250'000});
}
