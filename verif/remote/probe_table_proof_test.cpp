// Proofs of the probe table, for all misses, probes, replies and times: a search gets one line, its entry is
// freed once, when it has that line and L2 owes it nothing; a search without a request to L2 has one slot
// in the queue; and dead slots in front of a search leave one a cycle. Injected faults break them. The oldest
// search takes too long in any cycle, so that no proof counts time and each holds for every time-out.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "hw/remote/probe_table.h"
#include "hw/remote/selective_queue.h"
#include "verif/formal/inside.h"
#include "verif/formal/prove.h"
#include "verif/mutate/injected_faults.h"

namespace {

using Texts = std::map<std::string, std::string>;
using verif::high, verif::low;

constexpr hw::ProbeTableParams shape{.cores = 3,
                                     .entries = 2,
                                     .predictor_entries = 1,
                                     .coverage = 2,
                                     .probes = 2,
                                     .timeout = 64,
                                     .outgoing = 2,
                                     .group_bits = 5};

// A fault is looked for in the first cycles alone.
verif::ProofResult proved(const std::string& property, const Texts& unit, const verif::Fault* fault) {
  verif::Property all{
      .top = "property", .verilog = {property}, .bounded_cycles = fault ? 10 : 0, .undefined_is_free = true};
  for (const auto& [name, text] : unit) all.verilog.push_back(text);
  const auto result = verif::prove(all);
  fmt::print("{} by {}, {:.1f} s\n", result.message, result.engine, result.seconds);
  return result;
}

// Whether the oldest search takes too long is an input of the queue, and of the table around it.
void free_ages(Texts& texts) {
  verif::add_input(texts.at("unit"), "any_age");
  verif::add_input(texts.at("unit_queue"), "any_age");
  verif::replace_once(texts.at("unit"), "unit_queue queue (\n",
                      "unit_queue queue (\n    .any_age(any_age),\n");
  verif::replace_once(texts.at("unit_queue"), "assign old = live_q[0] & aged_q;",
                      "assign old = live_q[0] & any_age;");
}

bool broken(const verif::ProofResult& result) { return result.outcome == verif::Outcome::counterexample; }

// The search in one entry, any of them, by the ports and by the table's own state. Misses are of
// free entries; the environment has no other duties.
// With stages a line has its effect a cycle later, and none comes in the cycle behind another one.
verif::ProofResult searches(const std::string& claim, const verif::Fault* fault = nullptr, int stages = 0) {
  hw::ProbeTableParams p = shape;
  p.stages = stages;
  Texts texts = verif::texts_of(hw::probe_table(p, "unit"), fault);
  free_ages(texts);
  verif::bring_out(texts.at("unit"), "in_free", 2);
  for (const char* net : {"live_q", "entry_q"}) {
    verif::bring_out(texts.at("unit_queue"), net, 2);
    verif::add_output(texts.at("unit"), net, 2);
    verif::connect(texts.at("unit"), "unit_queue queue", net, net);
  }
  const std::string property = fmt::format(
      "module property (input wire clk, input wire e_free, input wire miss, input wire miss_entry,\n"
      "    input wire list, input wire [1:0] probes, input wire [1:0] free_slots, input wire back, input "
      "wire "
      "scout,\n"
      "    input wire back_entry, input wire [1:0] back_sequence, input wire [1:0] found, input wire reply,\n"
      "    input wire l2, input wire reply_entry, input wire [1:0] reply_sequence, input wire take,\n"
      "    input wire any_age, output wire bad);\n"
      "  reg started = 0, e = 0, open = 0, asked = 0, filled = 0;\n  reg [1:0] sequence = 0;\n"
      "  reg replied = 0, first_q = 0, answered_q = 0;\n  wire comes = reply & ~({1} & replied);\n"
      "  wire ready, fills, ask, ask_entry, list_take, search, probe_entry, idle, late_one, tracked;\n"
      "  wire [1:0] free, live, place, searching, late, ask_sequence, probe_sequence, target;\n"
      "  unit dut (.clk(clk), .rst(~started), .any_age(any_age), .miss_valid(miss & free[miss_entry]),\n"
      "    .miss_ready(ready),\n"
      "    .miss_entry(miss_entry), .miss_tracked(1'b0), .searching(searching), .late(late), .idle(idle),\n"
      "    .list_valid(list), .list_probes(probes), .free_slots(free_slots), .list_take(list_take), "
      ".search(search),\n"
      "    .probe_entry(probe_entry), .probe_sequence(probe_sequence), .search_target0(target),\n"
      "    .return_valid(back), .return_scout(scout), .return_entry(back_entry),\n"
      "    .return_sequence(back_sequence), .return_found0(found), .reply_valid(comes), .reply_l2(l2),\n"
      "    .reply_entry(reply_entry), .reply_sequence(reply_sequence), .reply_fills(fills),\n"
      "    .reply_tracked(tracked), .ask_valid(ask), .ask_timed_out(late_one), .ask_entry(ask_entry),\n"
      "    .ask_sequence(ask_sequence), .ask_take(take), .see_in_free(free), .see_live_q(live),\n"
      "    .see_entry_q(place));\n"
      "  wire here = comes & (reply_entry == e) & (reply_sequence == sequence) & open;\n"
      "  wire first = fills & (reply_entry == e), asks = ask & take & (ask_entry == e);\n"
      "  wire begins = miss & free[miss_entry] & ready & (miss_entry == e);\n"
      "  wire has_line = filled | first, was_asked = asked | asks, answered = asked & here & l2;\n"
      "  wire ends = open & (was_asked ? (has_line & ({1} ? answered_q : answered)) : ({1} ? first_q : "
      "first));\n"
      "  always @(posedge clk) begin\n    started <= 1;\n    if (~started) e <= e_free;\n    else begin\n"
      "      replied <= comes;\n      first_q <= first;\n      answered_q <= answered;\n"
      "      open <= begins | (open & ~ends);\n      asked <= ~begins & was_asked;\n"
      "      filled <= ~begins & has_line;\n      sequence <= sequence + {{1'b0, begins}};\n    end\n  end\n"
      "  wire one_line = ~first | (open & ~filled & here);\n"
      "  wire freed_once = free[e] == ~open;\n"
      "  wire [1:0] places = {{1'b0, live[0] & (place[0] == e)}} + {{1'b0, live[1] & (place[1] == e)}};\n"
      "  wire one_place = places == {{1'b0, open & ~asked}};\n"
      "  assign bad = started & ~({0});\nendmodule\n",
      claim, stages ? "1'b1" : "1'b0");
  return proved(property, texts, fault);
}

// In front of a search that goes on there is one dead slot less in the next cycle, so that k leave in k.
verif::ProofResult leaves(int entries, const verif::Fault* fault = nullptr) {
  hw::ProbeTableParams p;
  p.entries = entries;
  Texts texts = verif::texts_of(hw::selective_queue(p, "unit"), fault);
  verif::bring_out(texts.at("unit"), "live_q", entries);
  verif::bring_out(texts.at("unit"), "stays", entries);
  const int bits = hw::width_to_number(entries);
  std::string holds = "1'b1";
  for (int i = 1; i < entries; ++i) {
    const std::string ahead = i > 1 ? fmt::format(" & ~(|live[{}:0])", i - 2) : "";
    holds += fmt::format("\n    & (~(stayed[{0}] & ~(|past[{1}:0])) | (live[{1}]{2}))", i, i - 1, ahead);
  }
  const std::string property = fmt::format(
      "module property (input wire clk, input wire push, input wire [{0}:0] push_entry, input wire ends,\n"
      "    input wire [{0}:0] ended, input wire asks, input wire [{0}:0] asked, input wire takes,\n"
      "    output wire bad);\n"
      "  reg started = 0, known = 0;\n  reg [{1}:0] past = 0, stayed = 0;\n  wire [{1}:0] live, stays;\n"
      "  wire full, empty, old, some;\n  wire [{0}:0] head, first;\n"
      "  unit dut (.clk(clk), .rst(~started), .push(push & ~full), .push_entry(push_entry), .ends(ends),\n"
      "    .ended(ended), .asks(asks), .asked(asked), .takes(takes), .full(full), .empty(empty),\n"
      "    .old(old), .head(head), .some_waiting(some), .first_waiting(first), .see_live_q(live),\n"
      "    .see_stays(stays));\n"
      "  always @(posedge clk) begin\n    started <= 1;\n    known <= started;\n    past <= live;\n"
      "    stayed <= stays;\n  end\n  assign bad = known & ~({2});\nendmodule\n",
      bits - 1, entries - 1, holds);
  return proved(property, texts, fault);
}

}  // namespace

