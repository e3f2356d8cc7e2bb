// Proof of BUCL's decision, for all thresholds, fails and free entries, in every cycle: all other requests of
// a load do as the first one did, past the cache or to the lookup, also while loads of several sources come
// mixed; and a first request is judged by the threshold of its own cycle. Injected faults break it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "verif/formal/prove.h"
#include "verif/mutate/injected_faults.h"
#include "verif/policy/bucl_decision.h"

namespace {

// The requests of a load come one after the other from each source: as many as the first says, or fewer.
std::string property(int sources) {
  const int bits = sources > 1 ? 1 + rtl::clog2(static_cast<unsigned>(sources)) : 1;
  const std::string source = sources > 1 ? fmt::format("id[{}:1]", bits - 1) : "1'd0";
  return fmt::format(
      "module property (input wire clk, input wire rst, input wire [{0}:0] id, input wire rehashed, input "
      "wire "
      "[5:0] degree,\n"
      "    input wire fails, input wire not_full, input wire [4:0] tucd, input wire low, input wire free, "
      "output "
      "wire bad);\n"
      "  reg started = 0;\n  reg [5:0] left [0:{1}];\n  reg past [0:{1}];\n  integer s;\n"
      "  wire [5:0] to_come = started ? left[{2}] : 6'd0;\n"
      "  wire first = rehashed | (to_come == 6'd0);\n  wire unseen, stalled, accepted;\n"
      "  decision dut (.clk(clk), .rst(rst | ~started), .first(first), .degree(degree), .fails(fails), "
      ".not_full(not_full),\n"
      "    .tucd(tucd), .hit_rate_low(low), .buffer_free(free), .is_unseen(unseen), .is_stalled(stalled), "
      ".accepted(accepted){3});\n"
      "  always @(posedge clk) begin\n    started <= 1;\n"
      "    if (rst | ~started) for (s = 0; s < {4}; s = s + 1) left[s] <= 0;\n"
      "    else if (accepted) begin\n      left[{2}] <= first ? degree - 6'd1 : to_come - 6'd1;\n"
      "      if (first) past[{2}] <= unseen;\n    end\n  end\n"
      "  assign bad = started & (first ? unseen != ({{1'd0, tucd}} < degree) : unseen != past[{2}]);\n"
      "endmodule\n",
      bits - 1, sources - 1, source, sources > 1 ? ", .id(id)" : "", sources);
}

verif::ProofResult proof(int sources, const verif::Fault* fault = nullptr) {
  std::vector<std::string> all{property(sources)};
  for (const auto& [name, text] : verif::texts_of(verif::bucl_decision(sources), fault)) all.push_back(text);
  return verif::prove({.top = "property", .verilog = all, .undefined_is_free = true});
}

}  // namespace

TEST(BuclProof, OneDecisionForAllRequestsOfALoad) {
  for (const int sources : {1, 2, 4}) {
    const auto result = proof(sources);
    EXPECT_TRUE(result.proven()) << sources << "\n" << result.message;
    fmt::print("{} sources: {:.1f} s\n", sources, result.seconds);
  }
}

TEST(BuclProof, InjectedFaultsBreakIt) {
  const auto breaks = [](int sources, const verif::Fault& fault) {
    return proof(sources, &fault).outcome == verif::Outcome::counterexample;
  };
  EXPECT_TRUE(breaks(1, {"others_decide_rehashed", "", "unseen", "bypass_held_q", verif::other("wide")}));
  EXPECT_TRUE(breaks(1, {"held_before_it_leaves", "", "bypass_held_q", "leaves", verif::high()}));
  EXPECT_TRUE(breaks(1, {"held_by_all", "", "bypass_held_q", "first", verif::high()}));
  EXPECT_TRUE(
      breaks(2, {"decided_by_any_source", "", "unseen", "", [](const rtl::Expr&, const verif::Nets& net) {
                   return rtl::mux(net("first"), net("wide"), net("bypass_held_q").bit(0));
                 }}));
}
