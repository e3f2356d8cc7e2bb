// Proves that the monitor's sel never holds one bit twice, whatever the cache shows it: an invariant that
// each cycle keeps and each reset establishes, from any state of all registers; and that planted faults break
// it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "verif/adaptive/sample.h"
#include "verif/formal/prove.h"

namespace {

// Brings an inner net out as a port of the module and, where given, of its instance.
void bring_out(std::string& text, int width, const std::string& net) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error(fmt::format("no '{}' in\n{}", from, text));
    text.replace(at, from.size(), to);
  };
  replace(" (\n", fmt::format(" (\n  output wire [{}:0] see_{},\n", width - 1, net));
  replace("endmodule", fmt::format("  assign see_{0} = {0};\nendmodule", net));
}

verif::Property property(const hw::AdiMonitorParams& p, const std::string& part, const std::string& from,
                         const std::string& to) {
  const int s = hw::index_bits(p), width = hw::sel_bits(p), count = p.counter_bits, low = hw::offset_bits(p);
  const int bit = rtl::clog2(static_cast<std::uint64_t>(s));
  std::map<std::string, std::string> texts;
  for (const rtl::Module& m : rtl::modules_of(hw::adi_monitor(p, "monitor").module))
    texts[m.name()] = gen::verilog(m);
  if (!from.empty()) {
    std::string& text = texts.at("monitor" + part);
    const auto at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error(fmt::format("no '{}' to break in\n{}", from, text));
    text.replace(at, from.size(), to);
  }
  std::string &top = texts.at("monitor"), &selection = texts.at("monitor_selection");
  bring_out(selection, 1, "sample_q");
  bring_out(selection, count, "most_q");
  bring_out(selection, width, "position_q");
  bring_out(top, bit, "victim");
  bring_out(top, width, "victim_sel");
  bring_out(top, width, "winner");
  bring_out(top, 3, "phase_q");
  const std::string pins = fmt::format(
      "  output wire see_sample_q,\n  output wire [{}:0] see_most_q,\n  output wire [{}:0] see_position_q,\n",
      count - 1, width - 1);
  top.insert(top.find(" (\n") + 3, pins);
  const std::string instance = "monitor_selection selection (\n";
  top.insert(top.find(instance) + instance.size(),
             "    .see_most_q(see_most_q), .see_position_q(see_position_q), .see_sample_q(see_sample_q),\n");

  std::string sels, sel_pins, twice = "1'd0", outside = "1'd0", kept = "1'd0";
  for (int i = 0; i < s; ++i) {
    sels += fmt::format("  wire [{}:0] sel{};\n", width - 1, i);
    sel_pins += fmt::format(", .sel{0}(sel{0})", i);
    outside += fmt::format(" | (sel{0} < {1}) | (sel{0} > {2})", i, low, p.address_bits - 1);
    kept += fmt::format(" | ((victim != {0}) & (winner == sel{0}))", i);
    for (int j = 0; j < i; ++j) twice += fmt::format(" | (sel{} == sel{})", i, j);
  }
  std::string text = fmt::format(
      "module sel_is_distinct (input wire clk, input wire rst, input wire probe_valid, input wire [{}:0] "
      "probe_block_address,\n"
      "    input wire probe_miss, input wire flush_ready, output wire bad);\n{}"
      "  wire [{}:0] most;\n  wire [{}:0] position, victim_sel, winner;\n  wire [{}:0] victim;\n  wire [2:0] "
      "phase;\n"
      "  wire flush_valid, sampling;\n  reg past = 1'd0;\n",
      hw::block_address_bits(p) - 1, sels, count - 1, width - 1, bit - 1);
  text += fmt::format(
      "  monitor dut (.clk(clk), .rst(rst), .probe_valid(probe_valid), "
      ".probe_block_address(probe_block_address),\n"
      "    .probe_miss(probe_miss), .flush_ready(flush_ready), .flush_valid(flush_valid), "
      ".see_most_q(most),\n"
      "    .see_position_q(position), .see_victim(victim), .see_victim_sel(victim_sel), "
      ".see_winner(winner),\n"
      "    .see_sample_q(sampling), .see_phase_q(phase){});\n",
      sel_pins);
  text += fmt::format(
      "  wire twice = {0};\n  wire outside = {1};\n"
      "  wire legal = (winner >= {4}) & (winner <= {5});\n"
      "  wire sound = (~({2}) & legal) | (victim >= {3});  // the winner may take the victim's place\n"
      "  wire fresh = (most == 0) & (position == {4});\n"
      "  wire nothing_yet = (most == 0) & (position <= victim_sel);\n"
      "  wire holds = ~twice & ~outside & (phase < 6) & ((phase == 3) | (phase == 4) | fresh) & (~sampling | "
      "(phase != 3) | fresh)\n"
      "    & ((phase != 3) | ((position >= {4}) & (position <= {5}) & (nothing_yet | sound))) & ((phase != "
      "4) | sound);\n"
      "  always @(posedge clk) past <= holds | rst;\n"
      "  assign bad = past & ~holds;\nendmodule\n",
      twice, outside, kept, s, low, p.address_bits - 1);
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
    const auto result = verif::prove(property(p, "", "", ""));
    EXPECT_TRUE(result.proven()) << gen::cpp_params(p) << "\n" << result.message;
    fmt::print("{} sets: {} by {}, {:.1f} s\n", p.sets, result.message, result.engine, result.seconds);
  }
}

TEST(AdiProof, PlantedFaultsBreakIt) {
  const auto breaks = [](const std::string& part, const std::string& from, const std::string& to) {
    return verif::prove(property(small, part, from, to)).outcome == verif::Outcome::counterexample;
  };
  EXPECT_TRUE(breaks("", "victim == 2'd2", "victim == 2'd1"));
  EXPECT_TRUE(
      breaks("_selection", "is_candidate = ~kept[position_q]", "is_candidate = ~kept[position_q] | 1'd1"));
  EXPECT_TRUE(breaks("_selection", "kept[victim_sel] = 1'd0", "kept = 0"));
}
