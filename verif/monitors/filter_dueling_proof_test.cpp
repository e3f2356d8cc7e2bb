// Proofs of SM dueling, for all counts of an interval: the decision, made without a multiplier, is that of
// the exact comparison m0 / a0 > m1 / a1 + margin / 100 in whole numbers. Injected faults break them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <numeric>

#include "gen/config/catalogue.h"
#include "hw/monitors/filter_dueling.h"
#include "hw/prim/one_hot.h"
#include "verif/formal/opened_unit.h"
#include "verif/full_tier.h"

namespace {

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

std::string factors(const Sizes& s) {
  return fmt::format("  wire [{0}:0] factor0 = {1} * m0;\n  wire [{0}:0] factor1 = {1} * m1 + {2} * a1;\n",
                     s.product - 1, s.hundred, s.margin);
}

// What holds in each cycle: the difference is that of two long multiplications, as far as the bits have been
// seen, and the decision that of the whole ones. That these are products is a proof of its own:
// filter_dueling_products_full_test.cpp.
// `claim` is the part of it that is proved of the next cycle; all together they are what holds.
verif::Property decision(const hw::FilterDuelingParams& p, const std::string& claim,
                         const verif::Fault* fault = nullptr) {
  const Sizes s(p);
  verif::OpenedUnit unit(hw::filter_dueling(p, "unit").module, fault);
  unit.see({"cycle_q", "decides_q", "difference_q", "factor0_q", "factor1_q", "change_q", "begun_q",
            "worse_q", "adds_q", "subtracts_q"});
  for (const int k : {0, 1})
    for (const char* net : {"loads{}_q", "misses{}_q", "all_loads{}_q", "all_misses{}_q"})
      unit.see({fmt::format(fmt::runtime(net), k)});
  const int difference = unit.width("difference_q"), factor = unit.width("factor0_q");
  std::string text = fmt::format(
      "  wire [{}:0] a0 = all_loads0_q, m0 = all_misses0_q, a1 = all_loads1_q, m1 = all_misses1_q;\n{}",
      s.count - 1, factors(s));
  // Bit k from the top is in `change_q` in cycle k + 2, and in the difference a cycle later.
  text += fmt::format(
      "  reg [{0}:0] left, right;\n"
      "  wire counts = (cycle_q >= 2) & (cycle_q < {1} + 2);\n  wire [{2}:0] place = {1} + 1 - cycle_q;\n"
      "  wire [{0}:0] left_more = a1[place] ? factor0_q : 0, right_more = a0[place] ? factor1_q : 0;\n"
      "  always @(posedge clk) if (counts) begin\n"
      "    left <= ((cycle_q == 2) ? 0 : {{left, 1'd0}}) + left_more;\n"
      "    right <= ((cycle_q == 2) ? 0 : {{right, 1'd0}}) + right_more;\n  end\n"
      "  wire [{4}:0] unseen = counts ? {1} + 2 - cycle_q : 0;\n"
      "  wire [{0}:0] most1 = (a1 >> unseen) * {5}, most0 = (a0 >> unseen) * {5};\n"
      "  wire [{0}:0] so_far = left - right, more = left_more - right_more;\n"
      "  wire factors_hold = (cycle_q == 0) | ((factor0_q == factor0) & (factor1_q == factor1) & (factor0_q "
      "<= "
      "{5}) & (factor1_q <= {5}));\n"
      "  wire steps_hold = (cycle_q == 0) | (((cycle_q != 1) | (change_q == 0)) & (~counts | (change_q == "
      "more[{3}:0]))\n"
      "    & ((cycle_q != 2) | (difference_q == 0)) & (begun_q == (cycle_q >= 2))\n"
      "    & ((cycle_q <= 2) | (cycle_q > {1} + 2) | (difference_q == so_far[{6}:0])));\n"
      "  wire [{2}:0] ahead = {1} - cycle_q;\n"
      "  wire bits_hold = (cycle_q == 0) ? ~adds_q & ~subtracts_q\n"
      "    : (cycle_q > {1}) | ((adds_q == a1[ahead]) & (subtracts_q == a0[ahead]));\n"
      "  wire products_hold = (cycle_q <= 2) | ((left <= most1) & (right <= most0));\n"
      "  wire decision_holds = (cycle_q <= {1} + 2) | (worse_q == (left > right));\n",
      s.product - 1, s.count, hw::bits_to_number(s.count) - 1, factor, s.cycle - 1,
      p.interval * (s.hundred + s.margin), difference - 1);
  std::string bounds = fmt::format("(cycle_q < {})", p.interval);
  for (const int k : {0, 1})
    bounds += fmt::format(
        " & (loads{0}_q <= cycle_q) & (misses{0}_q <= loads{0}_q)\n    & (~seen | ((all_loads{0}_q <= {1}) & "
        "(all_misses{0}_q <= all_loads{0}_q)))",
        k, p.interval);
  text += fmt::format(
      "  reg past = 1'd0, seen, expected;\n"
      "  wire worse = left > right;\n"
      "  wire counters_hold = {0} & (seen | ~decides_q) & (expected == filter_enable);\n"
      "  wire holds = counters_hold & (~seen | (bits_hold & factors_hold & steps_hold & products_hold & "
      "decision_holds));\n"
      "  always @(posedge clk) begin\n"
      "    past <= holds | rst;\n"
      "    seen <= ~rst & (seen | (cycle_q == {1}));\n"
      "    expected <= ~rst & ((decides_q & (cycle_q == 30)) ? ~worse : expected);\n"
      "  end\n"
      "  assign bad = past & ~({2});\nendmodule\n",
      bounds, p.interval - 1, claim == "counters_hold" ? claim : "~seen | " + claim);
  verif::Property property = unit.property(text);
  property.timeout = std::chrono::seconds(600);
  return property;
}

const std::vector<std::string> claims{"counters_hold", "bits_hold",     "factors_hold",
                                      "steps_hold",    "products_hold", "decision_holds"};

}  // namespace

