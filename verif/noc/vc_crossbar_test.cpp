// The crossbar with virtual channels: the worked example, lock step at even and odd shapes, proofs on small
// ones, injected faults, errors.
#include "golden/noc/vc_crossbar.h"

#include "hw/noc/vc_crossbar.h"
#include "verif/formal/vc_properties.h"
#include "verif/mutate/mutation_run.h"
#include "verif/noc/vc_shape.h"
#include "verif/rtl/thrown.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::high, verif::inverted, verif::low, verif::other, verif::stuck;

using Shape = verif::CrossbarShape;

std::int64_t cycles() { return verif::full_tier() ? 500'000 : 120'000; }

}  // namespace

// The example of docs/contracts/vc-crossbar.md, cycle for cycle.
TEST(VcCrossbar, GoldenPlaysTheWorkedExample) {
  using Crossbar =
      golden::VcCrossbar<hw::CrossbarParams{.inputs = 3, .outputs = 2, .vcs = 2, .vc_depth = 2}, std::string>;
  const auto flit = [](int vc, char kind, int to, const char* data) {
    return Crossbar::Flit{vc, kind != 't', kind != 'h', to, data};
  };
  Crossbar crossbar;
  const auto shown = [&] {
    std::string text;
    for (const auto& f : crossbar.outputs().out)
      text +=
          f ? fmt::format("{}{}{} {}, ", f->vc, f->head ? (f->tail ? 's' : 'h') : 't', f->port, f->payload)
            : std::string("-, ");
    for (int i = 0; i < 3; ++i)
      if (const auto& vc = crossbar.outputs().credit[i]) text += fmt::format("in{} vc{} ", i, *vc);
    text += "|";
    for (const int h : crossbar.head_pointers()) text += fmt::format(" {}", h);
    for (const int g : crossbar.vc_pointers()) text += fmt::format(" {}", g);
    for (const int a : crossbar.accept_pointers()) text += fmt::format(" {}", a);
    text += " | ";
    for (int n = 0; n < 4; ++n) text += std::to_string(crossbar.output_vc(n / 2, n % 2).credits);
    return text;
  };
  const std::vector<std::string> expected{"-, -, | 0 0 0 0 0 0 0 | 2222",
                                          "-, -, | 0 0 0 0 0 0 0 | 2222",
                                          "0h0 a0, -, in0 vc0 | 1 0 1 0 1 0 0 | 1222",
                                          "1s1 b0, -, in1 vc0 | 3 0 0 0 1 1 0 | 1122",
                                          "0t0 a1, 0s1 b1, in0 vc0 in1 vc1 | 3 4 1 1 1 0 0 | 0112",
                                          "1s2 c0, -, in2 vc1 | 0 4 0 1 1 0 1 | 0112",
                                          "1s0 a2, 1s2 c1, in0 vc1 in2 vc0 | 2 5 0 0 1 0 0 | 1011"};
  for (int t = 0; t < 7; ++t) {
    EXPECT_EQ(shown(), expected[static_cast<std::size_t>(t)]) << "cycle " << t;
    Crossbar::Flits<3> in{};
    Crossbar::Credits<2> credit{};
    if (t == 0) in = {flit(0, 'h', 0, "a0"), flit(0, 's', 0, "b0"), flit(1, 's', 0, "c0")};
    if (t == 1) in = {flit(0, 't', 0, "a1"), flit(1, 's', 1, "b1"), flit(0, 's', 1, "c1")};
    if (t == 2) in[0] = flit(1, 's', 0, "a2");
    if (t >= 4) credit[0] = t == 4 ? 1 : 0;
    crossbar.edge(in, credit);
  }
}

TEST(VcCrossbar, LockStep) {
  for (const Shape& s : verif::first_of<Shape>(5, {{8, 4, 4, 4, 1, 32, 0},
                                                   {2, 1, 1, 1, 1, 1, 0},
                                                   {5, 3, 4, 3, 2, 4, 9},
                                                   {7, 7, 1, 5, 3, 1, 70},
                                                   {1, 3, 3, 2, 1, 1, 0},
                                                   {3, 2, 2, 2, 1, 2, 3},
                                                   {10, 8, 4, 4, 1, 2, 0},
                                                   {17, 3, 2, 3, 1, 1, 0}}))
    verif::expect_same("vc_crossbar", s.settings(), cycles(), verif::fresh_seed(17));
}

