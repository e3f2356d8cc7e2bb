// Proofs of integrated adaptive cache management, for all inputs and all time: limits stay between 1 and the
// kernel's warps; a search ends within as many periods as the elaboration says; sel changes only in a flush,
// that of a round, and never while AWL runs where one search follows the other; as many lines of a set as the
// distance are protected when each fill comes before the set's next load; distances never wrap, and those
// that a cache keeps ahead say the same. Injected faults break them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "gen/unit/unit.h"
#include "hw/monitors/adi_monitor.h"
#include "hw/monitors/awl.h"
#include "hw/monitors/iacm_controller.h"
#include "hw/policy/protected_lines.h"
#include "hw/policy/protection_distance.h"
#include "hw/policy/protection_row.h"
#include "verif/formal/inside.h"
#include "verif/formal/prove.h"
#include "verif/mutate/injected_faults.h"

namespace {

using Texts = std::map<std::string, std::string>;
using verif::high, verif::low;

verif::ProofResult proved(const std::string& property, const std::vector<Texts>& units,
                          int flush_cycles = -1) {
  verif::Property all{
      .top = "property", .verilog = {property}, .flush_cycles = flush_cycles, .undefined_is_free = true};
  for (const Texts& unit : units)
    for (const auto& [name, text] : unit) all.verilog.push_back(text);
  const auto result = verif::prove(all);
  fmt::print("{} by {}, {:.1f} s\n", result.message, result.engine, result.seconds);
  return result;
}

bool broken(const verif::ProofResult& result) { return result.outcome == verif::Outcome::counterexample; }

// The unit with its state brought out. Whether a count pays is any answer that there can be: with nothing to
// compare with it does. So the narrow counter here stands for one of any width.
Texts search_unit(const hw::AwlParams& p, const verif::Fault* fault) {
  Texts texts = verif::texts_of(hw::awl(p, "unit"), fault);
  std::string& unit = texts.at("unit");
  const auto at = unit.find("wire pays = ");
  unit.replace(at, unit.find(';', at) - at, "wire pays = ~(|previous_q) | any_pays");
  verif::replace_once(unit, " (\n", " (\n  input wire any_pays,\n");
  for (const char* count : {"active_q", "origin_q", "total_q"})
    verif::bring_out(unit, count, hw::warp_count_bits(p));
  for (const char* bit : {"judged", "linear_q", "up_q", "last"}) verif::bring_out(unit, bit, 1);
  verif::bring_out(unit, "previous_q", hw::ipc_bits(p, p.period));
  return texts;
}

// `flush_cycles` as in prove.h; then a chain of so many bits counts the cycles of a search, in
// each of which something was issued.
verif::ProofResult search(const hw::AwlParams& p, const std::string& claim,
                          const verif::Fault* fault = nullptr, int flush_cycles = -1) {
  const int bits = hw::warp_count_bits(p);
  const std::string property = fmt::format(
      "module property (input wire clk, input wire kernel_start, input wire [{0}:0] total, input wire "
      "start,\n"
      "    input wire issued, input wire any_pays, output wire bad);\n"
      "  wire [{0}:0] limit, active, origin, all;\n  wire busy, done, moved, judged, linear, up, last;\n"
      "  wire [{3}:0] previous;\n  reg started = 0;\n"
      "  wire [{0}:0] warps = ((total == 0) | (total > {1})) ? {1} : total;\n"
      "  unit dut (.clk(clk), .rst(~started), .kernel_start(kernel_start), .total(warps), .start(start),\n"
      "    .issued(issued), .any_pays(any_pays), .limit(limit), .busy(busy), .done(done), .moved(moved),\n"
      "    .see_active_q(active), .see_origin_q(origin), .see_total_q(all), .see_judged(judged),\n"
      "    .see_linear_q(linear), .see_up_q(up), .see_last(last), .see_previous_q(previous));\n"
      "  wire in_range = (limit >= 1) & (limit <= all) & (all <= {1});\n"
      "  wire goes_on = busy & issued & ~kernel_start;\n  reg [{4}:0] chain = 0;\n"
      "  wire [{5}:0] state = {{limit, origin, all, busy, linear, up, previous}};\n"
      "  reg [{5}:0] past = 0;\n  reg empty = 0;\n"
      "  always @(posedge clk) begin\n    started <= 1;\n    past <= state;\n"
      "    empty <= started & busy & last & ~judged & ~kernel_start;\n"
      "    chain <= {{chain & {{{4}{{goes_on}}}}, started & start & ~busy & ~kernel_start & in_range}};\n  "
      "end\n"
      "  wire unchanged = ~empty | (state == past);\n"
      "  assign bad = started & ~({2});\nendmodule\n",
      bits - 1, p.warps, claim, hw::ipc_bits(p, p.period) - 1, std::max(flush_cycles, 1),
      3 * bits + 2 + hw::ipc_bits(p, p.period));
  return proved(property, {search_unit(p, fault)}, flush_cycles);
}

hw::AwlParams awl_params(int warps, hw::LinearFrom from) {
  return {.warps = warps, .linear_from = from, .period = 2, .issue_max = 1};
}

// The bound that the manifest states.
int most_periods(const hw::AwlParams& p) {
  const auto unit = gen::elaborate(gen::load_config(
      "awl", {fmt::format("limit.warps={}", p.warps),
              p.linear_from == hw::LinearFrom::best ? "limit.linear_from=best" : "limit.linear_from=upper"}));
  return unit.facts["most_periods_of_a_search"];
}

// No search lasts longer, from any counts in their range, when something is issued in each period; with such
// that change nothing in between it lasts no more of them.
verif::ProofResult ends_within(int periods, const hw::AwlParams& p, const verif::Fault* fault = nullptr) {
  const int cycles = periods * p.period + 1;
  return search(p, fmt::format("~chain[{}] | ~busy", cycles - 1), fault, cycles);
}

// Controller and monitor as they stand in a cache, which takes as long for a flush as it likes. That the
// monitor rests, and sel with it, but in an ADI phase up to the end of the round, is an invariant; of awl_adi
// as long as no kernel starts in an ADI phase.
verif::ProofResult selection(hw::IacmOrder order, const std::string& claim,
                             const verif::Fault* of_controller = nullptr,
                             const verif::Fault* of_monitor = nullptr) {
  const hw::IacmParams controller{
      .order = order, .awl = {.warps = 2, .period = 2, .issue_max = 1}, .adi_idle = 2};
  const hw::AdiMonitorParams monitor{
      .address_bits = 20, .sets = 4, .period = 2, .counter_bits = 2, .steered = true};
  const std::string property = fmt::format(
      "module property (input wire clk, input wire kernel_start, input wire issued, input wire load,\n"
      "    input wire miss, input wire [{0}:0] block, input wire ready, output wire bad);\n"
      "  wire [{1}:0] sel0, sel1;\n  wire [1:0] phase, limit;\n  wire start, done, flush, rest, waits, "
      "asked, busy, ended_awl;\n  "
      "wire [2:0] step;\n"
      "  reg [7:0] past0 = 0, past1 = 0;\n  reg [1:0] past_phase = 0;\n"
      "  reg started = 0, known = 0, flushed = 0, ended = 0, cancelled = 0, in_a_round = 0;\n"
      "  controller c (.clk(clk), .rst(~started), .kernel_start(kernel_start), .total(2'd2), "
      ".issued(issued),\n    .round_done(done), .phase(phase), .adi_start(start), .limit(limit), "
      ".see_rest_q(rest),\n"
      "    .see_awl_start_q(asked), .see_awl_busy(busy), .see_awl_ends(ended_awl));\n"
      "  monitor m (.clk(clk), .rst(~started), .probe_valid(load), .probe_block_address(block),\n"
      "    .probe_miss(miss), .sel0(sel0), .sel1(sel1), .flush_valid(flush), .flush_ready(ready),\n"
      "    .adi_start(start), .round_done(done), .see_phase_q(step), .see_start_q(waits));\n"
      "  always @(posedge clk) begin\n    started <= 1;\n    known <= started;\n    past0 <= sel0;\n"
      "    past1 <= sel1;\n    past_phase <= phase;\n    flushed <= flush & ready;\n    ended <= done;\n"
      "    cancelled <= flush & (start | (cancelled & ~flushed));\n"
      "    in_a_round <= started & (in_a_round | (kernel_start & (phase == 0)));\n  end\n"
      "  wire moved = (sel0 != past0) | (sel1 != past1);\n"
      "  wire in_a_flush = ~moved | (flushed & (ended | cancelled));\n"
      "  wire not_beside_awl = ~moved | (past_phase != 1);\n"
      "  wire quiet = ~flush & ~waits & (step >= 4) & (step <= 5);\n"
      "  wire holds = (in_a_round & {2}) | ((~flush | (step == 4)) & (~waits | flush)\n"
      "    & ((phase == 0) & ~rest | quiet & ~start)\n"
      "    & ((phase == 0) | ~(rest | start)) & ((phase == 1) | ~(asked | busy | ended_awl)));\n"
      "  reg held = 0;\n  always @(posedge clk) held <= holds | ~started;\n"
      "  wire rests_beside_awl = (~held | holds) & (~holds | (in_a_round & {2}) | (phase != 1) | ~flush);\n"
      "  assign bad = known & ~({3});\nendmodule\n",
      hw::block_address_bits(monitor) - 1, hw::sel_bits(monitor) - 1, order == hw::IacmOrder::awl_adi ? 1 : 0,
      claim);
  Texts controls = verif::texts_of(hw::iacm_controller(controller, "controller"), of_controller),
        monitors = verif::texts_of(hw::adi_monitor(monitor, "monitor").module, of_monitor);
  verif::bring_out(controls.at("controller"), "rest_q", 1);
  for (const char* net : {"awl_start_q", "awl_busy", "awl_ends"})
    verif::bring_out(controls.at("controller"), net, 1, hw::has_awl(order) ? net : "1'd0");
  verif::bring_out(monitors.at("monitor"), "phase_q", 3);
  verif::bring_out(monitors.at("monitor"), "start_q", 1);
  return proved(property, {controls, monitors});
}

// What a claim about distances sees: those of all ways in set 0. Loads of it, if `orderly`, take an open way
// and wait for the fill of the one before.
verif::ProofResult distances(const hw::ProtectionDistanceParams& p, const std::string& claim,
                             const verif::Fault* fault = nullptr) {
  Texts texts = verif::texts_of(hw::protection_distance(p, "unit"), fault);
  const int bits = hw::rpd_bits(p), w = p.ways;
  verif::bring_out(texts.at("unit_way"), "line", bits, fmt::format("rpd_q[{}:0]", bits - 1));
  std::string wires, pins, sum = "4'd0";
  for (int way = 0; way < w; ++way) {
    const std::string net = fmt::format("line{}", way);
    verif::add_output(texts.at("unit"), net, bits);
    verif::connect(texts.at("unit"), fmt::format("unit_way way{}", way), "line", net);
    wires += fmt::format("  wire [{}:0] {};\n", bits - 1, net);
    pins += fmt::format(", .see_{0}({0})", net);
    sum += fmt::format(" + (|{})", net);
  }
  const std::string property = fmt::format(
      "module property (input wire clk, input wire probe, input wire index, input wire hit,\n"
      "    input wire [{0}:0] way, input wire [{0}:0] take, input wire [{0}:0] others, input wire accept,\n"
      "    input wire fill, input wire fill_index, input wire [{0}:0] fill_way, input wire kill,\n"
      "    input wire kill_index, input wire [{0}:0] kill_way, input wire flush, output wire bad);\n"
      "{1}  wire bypass;\n  wire [{0}:0] open;\n"
      "  reg [{0}:0] owed = 0;\n  reg [{2}:0] past = 0;\n  reg started = 0, fair = 1, renewed = 0;\n"
      "  wire [{0}:0] reserved = index ? others : owed;\n"
      "  unit dut (.clk(clk), .rst(~started), .probe(probe), .index(index), .hit(hit), .way(way),\n"
      "    .reserved(reserved), .accept(accept), .fill(fill), .fill_index(fill_index), .fill_way(fill_way),\n"
      "    .kill(kill), .kill_index(kill_index), .kill_way(kill_way), .flush(flush), .bypass(bypass),\n"
      "    .open(open){3});\n"
      "  function one; input [{0}:0] set; one = (|set) & ~(|(set & (set - 1'd1))); endfunction\n"
      "  wire load = probe & accept & ~index, comes = fill & ~fill_index;\n"
      "  wire fetches = load & (hit ? |take : ~bypass);\n"
      "  wire orderly = (~load | ~(|owed)) & (~hit | one(way)) & (~comes | (one(fill_way) & (fill_way == "
      "owed)))\n"
      "    & (~fetches | (one(take) & (hit ? (take == way) : ~(|(take & ~open)))));\n"
      "  always @(posedge clk) begin\n    started <= 1;\n    fair <= fair & (orderly | ~started);\n"
      "    owed <= (~started | comes) ? 0 : fetches ? take : owed;\n    past <= line0;\n"
      "    renewed <= (load & hit & way[0] & ~reserved[0]) | (comes & fill_way[0]);\n  end\n"
      "  wire few = ~fair | (({4}) <= {5});\n"
      "  wire never_wraps = (line0 <= {5}) & ((line0 <= past) | renewed);\n"
      "  assign bad = started & ~({6});\nendmodule\n",
      w - 1, wires, bits - 1, pins, sum, p.distance, claim);
  return proved(property, {texts});
}

// The distances that a cache keeps ahead beside the ones that are read at once, where no request enters as
// all lines go.
verif::ProofResult kept_ahead(const hw::ProtectionDistanceParams& p, const verif::Fault* fault = nullptr) {
  std::string both;
  for (const char* name : {"probe", "hit", "way", "reserved", "accept", "fill", "fill_index", "fill_way",
                           "kill", "kill_way", "flush", "index"})
    both += fmt::format(", .{0}({0})", name);
  const std::string property = fmt::format(
      "module property (input wire clk, input wire moves, input wire comes, input wire enter, input wire "
      "probe,\n"
      "    input wire hit, input wire [{0}:0] way, input wire [{0}:0] reserved, input wire accept,\n"
      "    input wire fill, input wire fill_index, input wire [{0}:0] fill_way, input wire kill,\n"
      "    input wire [{0}:0] kill_way, input wire flush, output wire bad);\n"
      "  reg index = 0, started = 0, fair = 1;\n  wire bypass, past_it;\n  wire [{0}:0] open, may_go;\n"
      "  unit ahead (.clk(clk), .rst(~started), .moves(moves), .comes(comes),\n"
      "    .enter_index(enter), .bypass(bypass), .open(open){1});\n"
      "  plain read (.clk(clk), .rst(~started), .kill_index(index), .bypass(past_it), .open(may_go){1});\n"
      "  always @(posedge clk) begin\n    started <= 1;\n"
      "    index <= (moves & comes) ? enter : index;\n"
      "    fair <= fair & ~(flush & moves & comes & started);\n  end\n"
      "  assign bad = started & fair & ((open != may_go) | (bypass != past_it));\nendmodule\n",
      p.ways - 1, both);
  return proved(property, {verif::texts_of(hw::protection_row(p, "unit"), fault),
                           verif::texts_of(hw::protection_distance(p, "plain"))});
}

}  // namespace

