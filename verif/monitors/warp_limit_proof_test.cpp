// Proofs of the warp limiter, for all launches, ends, waits and limits: as many warps are allowed as the
// lesser of limit and present warps, of two present warps never the younger alone, and a CTA with more warps
// than the limit gets through a barrier; TUCD of BUCL's update unit stays in its range and moves by one.
// Injected faults break them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>

#include "hw/monitors/warp_limit.h"
#include "hw/policy/bucl_threshold_unit.h"
#include "verif/formal/prove.h"
#include "verif/mutate/injected_faults.h"

namespace {

using verif::high, verif::low;

std::vector<std::string> texts(const rtl::Module& unit, const std::string& property,
                               const verif::Fault* fault) {
  std::vector<std::string> all{property};
  for (const auto& [name, text] : verif::texts_of(unit, fault)) all.push_back(text);
  return all;
}

// Slots 0 and 1 stand for any two: which of their warps is older follows from the launches alone.
verif::ProofResult limiter(int warps, const std::string& claim, const verif::Fault* fault = nullptr) {
  const auto unit = hw::warp_limit({.warps = warps}, "unit");
  std::string sum;
  for (int w = 0; w < warps; ++w) sum += fmt::format("{}{{4'd0, present[{}]}}", w ? " + " : "", w);
  std::string given = sum;
  for (std::size_t at = given.find("present"); at != given.npos; at = given.find("present", at + 7))
    given.replace(at, 7, "allowed");
  const int limit = std::bit_width(static_cast<unsigned>(warps));
  const std::string property = fmt::format(
      "module property (input wire clk, input wire rst, input wire [{0}:0] launch, input wire [{0}:0] "
      "finish, "
      "input wire [{0}:0] waiting, input wire [{1}:0] limit, output wire bad);\n"
      "  wire [{0}:0] allowed;\n  reg [{0}:0] here = 0;\n  reg started = 0, first_older = 0;\n"
      "  unit dut (.clk(clk), .rst(rst | ~started), .launch(launch), .finish(finish), .waiting(waiting), "
      ".limit(limit), .allowed(allowed));\n"
      "  wire [{0}:0] present = here & ~waiting;\n"
      "  wire [4:0] there = {2}, let = {3};\n  wire [4:0] least = (there < limit) ? there : limit;\n"
      "  always @(posedge clk) begin\n    started <= 1;\n"
      "    here <= (rst | ~started) ? 0 : (here & ~finish) | launch;\n"
      "    first_older <= launch[1] | (first_older & ~launch[0]);\n  end\n"
      "  wire number_holds = (let == least) & ~(|(allowed & ~present));\n"
      "  wire age_holds = ~(present[0] & present[1]) | (first_older ? (allowed[0] | ~allowed[1]) : "
      "(allowed[1] | "
      "~allowed[0]));\n"
      "  assign bad = started & ~{4};\nendmodule\n",
      warps - 1, limit - 1, sum, given, claim);
  return verif::prove({.top = "property", .verilog = texts(unit, property, fault)});
}

verif::ProofResult moves_by_one(const hw::BuclParams& p, const verif::Fault* fault = nullptr) {
  const auto unit = hw::bucl_threshold_unit(p, "unit");
  const int bits = hw::tucd_bits(p), entry = hw::occupancy_bits(p);
  const std::string property = fmt::format(
      "module property (input wire clk, input wire rst, input wire kernel_start, input wire access, input "
      "wire "
      "hit, input wire [{0}:0] occupancy0, output wire bad);\n"
      "  wire [{1}:0] tucd;\n  wire profiling, low, free;\n  reg [{1}:0] past = 0;\n  reg started = 0, "
      "goes_on = 0;\n"
      "  unit dut (.clk(clk), .rst(rst | ~started), .kernel_start(kernel_start), .access(access), .hit(hit), "
      ".occupancy0(occupancy0), .profiling(profiling), .tucd(tucd), .hit_rate_low(low), "
      ".buffer_free(free));\n"
      "  always @(posedge clk) begin\n    started <= 1;\n    past <= tucd;\n"
      "    goes_on <= started & ~rst & ~kernel_start;\n  end\n"
      "  wire in_range = (tucd >= {2}) & (tucd <= {3}) & ~profiling;\n"
      "  wire steps = (tucd == past) | (tucd == past + 1) | (past == tucd + 1);\n"
      "  reg known = 0;\n  always @(posedge clk) known <= started;\n"
      "  assign bad = known & ~(in_range & (~goes_on | steps));\nendmodule\n",
      entry - 1, bits - 1, p.lowest, p.highest);
  return verif::prove({.top = "property", .verilog = texts(unit, property, fault)});
}

// Warps of one CTA, each of which issues once and then waits at a barrier for the others, in any order that
// the limiter lets them.
verif::ProofResult barrier(int warps, const verif::Fault* fault = nullptr) {
  const auto unit = hw::warp_limit({.warps = warps}, "unit");
  const std::string property = fmt::format(
      "module property (input wire clk, input wire rst, input wire [{0}:0] pick, input wire [{1}:0] limit, "
      "output "
      "wire bad);\n"
      "  wire [{0}:0] allowed;\n  reg [{0}:0] arrived = 0;\n  reg [1:0] age = 0;\n"
      "  wire [{0}:0] all = {{{2}{{1'd1}}}};\n"
      "  unit dut (.clk(clk), .rst(age == 0), .launch((age == 1) ? all : {2}'d0), .finish({2}'d0), "
      ".waiting(arrived), .limit(limit), .allowed(allowed));\n"
      "  wire [{0}:0] issues = allowed & pick & ~(pick - 1);\n"
      "  wire [{0}:0] here = arrived | issues;\n"
      "  always @(posedge clk) begin\n    if (age != 2) age <= age + 1;\n"
      "    arrived <= (here == all) ? 0 : here;\n  end\n"
      "  assign bad = (age == 2) & (limit != 0) & (~(|allowed) | (|(issues & arrived)));\nendmodule\n",
      warps - 1, std::bit_width(static_cast<unsigned>(warps)) - 1, warps);
  return verif::prove({.top = "property", .verilog = texts(unit, property, fault)});
}

hw::BuclParams short_period() {
  hw::BuclParams p{.period = 4, .initial = 5, .lowest = 3, .highest = 6, .sub_partitions = 1};
  p.buffer_entries = 1;
  return p;
}

}  // namespace