TEST(ProbeTableProof, OneLineForASearch) {
  for (const int stages : {0, 1}) EXPECT_TRUE(searches("one_line", nullptr, stages).proven()) << stages;
}

TEST(ProbeTableProof, AnEntryIsFreedOnce) {
  for (const int stages : {0, 1}) EXPECT_TRUE(searches("freed_once", nullptr, stages).proven()) << stages;
}

TEST(ProbeTableProof, ASearchHasOnePlaceUntilL2IsAsked) {
  for (const int stages : {0, 1}) EXPECT_TRUE(searches("one_place", nullptr, stages).proven()) << stages;
}

TEST(ProbeTableProof, DeadPlacesLeaveOneACycle) {
  for (const int entries : {2, 7, 9}) EXPECT_TRUE(leaves(entries).proven()) << entries;
}

TEST(ProbeTableProof, InjectedFaultsBreakThem) {
  const auto breaks = [](const char* claim, const verif::Fault& fault) {
    return broken(searches(claim, &fault));
  };
  EXPECT_TRUE(breaks("one_line", {"lines_come_twice", "", "reply_awaited", "reply_first", high()}));
  EXPECT_TRUE(breaks("one_line", {"any_sequence", "", "reply_known", "", high()}));
  EXPECT_TRUE(breaks("freed_once", {"freed_too_early", "", "asked_before", "in_wait_l2", low()}));
  EXPECT_TRUE(breaks("freed_once", {"freed_as_l2_is_asked", "", "asked_before", "asked_bits", low()}));
  EXPECT_TRUE(breaks("one_place", {"data_leave_the_place", "_queue", "ends_here", "ends", low()}));
  const verif::Fault none{"searches_do_not_move_up", "", "stays_above", "", low()};
  EXPECT_TRUE(broken(leaves(4, &none)));
}
