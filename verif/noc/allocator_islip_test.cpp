// The iSLIP allocator: lock step at even and odd shapes, proofs on small ones, injected faults, errors.
#include "golden/noc/allocator_islip.h"
#include <random>

#include "hw/noc/allocator_islip.h"
#include "verif/formal/noc_properties.h"
#include "verif/mutate/mutation_run.h"
#include "verif/rtl/thrown.h"
#include "verif/unit_lock_step.h"

namespace {

using rtl::Expr;
using verif::Nets, verif::high, verif::low, verif::other, verif::stuck;

std::vector<std::string> shape(int inputs, int outputs, int iterations) {
  return {fmt::format("allocator.inputs={}", inputs), fmt::format("allocator.outputs={}", outputs),
          fmt::format("allocator.iterations={}", iterations)};
}

std::int64_t cycles() { return verif::full_tier() ? 2'000'000 : 25'000; }

}  // namespace

// Two inputs ask for both outputs: both pointers start at 0, and drift apart until each cycle matches two
// pairs.
TEST(AllocatorIslip, GoldenDesynchronises) {
  golden::AllocatorIslip<hw::AllocatorParams{.inputs = 2, .outputs = 2}> one;
  const auto step = [](auto& allocator) {
    const auto grant = allocator.grant(0b1111);
    allocator.edge(0b1111);
    return grant.to_ulong();
  };
  EXPECT_EQ(step(one), 0b0001u);  // both outputs offer to input 0, which takes output 0
  EXPECT_EQ(step(one), 0b0110u);  // output 0 goes on to input 1, output 1 still offers to input 0
  EXPECT_EQ(step(one), 0b1001u);
  EXPECT_EQ(step(one), 0b0110u);
  golden::AllocatorIslip<hw::AllocatorParams{.inputs = 2, .outputs = 2, .iterations = 2}> two;
  EXPECT_EQ(step(two), 0b1001u);                         // the second iteration adds a pair
  EXPECT_EQ(two.output_pointers(), (std::array{1, 0}));  // and moves no pointer
  EXPECT_EQ(two.input_pointers(), (std::array{1, 0}));
}

TEST(AllocatorIslip, LockStep) {
  using Shape = std::array<int, 3>;  // inputs, outputs, iterations
  for (const Shape& s : verif::first_of<Shape>(
           5, {{1, 1, 1}, {3, 5, 1}, {5, 3, 3}, {7, 7, 2}, {17, 3, 2}, {1, 4, 1}, {8, 8, 1}, {10, 8, 1}}))
    verif::expect_same("allocator_islip", shape(s[0], s[1], s[2]), cycles(), verif::fresh_seed(3));
}

TEST(AllocatorIslip, SampledShapes) {
  const std::uint64_t seed = verif::fresh_seed(5);
  std::mt19937_64 draw(seed);
  const auto upto = [&](int n) { return static_cast<int>(1 + draw() % static_cast<std::uint64_t>(n)); };
  for (int k = 0; k < (verif::full_tier() ? 30 : 1); ++k) {
    const int inputs = upto(12), outputs = upto(12), iterations = upto(4);
    verif::expect_same("allocator_islip", shape(inputs, outputs, iterations), cycles(), seed);
  }
}

TEST(AllocatorIslip, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"lowest_bit_of_a_pointer_lost", "", "offer_pointers_q", "offer_pointers_next",
       [](const Expr&, const Nets& net) {
         return rtl::cat({net("offer_pointers_next").slice(55, 1), rtl::lit(1, 0)});
       }},
      {"another_start", "", "accept_pointers_q", verif::reset_value, stuck(1)},
      {"pointers_follow_offers", "", "offer_1_search.accepted", "",
       [](const Expr& part, const Nets& net) { return net("offer_1").part(part.node().args[1], 8); }},
      {"refused_offers_move_the_pointer", "islip_answered", "next", "~(|accepted)", high()},
      {"acceptance_moves_it_too_far", "islip_accept", "next", "|grant[1:0]",
       [](const Expr&, const Nets& net) { return net("grant").bit(1); }}};
  verif::expect_all_found("allocator_islip", {}, faults);
  const std::vector<verif::Fault> second{{"second_match_forgotten", "", "matched_2", "accept_2", low()}};
  verif::expect_all_found("allocator_islip", shape(4, 4, 2), second);
}

