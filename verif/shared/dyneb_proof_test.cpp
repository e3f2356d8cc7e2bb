// Proofs that DynEB changes sets over only with nothing open, for all events that its contract allows: only
// when it is idle and no request comes; and it is idle only when a count beside it finds nothing open.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include "hw/shared/dyneb.h"
#include "verif/formal/prove.h"
#include "verif/mutate/injected_faults.h"

namespace {

// Requests come while it does not hold, and in the first cycle of DRAIN; answers while some are open.
const std::string harness = R"(module property (
  input clk, input flush, input request, input answer, input [11:0] event_bits, output bad
);
  reg started;
  initial started = 1'b0;
  always @(posedge clk) started <= 1'b1;
  reg [9:0] open;
  reg held, could, begun, even_before, odd_before;
  wire even, odd, hold, idle;
  wire [2:0] phase;
  wire drains = phase == 3'd2 | phase == 3'd4;
  wire asks = started & request & ~flush & open != 10'd1023 & (~hold | (drains & ~held));
  wire answers = started & answer & ~flush & open != 10'd0;
  unit dut (.clk(clk), .rst(~started), .flush(flush), .request(asks), .request_load(event_bits[0]),
    .request_odd(event_bits[1]), .request_home(event_bits[2]), .answer(answers), .probe(event_bits[3]),
    .probe_odd(event_bits[4]), .probe_served(event_bits[5]), .probe_miss(event_bits[6]),
    .slice_reply(event_bits[7]), .slice_odd(event_bits[1]), .slice_served(event_bits[8]),
    .home_reply(event_bits[9]), .home_odd(event_bits[4]), .home_load(event_bits[10]),
    .home_hit(event_bits[11]), .phase(phase), .even_shared(even), .odd_shared(odd), .hold(hold), .idle(idle));
  always @(posedge clk) begin
    held <= hold;
    could <= idle & ~asks;
    begun <= ~started | flush;
    even_before <= even;
    odd_before <= odd;
    open <= ~started | flush ? 10'd0 : open + {9'd0, asks} - {9'd0, answers};
  end
  assign bad = started & ({});
endmodule
)";
const char* const changes_while_busy = "~begun & ~could & (even != even_before | odd != odd_before)";
const char* const idle_by_mistake = "idle != (open == 10'd0)";

verif::ProofResult proof(const char* bad, const verif::Fault* fault = nullptr) {
  const hw::DynebParams small{.sample_accesses = 1, .execute_accesses = 1, .sample_cap = 2, .execute_cap = 2};
  std::string property = harness;
  property.replace(property.find("{}"), 2, bad);
  verif::Property p{.top = "property", .verilog = {property}};
  for (const auto& [name, text] : verif::texts_of(hw::dyneb(small, "unit"), fault)) p.verilog.push_back(text);
  p.timeout = std::chrono::seconds(5);
  return verif::prove(p);
}

}  // namespace

TEST(DynebProof, ChangesOverOnlyWithNothingOpen) {
  for (const char* bad : {changes_while_busy, idle_by_mistake}) {
    const auto sound = proof(bad);
    EXPECT_TRUE(sound.proven()) << bad << ": " << sound.engine << ": " << sound.message;
    fmt::print("{}: proven by {} in {:.1f} s\n", bad, sound.engine, sound.seconds);
  }
}

// Broken copies need a whole sample before they show it.
TEST(DynebProof, FailsOnBrokenCopies) {
  const verif::Fault early{"beside_a_request", "", "drained", "~request", verif::high()},
      lost{"an_answer_too_many", "", "open_q", "~answer", verif::high()};
  EXPECT_FALSE(proof(changes_while_busy, &early).proven());
  EXPECT_EQ(proof(idle_by_mistake, &lost).outcome, verif::Outcome::counterexample);
}
