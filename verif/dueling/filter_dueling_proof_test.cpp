// Proofs of SM dueling, for all counts of an interval: the decision, made without a multiplier, is that of
// the exact comparison m0 / a0 > m1 / a1 + margin / 100 in whole numbers. Planted faults break them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "gen/print_verilog.h"
#include "gen/units/filter_dueling.h"
#include "hw/dueling/filter_dueling.h"
#include "hw/prim/one_hot.h"
#include "verif/formal/prove.h"

namespace {

void replace_once(std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error(fmt::format("no '{}' in\n{}", from, text));
  text.replace(at, from.size(), to);
}

// Both sides of the comparison, times 100 a0 a1, less what 100 and the margin share.
struct Sizes {
  explicit Sizes(const hw::FilterDuelingParams& p)
      : hundred(100 / std::gcd(100, p.margin_percent)),
        margin(p.margin_percent / std::gcd(100, p.margin_percent)),
        count(hw::bits_to_number(p.interval + 1)),
        cycle(hw::bits_to_number(p.interval)),
        product(2 * count + 9) {}
  int hundred, margin, count, cycle, product;
};

// Product by hand: wires `name`0 to `name`<count>, the last the whole, each with one bit more of `counter`,
// from the top one on.
std::string by_hand(const std::string& name, const std::string& counter, const std::string& factor,
                    const Sizes& s) {
  std::string text = fmt::format("  wire [{}:0] {}0 = 0;\n", s.product - 1, name);
  for (int k = 0; k < s.count; ++k)
    text += fmt::format("  wire [{0}:0] {1}{2} = {{{1}{3}, 1'd0}} + ({4}[{5}] ? {6} : 0);\n", s.product - 1,
                        name, k + 1, k, counter, s.count - 1 - k, factor);
  return text;
}

std::string factors(const Sizes& s) {
  return fmt::format("  wire [{0}:0] factor0 = {1} * m0;\n  wire [{0}:0] factor1 = {1} * m1 + {2} * a1;\n",
                     s.product - 1, s.hundred, s.margin);
}

// What holds in each cycle: the difference is that of two products by hand, as far as the bits have been
// seen, and the decision that of the whole ones.
// Cycles apart, which the solver would have to find out: `after` is a condition of the cycle before.
verif::Property decision(const hw::FilterDuelingParams& p, const std::string& after,
                         const std::string& from = "", const std::string& to = "") {
  const Sizes s(p);
  std::string unit = gen::verilog(hw::filter_dueling(p, "unit").module);
  if (!from.empty()) replace_once(unit, from, to);
  const int difference = hw::filter_dueling(p, "unit").facts.decision_bits - 4 * s.count - 1;
  std::vector<std::pair<std::string, int>> nets{
      {"cycle_q", s.cycle}, {"decides_q", 1}, {"difference_q", difference}};
  for (const int k : {0, 1})
    for (const char* net : {"loads{}_q", "misses{}_q", "all_loads{}_q", "all_misses{}_q"})
      nets.emplace_back(fmt::format(fmt::runtime(net), k), s.count);
  const int address = p.address_bits - hw::bits_to_number(p.line_bytes);
  std::string pins, wires;
  for (const auto& [net, bits] : nets) {
    replace_once(unit, " (\n", fmt::format(" (\n  output wire [{}:0] see_{},\n", bits - 1, net));
    replace_once(unit, "endmodule", fmt::format("  assign see_{0} = {0};\nendmodule", net));
    wires += fmt::format("  wire [{}:0] {};\n", bits - 1, net);
    pins += fmt::format(", .see_{0}({0})", net);
  }
  std::string text = fmt::format(
      "module property (input wire clk, input wire rst, input wire probe0_valid, input wire probe0_miss, "
      "input "
      "wire probe1_valid, input wire probe1_miss, output wire bad);\n{}  wire filter_enable;\n"
      "  unit dut (.clk(clk), .rst(rst), .probe0_valid(probe0_valid), .probe0_miss(probe0_miss), "
      ".probe1_valid(probe1_valid), .probe1_miss(probe1_miss), .probe0_block_address({}'d0), "
      ".probe1_block_address({}'d0), .filter_enable(filter_enable){});\n"
      "  wire [{}:0] a0 = all_loads0_q, m0 = all_misses0_q, a1 = all_loads1_q, m1 = all_misses1_q;\n{}",
      wires, address, address, pins, s.count - 1, factors(s));
  text += fmt::format(
      "  reg [{0}:0] left, right;\n  wire counts = cycle_q < {1};\n  wire [{2}:0] place = {3} - cycle_q;\n"
      "  wire [{0}:0] left_before = |cycle_q ? {{left, 1'd0}} : 0;\n"
      "  wire [{0}:0] right_before = |cycle_q ? {{right, 1'd0}} : 0;\n"
      "  always @(posedge clk) if (counts) begin\n"
      "    left <= left_before + (a1[place] ? factor0 : 0);\n"
      "    right <= right_before + (a0[place] ? factor1 : 0);\n  end\n"
      "  wire [{4}:0] unseen = counts ? {1} - cycle_q : 0;\n"
      "  wire [{0}:0] most1 = (a1 >> unseen) * {5}, most0 = (a0 >> unseen) * {5};\n",
      s.product - 1, s.count, hw::bits_to_number(s.count) - 1, s.count - 1, s.cycle - 1,
      p.interval * (s.hundred + s.margin));
  std::string bounds = fmt::format("(cycle_q < {})", p.interval);
  for (const int k : {0, 1})
    bounds += fmt::format(
        " & (loads{0}_q <= cycle_q) & (misses{0}_q <= loads{0}_q)\n    & (~seen | ((all_loads{0}_q <= {1}) & "
        "(all_misses{0}_q <= all_loads{0}_q)))",
        k, p.interval);
  text += fmt::format(
      "  reg past = 1'd0, seen, expected;\n"
      "  wire [{2}:0] so_far = left - right;\n  wire worse = left > right;\n"
      "  wire holds = {0}\n    & (~seen | (cycle_q == 0) | ((difference_q == so_far[{1}:0]) & (left <= "
      "most1) & (right <= most0))) & (seen | "
      "~decides_q)\n"
      "    & (expected == filter_enable);\n"
      "  always @(posedge clk) begin\n"
      "    past <= (holds & ({4})) | rst;\n"
      "    seen <= ~rst & (seen | (cycle_q == {3}));\n"
      "    expected <= ~rst & ((decides_q & (cycle_q == 30)) ? ~worse : expected);\n"
      "  end\n"
      "  assign bad = past & ~holds;\nendmodule\n",
      bounds, difference - 1, s.product - 1, p.interval - 1, after);
  return {.top = "property",
          .verilog = {text, unit},
          .flush_cycles = 1,
          .undefined_is_free = true,
          .timeout = std::chrono::seconds(600)};
}

// The cycles of an interval in which the products grow, each for itself, and all others.
std::vector<std::string> cycles(const hw::FilterDuelingParams& p) {
  std::vector<std::string> list;
  const int steps = Sizes(p).count;
  for (int k = 0; k < steps; ++k) list.push_back(fmt::format("cycle_q == {}", k));
  list.push_back(fmt::format("cycle_q >= {}", steps));
  return list;
}

// The products by hand are the products: for all numbers of these widths.
verif::Property product(const hw::FilterDuelingParams& p) {
  const Sizes s(p);
  const std::string text = fmt::format(
      "module property (input wire [{0}:0] counter, input wire [{1}:0] factor, output wire bad);\n{2}"
      "  wire [{3}:0] whole = counter * factor;\n  assign bad = hand{4} != whole;\nendmodule\n",
      s.count - 1, s.count + 6, by_hand("hand", "counter", "factor", s), s.product - 1, s.count);
  return {.top = "property", .verilog = {text}, .timeout = std::chrono::seconds(600)};
}

}  // namespace

