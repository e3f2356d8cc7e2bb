// The round-robin arbiter: lock step at even and odd sizes, proofs on small ones, planted faults, errors.
#include "golden/noc/arbiter_round_robin.h"

#include "hw/noc/arbiter_round_robin.h"
#include "verif/formal/noc_properties.h"
#include "verif/noc/lock_step.h"
#include "verif/rtl/thrown.h"

namespace {

std::vector<std::string> inputs(int n) { return {fmt::format("arbiter.inputs={}", n)}; }

std::int64_t full_cycles() { return verif::full_tier() ? 2'000'000 : 50'000; }

std::string text_of(int n) { return gen::verilog(hw::arbiter_round_robin({.inputs = n}, "arbiter")); }

}  // namespace

TEST(ArbiterRoundRobin, GoldenServesInTurn) {
  golden::ArbiterRoundRobin<hw::ArbiterParams{.inputs = 5}> arbiter;
  const auto served = [&](unsigned request, bool advance) {
    const auto grant = arbiter.grant(request);
    arbiter.edge(request, advance);
    return grant.to_ulong();
  };
  EXPECT_EQ(served(0b11111, true), 0b00001u);
  EXPECT_EQ(served(0b11111, false), 0b00010u);  // not used: the pointer stays
  EXPECT_EQ(served(0b11101, true), 0b00100u);
  EXPECT_EQ(arbiter.pointer(), 3);
  EXPECT_EQ(served(0b00000, true), 0u);
  EXPECT_EQ(arbiter.pointer(), 3);
  EXPECT_EQ(served(0b10001, true), 0b10000u);
  EXPECT_EQ(arbiter.pointer(), 0);
  EXPECT_EQ(served(0b01000, true), 0b01000u);
  EXPECT_EQ(served(0b00110, true), 0b00010u);  // wraps
}

TEST(ArbiterRoundRobin, LockStep) {
  const std::int64_t cycles = full_cycles();
  for (const int n : {1, 2, 3, 7, 8, 16, 65, 80})
    verif::expect_same("arbiter_round_robin", inputs(n), cycles, verif::fresh_seed(7));
}

TEST(ArbiterRoundRobin, SampledSizes) {
  const std::uint64_t seed = verif::fresh_seed(11);
  std::mt19937_64 draw(seed);
  for (int k = 0; k < (verif::full_tier() ? 30 : 2); ++k)
    verif::expect_same("arbiter_round_robin", inputs(static_cast<int>(1 + draw() % 128)), full_cycles(),
                       seed);
}

TEST(ArbiterRoundRobin, EveryPlantedFaultIsFound) {
  const std::vector<verif::Fault> faults{{"pointer_q <= behind[7:1]", "pointer_q <= {behind[7:2], 1'd0}"},
                                         {"advance & (|request)", "|request"},
                                         {"advance & (|request)", "advance"},
                                         {"pointer_q <= 7'h0", "pointer_q <= 7'h1"},
                                         {"& ~behind", ""},
                                         {"= ~(|ahead)", "= ~ahead[7]"},
                                         {"{any_within_8, 1'd0}", "{any_within_4, 1'd0}"}};
  for (const auto& fault : faults) verif::expect_found("arbiter_round_robin", {}, fault);
  verif::expect_found("arbiter_round_robin", inputs(80),
                      {"stays ? groups_behind[7:1]", "1'b0 ? groups_behind[7:1]"});
}

TEST(ArbiterRoundRobin, ProvenOneGrantAndBoundedWait) {
  for (const int n : {2, 3, 5, 8}) {
    const auto one = verif::prove(verif::one_grant(n, "arbiter", text_of(n)));
    EXPECT_TRUE(one.proven()) << n << ": " << one.message;
  }
  for (const int n : {2, 3, 5})
    for (int watched = 0; watched < n; ++watched) {
      const auto wait = verif::prove(verif::bounded_wait(n, watched, "arbiter", text_of(n)));
      EXPECT_TRUE(wait.proven()) << n << ", input " << watched << ": " << wait.message;
    }
}

TEST(ArbiterRoundRobin, ProofsFindPlantedFaults) {
  std::map<std::string, std::string> unit{{"arbiter.v", text_of(3)}}, unfair = unit;
  verif::plant(unit, {"& ~behind", ""});
  EXPECT_EQ(verif::prove(verif::one_grant(3, "arbiter", unit["arbiter.v"])).outcome,
            verif::Outcome::counterexample);
  verif::plant(unfair, {"pointer_q <= behind[2:1]", "pointer_q <= 2'h0"});
  EXPECT_EQ(verif::prove(verif::bounded_wait(3, 2, "arbiter", unfair["arbiter.v"])).outcome,
            verif::Outcome::counterexample);
}

TEST(ArbiterRoundRobin, Errors) {
  EXPECT_THAT(verif::thrown([] { hw::check(hw::ArbiterParams{.inputs = 0}); }),
              testing::EndsWith("arbiter.inputs = 0: must be from 1 to 128; use 8, the cores of a cluster"));
  EXPECT_THAT(
      verif::thrown([] { hw::arbiter_round_robin({.inputs = 129}, "arbiter"); }),
      testing::EndsWith("arbiter.inputs = 129: must be from 1 to 128; use 8, the cores of a cluster"));
}