TEST(IacmProof, LimitsStayInTheirRange) {
  for (const auto from : {hw::LinearFrom::upper, hw::LinearFrom::best})
    for (const int warps : {2, 5, 24})
      EXPECT_TRUE(search(awl_params(warps, from), "in_range").proven()) << warps;
  const verif::Fault uncut{"no_cut_at_all_warps", "", "twice", "{1'd0, total_q} < doubled", low()},
      below{"halving_does_not_end_at_1", "", "paying_ends", "at_one", low()};
  for (const verif::Fault& fault : {uncut, below})
    EXPECT_TRUE(broken(search(awl_params(5, hw::LinearFrom::upper), "in_range", &fault))) << fault.what;
}

TEST(IacmProof, SearchesEndWithinTheBoundOfTheElaboration) {
  for (const auto from : {hw::LinearFrom::upper, hw::LinearFrom::best})
    for (const int warps : {5, 24}) {
      const hw::AwlParams p = awl_params(warps, from);
      const int bound = most_periods(p);
      if (warps == 24) {
        EXPECT_EQ(bound, from == hw::LinearFrom::best ? 21 : 20);
      }
      EXPECT_TRUE(ends_within(bound, p).proven()) << warps;
      EXPECT_TRUE(broken(ends_within(bound - 1, p))) << "some search takes so long";
      EXPECT_TRUE(search(p, "unchanged", nullptr, 1).proven()) << warps;
    }
  const hw::AwlParams p = awl_params(5, hw::LinearFrom::upper);
  const verif::Fault fault{"a_step_back_is_no_end", "", "failing_ends", "linear_q", low()},
      judged{"empty_periods_are_judged", "", "active_q", "judged", verif::other("last")};
  EXPECT_TRUE(broken(ends_within(most_periods(p), p, &fault)));
  EXPECT_TRUE(broken(search(p, "unchanged", &judged)));
}