TEST(FilterDuelingProof, DecidesAsTheExactComparison) {
  for (const hw::FilterDuelingParams& p : {hw::FilterDuelingParams{.interval = 64},
                                           {},
                                           {.interval = 100, .margin_percent = 0},
                                           {.interval = 127, .margin_percent = 33},
                                           {.interval = 65536, .margin_percent = 100}}) {
    double seconds = 0;
    for (const std::string& after : cycles(p)) {
      const auto result = verif::prove(decision(p, after));
      EXPECT_TRUE(result.proven()) << gen::cpp_params(p) << " " << after << "\n" << result.message;
      seconds += result.seconds;
    }
    fmt::print("interval {}: {:.1f} s\n", p.interval, seconds);
  }
}

TEST(FilterDuelingProof, ProductsByHandAreProducts) {
  for (const hw::FilterDuelingParams& p : {hw::FilterDuelingParams{.interval = 64}, {}}) {
    const auto result = verif::prove(product(p));
    EXPECT_TRUE(result.proven()) << gen::cpp_params(p) << "\n" << result.message;
    fmt::print("interval {}: {} by {}, {:.1f} s\n", p.interval, result.message, result.engine,
               result.seconds);
  }
}

TEST(FilterDuelingProof, PlantedFaultsBreakIt) {
  constexpr hw::FilterDuelingParams p{.interval = 64};
  const auto breaks = [&](const std::string& from, const std::string& to) {
    return std::ranges::any_of(cycles(p), [&](const std::string& after) {
      return verif::prove(decision(p, after, from, to)).outcome == verif::Outcome::counterexample;
    });
  };
  EXPECT_TRUE(breaks("filter_enable_q <= ~worse", "filter_enable_q <= worse"));
  EXPECT_TRUE(breaks("& (|difference_q)", ""));
  EXPECT_TRUE(breaks("cycle_q < 6'h7", "cycle_q < 6'h6"));
  EXPECT_TRUE(breaks("if (decides_q & (", "if (("));
}