TEST(VcCrossbar, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> one{
      {"never_freed", "vc_output", "owner1_q", "~last", high()},
      {"never_owned", "vc_output", "owner1_q", "accepted_1 & {3{~last}}", low()},
      {"credits_are_lost", "vc_output", "spent0_q", "{1'd0, spent0_q[1]}", other("spent0_q")},
      {"credits_are_invented", "vc_output", "spent0_q", "{spent0_q[0], 1'd1}", other("spent0_q")},
      {"another_start", "vc_output", "vc_pointer_q", verif::reset_value, stuck(1)},
      {"pointer_within_an_input", "vc_output", "head_vcs_q", "head_vcs_next", low()},
      {"pointer_over_inputs", "vc_output", "head_inputs_q", "head_inputs_next", low()},
      {"moved_by_body_flits", "vc_output", "head_search_1.used", "opens_1", high()},
      {"moved_by_refused_offers", "vc_output", "head_search_1.used", "taken_1", high()},
      {"input_accepts_unfairly", "vc_input", "accept_pointer_q", "accept_pointer_next", low()},
      {"leaves_its_input_too_early", "vc_head_search", "input_chosen", "stays", low()},
      {"credit_of_another_vc", "vc_input", "credit_vc_q", "popped", inverted()},
      {"bodies_are_lost", "vc_output", "valid_q", "|accepted_1", other("first")},
      {"data_overwritten", "vc_queue", "write_q", "{write_q[0], write_q[1]}", other("write_q")},
      {"data_read_twice", "vc_queue", "read_q", "{read_q[0], read_q[1]}", other("read_q")},
      {"another_source", "vc_output", "source_q", "source_number", inverted()},
      {"heads_for_tails", "vc_output", "tail_q", "last", other("first")},
      {"forgets_the_second_flit", "vc_queue", "empty_q", "~valid_q[1]", high()},
      {"bodies_taken_for_heads", "vc_queue", "front_heads_q", "next_head", high()},
      {"next_front_of_another_flit", "vc_queue", "next_head", "valid_q[1]", low()}};
  verif::expect_all_found("vc_crossbar", Shape{3, 2, 2, 2, 1, 1, 0}.settings(), one);
  const std::vector<verif::Fault> two{{"a_second_match", "vc_output", "waits_2", "", high()},
                                      {"offers_to_matched_inputs", "vc_output", "asked_2", "", inverted()},
                                      {"first_match_sends_nothing", "vc_output", "sends", "vc_1", low()}};
  verif::expect_all_found("vc_crossbar", Shape{3, 2, 2, 2, 2, 1, 0}.settings(), two);
}

namespace {

verif::ProofResult proof(verif::VcClaim claim, const verif::VcShape& s, const verif::Fault* fault = nullptr) {
  const hw::CrossbarParams p{
      .inputs = s.inputs, .outputs = s.outputs, .flit_bytes = 1, .vcs = s.vcs, .vc_depth = s.depth};
  std::vector<std::string> verilog;
  for (const auto& [name, text] : verif::texts_of(hw::vc_crossbar(p, "crossbar"), fault))
    verilog.push_back(text);
  const auto result = verif::prove(verif::vc_property(claim, s, "crossbar", verilog));
  fmt::print("claim {} of {}x{}, {} VCs of {}: {:.1f} s\n", static_cast<int>(claim), s.inputs, s.outputs,
             s.vcs, s.depth, result.seconds);
  return result;
}

}  // namespace

TEST(VcCrossbar, Proofs) {
  using enum verif::VcClaim;
  const std::vector<std::pair<verif::VcClaim, verif::VcShape>> claims{
      {credits, {2, 2, 1, 2}},    {credits, {2, 1, 2, 1}},    {unmixed, {2, 1, 2, 1}},
      {unmixed, {2, 2, 1, 2}},    {delivery, {2, 2, 1, 2}},   {delivery, {2, 1, 2, 1}},
      {wait, {2, 1, 1, 1, true}}, {wait, {2, 2, 1, 1, true}}, {progress, {2, 1, 1, 1, true}}};
  for (const auto& [claim, shape] : claims) {
    const auto result = proof(claim, shape);
    EXPECT_TRUE(result.proven()) << static_cast<int>(claim) << ": " << result.message;
  }
}

// Each claim is broken by one fault.
TEST(VcCrossbar, ProofsFindInjectedFaults) {
  using enum verif::VcClaim;
  const std::vector<std::tuple<verif::VcClaim, verif::VcShape, verif::Fault>> faults{
      {delivery,
       {2, 1, 1, 2},
       {"read_twice", "vc_queue", "read_q", "{read_q[0], read_q[1]}", other("read_q")}},
      {credits,
       {2, 1, 1, 2},
       {"invented", "vc_output", "spent0_q", "{spent0_q[0], 1'd1}", other("spent0_q")}},
      {unmixed, {2, 1, 1, 2}, {"never_owned", "vc_output", "owner0_q", "accepted_1 & {2{~last}}", low()}},
      {wait, {2, 1, 1, 1, true}, {"unfair", "vc_output", "head_inputs_q", "head_inputs_next", low()}},
      {progress,
       {2, 1, 1, 1, true},
       {"begins_without", "vc_output", "spent0_q", verif::reset_value, stuck(1)}}};
  for (const auto& [claim, shape, fault] : faults)
    EXPECT_EQ(proof(claim, shape, &fault).outcome, verif::Outcome::counterexample) << fault.what;
}

TEST(VcCrossbar, Errors) {
  const auto message = [](const hw::CrossbarParams& p) { return verif::thrown([&] { hw::check(p); }); };
  EXPECT_THAT(message({.inputs = 0}), testing::EndsWith("crossbar.inputs = 0: must be from 1 to 128; use 8"));
  EXPECT_THAT(message({.outputs = 129}),
              testing::EndsWith("crossbar.outputs = 129: must be from 1 to 128; use 4"));
  EXPECT_THAT(message({.flit_bytes = 0}),
              testing::EndsWith(
                  "crossbar.flit_bytes = 0: must be from 1 to 256; use 32, a chunk of the reference cache"));
  EXPECT_THAT(message({.side_bits = 513}),
              testing::EndsWith(
                  "crossbar.side_bits = 513: must be from 0 to 512; use 0 for nothing beside the data"));
  EXPECT_THAT(message({.vcs = 9}), testing::EndsWith("crossbar.vcs = 9: must be from 1 to 8; use 4"));
  EXPECT_THAT(message({.vc_depth = 17}),
              testing::EndsWith(
                  "crossbar.vc_depth = 17: must be from 1 to 16; use 4, which keeps one VC at full rate"));
  EXPECT_THAT(message({.iterations = 5}),
              testing::EndsWith(
                  "crossbar.iterations = 5: must be from 1 to 4; use 1, which alone bounds every wait"));
}
