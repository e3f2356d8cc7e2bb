// The round-robin arbiter: lock step at even and odd sizes, proofs on small ones, injected faults, errors.
#include "golden/noc/arbiter_round_robin.h"
#include <random>

#include "gen/print_verilog.h"
#include "hw/noc/arbiter_round_robin.h"
#include "verif/formal/noc_properties.h"
#include "verif/mutate/mutation_run.h"
#include "verif/rtl/thrown.h"
#include "verif/unit_lock_step.h"

namespace {

using rtl::Expr;
using verif::Nets, verif::high, verif::low, verif::other, verif::stuck;

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
  for (const int n : verif::first_of<int>(5, {1, 2, 7, 16, 65, 3, 8, 80}))
    verif::expect_same("arbiter_round_robin", inputs(n), cycles, verif::fresh_seed(7));
}

TEST(ArbiterRoundRobin, SampledSizes) {
  const std::uint64_t seed = verif::fresh_seed(11);
  std::mt19937_64 draw(seed);
  for (int k = 0; k < (verif::full_tier() ? 30 : 1); ++k)
    verif::expect_same("arbiter_round_robin", inputs(static_cast<int>(1 + draw() % 128)), full_cycles(),
                       seed);
}

TEST(ArbiterRoundRobin, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"lowest_bit_of_the_pointer_lost", "", "pointer_q", "behind[7:1]",
       [](const Expr&, const Nets& net) {
         return rtl::cat({net("behind").slice(7, 2), rtl::lit(1, 0)});
       }},
      {"moves_without_advance", "", "pointer_q", "advance", high()},
      {"moves_without_a_request", "", "pointer_q", "|request", high()},
      {"another_start", "", "pointer_q", verif::reset_value, stuck(1)},
      {"two_grants", "", "chosen", "~behind", high()},
      {"wraps_too_early", "", "wraps", "|ahead",
       [](const Expr&, const Nets& net) { return net("ahead").bit(7); }},
      {"search_cut_short", "", "behind", "any_within_8", other("any_within_4")}};
  verif::expect_all_found("arbiter_round_robin", {}, faults);
  const std::vector<verif::Fault> groups{{"leaves_its_group", "", "pointer_q", "stays", low()}};
  verif::expect_all_found("arbiter_round_robin", inputs(80), groups);
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

TEST(ArbiterRoundRobin, ProofsFindInjectedFaults) {
  const auto broken = [](const verif::Fault& fault) {
    return verif::texts_of(hw::arbiter_round_robin({.inputs = 3}, "arbiter"), &fault).at("arbiter");
  };
  const auto both = broken({"two_grants", "", "chosen", "~behind", high()});
  EXPECT_EQ(verif::prove(verif::one_grant(3, "arbiter", both)).outcome, verif::Outcome::counterexample);
  const auto unfair = broken({"favours_one", "", "pointer_q", "behind[2:1]", low()});
  EXPECT_EQ(verif::prove(verif::bounded_wait(3, 2, "arbiter", unfair)).outcome,
            verif::Outcome::counterexample);
}

TEST(ArbiterRoundRobin, Errors) {
  EXPECT_THAT(verif::thrown([] { hw::check(hw::ArbiterParams{.inputs = 0}); }),
              testing::EndsWith("arbiter.inputs = 0: must be from 1 to 128; use 8, the cores of a cluster"));
  EXPECT_THAT(
      verif::thrown([] { hw::arbiter_round_robin({.inputs = 129}, "arbiter"); }),
      testing::EndsWith("arbiter.inputs = 129: must be from 1 to 128; use 8, the cores of a cluster"));
}
