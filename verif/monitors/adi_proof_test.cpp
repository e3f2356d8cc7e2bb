// Proves that the monitor's sel never holds one bit twice, for any events of the cache: an invariant that
// each cycle keeps and each reset establishes, from any state of all registers; and that injected faults
// break it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "verif/formal/opened_unit.h"
#include "verif/monitors/sample.h"

namespace {

verif::Property property(const hw::AdiMonitorParams& p, const verif::Fault* fault = nullptr) {
  const int s = hw::index_bits(p), low = hw::offset_bits(p);
  verif::OpenedUnit monitor(hw::adi_monitor(p, "monitor").module, fault);
  monitor.see({"i_q", "j_q", "pair_i_q", "pair_j_q"}, "victimization");
  monitor.see(
      {"sample_q", "counting_q", "position_q", "is_candidate_q", "is_last_q", "compared_q", "moves_q"},
      "selection");
  monitor.see({"victim", "winner", "phase_q", "arranging_q", "flush_q"});

  std::string twice = "1'd0", outside = "1'd0";
  // A bit that may replace the victim: a block-address bit, and none of the index bits that stay.
  const auto sound = [&](const std::string& bit) {
    std::string text = fmt::format("({0} >= {1}) & ({0} <= {2})", bit, low, p.address_bits - 1);
    for (int i = 0; i < s; ++i) text += fmt::format(" & (victim[{0}] | ({1} != sel{0}))", i, bit);
    return "(" + text + ")";
  };
  for (int i = 0; i < s; ++i) {
    outside += fmt::format(" | (sel{0} < {1}) | (sel{0} > {2})", i, low, p.address_bits - 1);
    for (int j = 0; j < i; ++j) twice += fmt::format(" | (sel{} == sel{})", i, j);
  }
  std::string lone = "1'd1";
  for (const char* bits : {"victim", "i_q", "j_q", "pair_i_q", "pair_j_q"})
    lone += fmt::format(" & (({0} & ({0} - 1)) == 0)", bits);
  return monitor.property(fmt::format(
      "  reg past = 1'd0;\n  wire twice = {};\n  wire outside = {};\n  wire lone = {};\n"
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
      fmt::arg("compared", sound("compared_q")), fmt::arg("winner", sound("winner"))));
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

TEST(AdiProof, InjectedFaultsBreakIt) {
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