// A kernel that starts in a round of awl_adi begins with AWL beside the round that goes on.
TEST(IacmProof, SelChangesInTheFlushOfARoundAlone) {
  using hw::IacmOrder;
  for (const IacmOrder order : {IacmOrder::adi_awl, IacmOrder::awl_adi, IacmOrder::parallel, IacmOrder::adi})
    EXPECT_TRUE(selection(order, "in_a_flush").proven());
  for (const IacmOrder order : {IacmOrder::adi_awl, IacmOrder::awl_adi})
    EXPECT_TRUE(selection(order, "rests_beside_awl").proven());
  const verif::Fault early{"sel_moves_before_the_flush", "", "sel0_q", "flush_ready", high()},
      both{"awl_begins_at_once", "", "second_begins", "adi_ends", high()};
  EXPECT_TRUE(broken(selection(IacmOrder::adi_awl, "in_a_flush", nullptr, &early)));
  EXPECT_TRUE(broken(selection(IacmOrder::adi_awl, "not_beside_awl", &both)));
}

TEST(IacmProof, AsManyLinesOfASetAsTheDistanceAreProtected) {
  for (const int distance : {1, 2, 3})
    EXPECT_TRUE(distances({.sets = 2, .ways = 4, .distance = distance}, "few").proven()) << distance;
  const verif::Fault fault{"a_line_does_not_age", "", "way1_left", "", verif::other("way1_rpd")};
  EXPECT_TRUE(broken(distances({.sets = 2, .ways = 4, .distance = 2}, "few", &fault)));
}

