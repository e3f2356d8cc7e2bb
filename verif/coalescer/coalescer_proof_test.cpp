// Proofs of a small coalescer, for all instructions, orders of answers and times: each active lane is in one
// request, of its line alone. Injected faults break them. The bytes, and three stages, are in
// coalescer_proof_full_test.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "verif/coalescer/coalescer_property.h"

namespace {

using verif::high, verif::low;

verif::ProofResult proved(const std::string& claim, int stages, const verif::Fault* fault = nullptr) {
  const auto result = verif::prove(verif::coalescer_property(claim, stages, {}, fault));
  fmt::print("{} by {}, {:.1f} s\n", result.message, result.engine, result.seconds);
  return result;
}

bool broken(const std::string& claim, const verif::Fault& fault) {
  return proved(claim, 2, &fault).outcome == verif::Outcome::counterexample;
}

}  // namespace

TEST(CoalescerProof, EachLaneIsAskedForOnce) { EXPECT_TRUE(proved("once", 2).proven()); }

TEST(CoalescerProof, NoOtherRequestHasItsLine) { EXPECT_TRUE(proved("alone", 2).proven()); }

TEST(CoalescerProof, InjectedFaultsBreakThem) {
  EXPECT_TRUE(broken("once", {"requests_have_no_lanes", "_requests", "members", "", low()}));
  EXPECT_TRUE(broken("alone", {"every_lane_leads_a_request", "_requests_groups", "leads", "", high()}));
}
