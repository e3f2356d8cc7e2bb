// Proves that the monitor's sel never holds one bit twice, whatever the cache shows it: an invariant that
// each cycle keeps and each reset establishes, from any state of all registers; and that planted faults break
// it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "verif/adaptive/sample.h"
#include "verif/formal/inside.h"
#include "verif/formal/prove.h"
#include "verif/mutate/planter.h"

namespace {

verif::Property property(const hw::AdiMonitorParams& p, const verif::Fault* fault = nullptr) {
  const int s = hw::index_bits(p), width = hw::sel_bits(p), low = hw::offset_bits(p);
  auto texts = verif::texts_of(hw::adi_monitor(p, "monitor").module, fault);
  // Everything that the invariant speaks of, brought out of its module under one name.
  const std::vector<std::pair<std::string, int>> of_victimization{
      {"i_q", s}, {"j_q", s}, {"pair_i_q", s}, {"pair_j_q", s}},
      of_selection{{"sample_q", 1},  {"counting_q", 1},     {"position_q", width}, {"is_candidate_q", 1},
                   {"is_last_q", 1}, {"compared_q", width}, {"moves_q", 1}},
      of_top{{"victim", s}, {"winner", width}, {"phase_q", 3}, {"arranging_q", 1}, {"flush_q", 1}};
  std::string &top = texts.at("monitor"), wires, pins;
  const auto show = [&](const std::string& net, int bits) {
    wires += fmt::format("  wire [{}:0] {};\n", bits - 1, net);
    pins += fmt::format(", .see_{0}({0})", net);
  };
  for (const auto& [part, nets] :
       {std::pair{std::string("victimization"), of_victimization}, {std::string("selection"), of_selection}})
    for (const auto& [net, bits] : nets) {
      verif::bring_out(texts.at("monitor_" + part), net, bits);
      verif::add_output(top, net, bits);
      verif::connect(top, fmt::format("monitor_{0} {0}", part), net, net);
      show(net, bits);
    }
  for (const auto& [net, bits] : of_top) {
    verif::bring_out(top, net, bits);
    show(net, bits);
  }

  std::string sels, sel_pins, twice = "1'd0", outside = "1'd0";
  // A bit that may take the victim's place: a block-address bit, and none of the index bits that stay.
  const auto sound = [&](const std::string& bit) {
    std::string text = fmt::format("({0} >= {1}) & ({0} <= {2})", bit, low, p.address_bits - 1);
    for (int i = 0; i < s; ++i) text += fmt::format(" & (victim[{0}] | ({1} != sel{0}))", i, bit);
    return "(" + text + ")";
  };
  for (int i = 0; i < s; ++i) {
    sels += fmt::format("  wire [{}:0] sel{};\n", width - 1, i);
    sel_pins += fmt::format(", .sel{0}(sel{0})", i);
    outside += fmt::format(" | (sel{0} < {1}) | (sel{0} > {2})", i, low, p.address_bits - 1);
    for (int j = 0; j < i; ++j) twice += fmt::format(" | (sel{} == sel{})", i, j);
  }
  std::string text = fmt::format(
      "module sel_is_distinct (input wire clk, input wire rst, input wire probe_valid, input wire [{}:0] "
      "probe_block_address,\n"
      "    input wire probe_miss, input wire flush_ready, output wire bad);\n{}{}"
      "  wire flush_valid;\n  reg past = 1'd0;\n"
      "  monitor dut (.clk(clk), .rst(rst), .probe_valid(probe_valid), "
      ".probe_block_address(probe_block_address),\n"
      "    .probe_miss(probe_miss), .flush_ready(flush_ready), .flush_valid(flush_valid){}{});\n",
      hw::block_address_bits(p) - 1, sels, wires, pins, sel_pins);
  std::string lone = "1'd1";
  for (const char* bits : {"victim", "i_q", "j_q", "pair_i_q", "pair_j_q"})
    lone += fmt::format(" & (({0} & ({0} - 1)) == 0)", bits);
  text += fmt::format(
      "  wire twice = {};\n  wire outside = {};\n  wire lone = {};\n"
      "  wire search_or_flush = (phase_q == 3) | (phase_q == 4);\n"
      "  wire holds = ~twice & ~outside & lone & (phase_q < 6) & (position_q >= {low}) & (position_q <= "
      "{high})\n"
      "    & (~arranging_q | (phase_q == 1))\n"
      "    & (~is_last_q | ((phase_q == 3) & (position_q == {low}) & ~sample_q & ~counting_q))\n"
      "    & (~(is_candidate_q | moves_q) | search_or_flush)\n"
      "    & (~(is_candidate_q & (phase_q == 3)) | {compared})\n"
      "    & (~(moves_q & (phase_q == 3)) | {winner})\n"
      "    & (~flush_q | ((phase_q == 4) & {winner}));\n"
      "  reg rests = 1'd0;  // sel moved in the cycle before\n"
      "  always @(posedge clk) begin\n    past <= holds | rst;\n    rests <= holds & flush_q & "
      "flush_ready;\n  end\n"
      "  assign bad = (past & ~holds) | (rests & flush_valid);\nendmodule\n",
      twice, outside, lone, fmt::arg("low", low), fmt::arg("high", p.address_bits - 1),
      fmt::arg("compared", sound("compared_q")), fmt::arg("winner", sound("winner")));
  verif::Property out{
      .top = "sel_is_distinct", .verilog = {text}, .flush_cycles = 1, .undefined_is_free = true};
  for (const auto& [name, verilog] : texts) out.verilog.push_back(verilog);
  return out;
}

constexpr hw::AdiMonitorParams small{
    .address_bits = 20, .sets = 8, .period = 8, .counter_bits = 3, .idle = 0};

}  // namespace

TEST(AdiProof, SelNeverHoldsOneBitTwice) {
  for (const hw::AdiMonitorParams& p : {hw::AdiMonitorParams{}, hw::AdiMonitorParams{.sets = 64}, small}) {
    const auto result = verif::prove(property(p));
    EXPECT_TRUE(result.proven()) << gen::changed_settings(p) << "\n" << result.message;
    fmt::print("{} sets: {} by {}, {:.1f} s\n", p.sets, result.message, result.engine, result.seconds);
  }
}

TEST(AdiProof, PlantedFaultsBreakIt) {
  const verif::Fault faults[] = {
      {"sel_of_another_victim", "", "sel2_q", "victim[2]",
       [](const rtl::Expr&, const verif::Nets& net) { return net("victim").bit(1); }},
      {"kept_ones_are_candidates", "_selection", "is_candidate_q", "~kept", verif::high()},
      {"victim_alone_is_kept", "_selection", "kept", "~at_victim", verif::inverted()},
      {"pair_of_a_bit_and_itself", "_victimization", "j_q", "pairs_q ? {i_q[0], 2'd0} : 3'd2",
       [](const rtl::Expr& next, const verif::Nets&) {
         return mux(next.node().args[0], next.node().args[1], rtl::lit(3, 3));
       }}};
  for (const verif::Fault& fault : faults)
    EXPECT_EQ(verif::prove(property(small, &fault)).outcome, verif::Outcome::counterexample) << fault.what;
}