// The fast tests do without the proofs that take longest.
TEST(FilterDuelingProof, DecidesAsTheExactComparison) {
  std::vector<hw::FilterDuelingParams> shapes{{.interval = 64}, {}, {.interval = 100, .margin_percent = 0}};
  if (verif::full_tier())
    shapes.insert(shapes.end(),
                  {{.interval = 127, .margin_percent = 33}, {.interval = 65536, .margin_percent = 100}});
  for (const hw::FilterDuelingParams& p : shapes) {
    double seconds = 0;
    for (const std::string& claim : claims) {
      const auto result = verif::prove(decision(p, claim));
      EXPECT_TRUE(result.proven()) << gen::changed_settings(p) << " " << claim << "\n" << result.message;
      seconds += result.seconds;
    }
    fmt::print("interval {}: {:.1f} s\n", p.interval, seconds);
  }
}

TEST(FilterDuelingProof, InjectedFaultsBreakIt) {
  const auto breaks = [](const std::string& claim, const verif::Fault& fault) {
    return verif::prove(decision({.interval = 64}, claim, &fault)).outcome == verif::Outcome::counterexample;
  };
  EXPECT_TRUE(breaks("counters_hold", {"other_way", "", "filter_enable_q", "~worse_q", verif::inverted()}));
  EXPECT_TRUE(breaks("counters_hold", {"always", "", "filter_enable_q", "decides_q", verif::high()}));
  EXPECT_TRUE(breaks("decision_holds", {"tie_is_worse", "", "worse", "|difference_q", verif::high()}));
  EXPECT_TRUE(breaks("decision_holds", {"too_early", "", "worse_q", "COMPARED_CYCLE", verif::stuck(8)}));
  EXPECT_TRUE(breaks("bits_hold", {"no_bit_adds", "", "adds_q", "~last", verif::low()}));
  EXPECT_TRUE(breaks("steps_hold", {"begins_at_once", "", "begun_q", "|cycle_q", verif::high()}));
}