namespace {

// The modules of an allocator, with something broken in one of them.
std::vector<std::string> verilog_of(const hw::AllocatorParams& p, const verif::Fault* fault = nullptr) {
  std::vector<std::string> verilog;
  for (const auto& [name, text] : verif::texts_of(hw::allocator_islip(p, "allocator"), fault))
    verilog.push_back(text);
  return verilog;
}

verif::ProofResult served(const hw::AllocatorParams& p, int watched, int cycles,
                          const verif::Fault* fault = nullptr) {
  const auto result = verif::prove(
      verif::all_served(p.inputs, p.outputs, watched, cycles, "allocator", verilog_of(p, fault)));
  fmt::print("{}x{}, {} iterations, request {} within {}: {:.1f} s\n", p.inputs, p.outputs, p.iterations,
             watched, cycles, result.seconds);
  return result;
}

}  // namespace

TEST(AllocatorIslip, ProvenOnePartnerEach) {
  for (const auto& p : {hw::AllocatorParams{.inputs = 2, .outputs = 3, .iterations = 1},
                        hw::AllocatorParams{.inputs = 3, .outputs = 3, .iterations = 2}}) {
    const auto proof = verif::prove(verif::one_partner(p.inputs, p.outputs, "allocator", verilog_of(p)));
    EXPECT_TRUE(proof.proven()) << proof.message;
  }
}

TEST(AllocatorIslip, ProofFindsAnInjectedFault) {
  const verif::Fault fault{"grants_offers", "", "grant", "", other("offers_1")};
  const auto verilog = verilog_of({.inputs = 2, .outputs = 3}, &fault);
  EXPECT_EQ(verif::prove(verif::one_partner(2, 3, "allocator", verilog)).outcome,
            verif::Outcome::counterexample);
}

// A request waits for the inputs ahead of its own at its output, each of which may be pushed back by those
// ahead of it: all of them refuse the output J - 1 times each time.
TEST(AllocatorIslip, ProvenBoundedWait) {
  const int shapes[][3] = {{2, 2, 5}, {3, 2, 9}, {2, 3, 8}, {3, 3, 15}};  // inputs, outputs, cycles
  for (const int iterations : {1, 2})
    for (const auto& [inputs, outputs, cycles] : shapes) {
      const hw::AllocatorParams p{.inputs = inputs, .outputs = outputs, .iterations = iterations};
      EXPECT_EQ(hw::longest_wait(p), cycles);
      for (const int watched : {0, inputs * outputs - 1}) {
        const auto result = served(p, watched, cycles);
        EXPECT_TRUE(result.proven()) << result.message;
      }
    }
}

TEST(AllocatorIslip, ProofOfBoundedWaitFindsInjectedFaults) {
  const hw::AllocatorParams p{.inputs = 2, .outputs = 2};
  for (const verif::Fault& fault : std::vector<verif::Fault>{
           {"outputs_favour_one", "", "offer_pointers_q", "offer_pointers_next", low()},
           {"inputs_favour_one", "", "accept_pointers_q", "accept_pointers_next", low()}})
    EXPECT_EQ(served(p, 3, 5, &fault).outcome, verif::Outcome::counterexample) << fault.what;
}

TEST(AllocatorIslip, Errors) {
  EXPECT_THAT(verif::thrown([] { hw::check(hw::AllocatorParams{.inputs = 0}); }),
              testing::EndsWith("allocator.inputs = 0: must be from 1 to 128; use 8"));
  EXPECT_THAT(verif::thrown([] { hw::check(hw::AllocatorParams{.outputs = 200}); }),
              testing::EndsWith("allocator.outputs = 200: must be from 1 to 128; use 8"));
  EXPECT_THAT(
      verif::thrown([] { hw::check(hw::AllocatorParams{.iterations = 5}); }),
      testing::EndsWith("allocator.iterations = 5: must be from 1 to 4; use 1, the smallest and fastest"));
}
