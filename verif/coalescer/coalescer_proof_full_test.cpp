// Proofs of a small coalescer, for all instructions and orders of answers: the request that has a lane asks
// for its bytes, at all times; and the lane gets the bytes of its address that came for that request, for 12
// cycles.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "verif/coalescer/coalescer_property.h"

namespace {

using verif::high, verif::low;

verif::ProofResult proved(const std::string& claim, int stages, const verif::CoalescerSample& sample,
                          const verif::Fault* fault = nullptr) {
  verif::Property property = verif::coalescer_property(claim, stages, sample, fault);
  property.timeout = std::chrono::seconds(1800);
  const auto result = verif::prove(property);
  fmt::print("{} by {}, {:.1f} s\n", result.message, result.engine, result.seconds);
  return result;
}

// With the bits of an answer that a lane may get.
constexpr verif::CoalescerSample answered(int lane) {
  return {.offset_bits = 2, .one_bit_of_data = true, .lane = lane};
}

}  // namespace

TEST(CoalescerProofFull, ARequestHasTheBytesOfItsLanes) {
  for (const int stages : {2, 3}) EXPECT_TRUE(proved("right", stages, {}).proven()) << stages;
}

TEST(CoalescerProofFull, EachLaneIsAskedForOnce) {
  EXPECT_TRUE(proved("once", 2, {.line_bits = 15}).proven());
  EXPECT_TRUE(proved("once", 3, {}).proven());
  EXPECT_TRUE(proved("alone", 3, {}).proven());
}

// No engine decides it without bound where RAMs and registers begin with any values.
TEST(CoalescerProofFull, EachLaneGetsItsBytesInTheFirstCycles) {
  for (const int lane : {0, 1, 2, 3}) {
    verif::Property property = verif::coalescer_property("gets", 2, answered(lane));
    property.bounded_cycles = 12;
    property.timeout = std::chrono::seconds(1800);
    const auto result = verif::prove(property);
    fmt::print("{} by {}, {:.1f} s\n", result.message, result.engine, result.seconds);
    EXPECT_TRUE(result.proven()) << lane;
  }
}

TEST(CoalescerProofFull, InjectedFaultsBreakThem) {
  const auto broken = [](const char* claim, const verif::CoalescerSample& sample, const verif::Fault& fault) {
    return proved(claim, 2, sample, &fault).outcome == verif::Outcome::counterexample;
  };
  EXPECT_TRUE(broken("right", {}, {"bytes_of_no_lane", "_requests", "bytes", "", low()}));
  EXPECT_TRUE(broken("gets", answered(1), {"early_values_are_lost", "_answers", "kept", "", low()}));
  EXPECT_TRUE(broken("gets", answered(1), {"the_first_answer_is_the_last", "_answers", "last", "", high()}));
}