TEST(WarpLimitProof, TheLesserOfLimitAndPresentAndTheOldest) {
  for (const int warps : {2, 3, 4})
    for (const char* claim : {"number_holds", "age_holds"}) {
      const auto result = limiter(warps, claim);
      EXPECT_TRUE(result.proven()) << warps << " " << claim << "\n" << result.message;
      fmt::print("{} warps, {}: {:.1f} s\n", warps, claim, result.seconds);
    }
}

TEST(WarpLimitProof, InjectedFaultsBreakIt) {
  const auto breaks = [](const std::string& claim, const verif::Fault& fault) {
    return limiter(3, claim, &fault).outcome == verif::Outcome::counterexample;
  };
  EXPECT_TRUE(breaks("number_holds", {"waiting_counts", "", "present", "~waiting", high()}));
  EXPECT_TRUE(breaks("number_holds", {"one_more", "_rank", "start", "3'd1", low()}));
  EXPECT_TRUE(breaks("age_holds", {"stays_old", "", "old1_q", "~launch[0]", high()}));
  EXPECT_TRUE(breaks("age_holds", {"not_the_youngest", "", "old1_q", "launch[1]", low()}));
}

// While not all have come to the barrier some warp may issue that has not, and so all come.
TEST(WarpLimitProof, NoDeadlockAtABarrierUnderALimit) {
  for (const int warps : {2, 3, 4}) {
    const auto result = barrier(warps);
    EXPECT_TRUE(result.proven()) << warps << "\n" << result.message;
    fmt::print("{} warps at a barrier: {:.1f} s\n", warps, result.seconds);
  }
  const verif::Fault fault{"waiting_warps_keep_their_places", "", "present", "~waiting", high()};
  EXPECT_EQ(barrier(3, &fault).outcome, verif::Outcome::counterexample);
}

TEST(BuclThresholdProof, StaysInItsRangeAndMovesByOne) {
  const auto result = moves_by_one(short_period());
  EXPECT_TRUE(result.proven()) << result.message;
  fmt::print("{:.1f} s\n", result.seconds);
  const verif::Fault above{"above", "", "up", "tucd_q == TUCD_HIGHEST", low()},
      below{"below", "", "down", "tucd_q == TUCD_LOWEST", low()};
  EXPECT_EQ(moves_by_one(short_period(), &above).outcome, verif::Outcome::counterexample);
  EXPECT_EQ(moves_by_one(short_period(), &below).outcome, verif::Outcome::counterexample);
}
