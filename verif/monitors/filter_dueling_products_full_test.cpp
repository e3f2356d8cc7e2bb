// Long multiplication, from the top bit on as the proof of SM dueling has it, is the product: for every
// number of loads that the default interval can have, and all factors.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "verif/formal/prove.h"

namespace {

constexpr int interval = 500, factor_bits = 13, count_bits = 9;  // the factors are at most 11 x 500
constexpr int at_once = 32;

// A constant factor each, since then both sides are sums of few shifted copies.
verif::Property products(int first, int last, const std::string& shift) {
  std::string text = fmt::format(
      "module one #(parameter [{0}:0] loads = 0) (input wire [{1}:0] factor, output wire bad);\n"
      "  integer i;\n  reg [{2}:0] sum;\n"
      "  always @* begin\n    sum = 0;\n"
      "    for (i = {0}; i >= 0; i = i - 1) sum = (sum << {3}) + (loads[i] ? factor : 0);\n  end\n"
      "  wire [{2}:0] product = factor * loads;\n  assign bad = sum != product;\nendmodule\n"
      "module property (input wire [{1}:0] factor, output wire bad);\n  wire [{4}:0] each;\n"
      "  assign bad = |each;\n",
      count_bits - 1, factor_bits - 1, factor_bits + count_bits - 1, shift, last - first);
  for (int loads = first; loads <= last; ++loads)
    text += fmt::format("  one #(.loads({})) one{} (.factor(factor), .bad(each[{}]));\n", loads,
                        loads - first, loads - first);
  return {.top = "property", .verilog = {text + "endmodule\n"}, .timeout = std::chrono::seconds(600)};
}

}  // namespace

TEST(FilterDuelingProducts, LongMultiplicationIsTheProduct) {
  for (int first = 0; first <= interval; first += at_once) {
    const auto result = verif::prove(products(first, std::min(first + at_once - 1, interval), "1"));
    EXPECT_TRUE(result.proven()) << first << " " << result.message;
  }
}

TEST(FilterDuelingProducts, AnotherShiftIsNot) {
  EXPECT_EQ(verif::prove(products(2, 9, "2")).outcome, verif::Outcome::counterexample);
}