TEST(IacmProof, DistancesNeverWrap) {
  for (const int distance : {1, 3, 4, 255})
    EXPECT_TRUE(distances({.sets = 2, .ways = 2, .distance = distance}, "never_wraps").proven()) << distance;
  const verif::Fault fault{"distances_wrap", "", "way0_left", "|way0_rpd", high()};
  for (const int distance : {3, 4})
    EXPECT_TRUE(broken(distances({.sets = 2, .ways = 2, .distance = distance}, "never_wraps", &fault)));
}

TEST(IacmProof, DistancesKeptAheadSayTheSame) {
  for (const int distance : {1, 2, 5})
    EXPECT_TRUE(kept_ahead({.sets = 2, .ways = 2, .distance = distance}).proven()) << distance;
  const hw::ProtectionDistanceParams p{.sets = 2, .ways = 2, .distance = 2};
  for (const verif::Fault& fault : {verif::Fault{"fills_are_missed", "", "fill_there", "", low()},
                                    {"fills_of_the_probes_set_are_missed", "", "fill_here", "", low()},
                                    {"rows_are_read_before_they_are_written", "", "late_there", "", low()},
                                    {"stores_are_missed", "_row", "loaded", "kill", low()}})
    EXPECT_TRUE(broken(kept_ahead(p, &fault))) << fault.what;
}
