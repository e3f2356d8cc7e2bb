// The crossbar with virtual channels: the worked example, lock step at even and odd shapes, proofs on small
// ones, planted faults, errors.
#include "golden/noc/vc_crossbar.h"

#include "hw/noc/vc_crossbar.h"
#include "verif/formal/vc_properties.h"
#include "verif/noc/lock_step.h"
#include "verif/noc/vc_shape.h"
#include "verif/rtl/thrown.h"

namespace {

using Shape = verif::CrossbarShape;

std::int64_t cycles() { return verif::full_tier() ? 500'000 : 250'000; }

}  // namespace

// The example of docs/vc-crossbar-timing.md, cycle for cycle.
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
  for (const Shape& s : {Shape{8, 4, 4, 4, 1, 32, 0}, Shape{2, 1, 1, 1, 1, 1, 0}, Shape{3, 2, 2, 2, 1, 2, 3},
                         Shape{1, 3, 3, 2, 1, 1, 0}, Shape{5, 3, 4, 3, 2, 4, 9}, Shape{10, 8, 4, 4, 1, 2, 0},
                         Shape{7, 7, 1, 5, 3, 1, 70}, Shape{17, 3, 2, 3, 1, 1, 0}})
    verif::expect_same("vc_crossbar", s.settings(), cycles(), verif::fresh_seed(17));
}

TEST(VcCrossbar, EveryPlantedFaultIsFound) {
  const auto one = Shape{3, 2, 2, 2, 1, 1, 0}.settings(), two = Shape{3, 2, 2, 2, 2, 1, 0}.settings();
  for (const verif::Fault& fault : std::vector<verif::Fault>{
           {"owner1_q <= matched & {3{~last}}", "owner1_q <= matched"},     // never freed
           {"owner1_q <= matched & {3{~last}}", "owner1_q <= 3'd0"},        // never owned
           {"spent0_q <= {1'd0, spent0_q[1]}", "spent0_q <= spent0_q"},     // credits are lost
           {"spent0_q <= {spent0_q[0], 1'd1}", "spent0_q <= spent0_q"},     // credits are invented
           {"vc_pointer_q <= 1'd0", "vc_pointer_q <= 1'd1"},                // another start
           {"head_vcs_q <= head_vcs_next", "head_vcs_q <= 1'd0"},           // pointer within an input
           {"head_inputs_q <= head_inputs_next", "head_inputs_q <= 2'd0"},  // pointer over inputs
           {".used(taken_1 & opens_1)", ".used(taken_1)"},                  // moved by body flits
           {".used(taken_1 & opens_1)", ".used(opens_1)"},                  // moved by refused offers
           {"accept_pointer_q <= accept_pointer_next", "accept_pointer_q <= 1'd0"},
           {"stays ? own : other", "other"},  // leaves its input too early
           {"credit_vc_q <= popped", "credit_vc_q <= ~popped"},
           {"valid_q <= |matched", "valid_q <= first"},                    // bodies are lost
           {"write_q <= {write_q[0], write_q[1]}", "write_q <= write_q"},  // overwritten data
           {"read_q <= {read_q[0], read_q[1]}", "read_q <= read_q"},
           {"source_q <= source_number", "source_q <= ~source_number"},
           {"tail_q <= last", "tail_q <= first"},
           {"empty_q <= ~valid_q[1]", "empty_q <= 1'd1"},         // forgets the second flit
           {"next_head & (next[0] == 1'd1)", "next[0] == 1'd1"},  // bodies taken for heads
           {"next_head = valid_q[1] ? front_last_q : head", "next_head = head"}})
    verif::expect_found("vc_crossbar", one, fault);
  for (const verif::Fault& fault :
       std::vector<verif::Fault>{{"waits_2 = ~taken_1", "waits_2 = 1'd1"},  // a second match
                                 {"asked_2 = {", "asked_2 = ~{"},           // offers to matched inputs
                                 {"sends = (vc_1 & {2{taken_1}}) | ", "sends = "}})
    verif::expect_found("vc_crossbar", two, fault);
}

namespace {

verif::ProofResult proof(verif::VcClaim claim, const verif::VcShape& s, const verif::Fault* fault = nullptr) {
  std::map<std::string, std::string> unit;
  const hw::CrossbarParams p{
      .inputs = s.inputs, .outputs = s.outputs, .flit_bytes = 1, .vcs = s.vcs, .vc_depth = s.depth};
  for (const rtl::Module& m : rtl::modules_of(hw::vc_crossbar(p, "crossbar")))
    unit[m.name()] = gen::verilog(m);
  if (fault) verif::plant(unit, *fault);
  std::vector<std::string> verilog;
  for (const auto& [name, text] : unit) verilog.push_back(text);
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
TEST(VcCrossbar, ProofsFindPlantedFaults) {
  using enum verif::VcClaim;
  const std::vector<std::tuple<verif::VcClaim, verif::VcShape, verif::Fault>> faults{
      {delivery, {2, 1, 1, 2}, {"read_q <= {read_q[0], read_q[1]}", "read_q <= read_q"}},
      {credits, {2, 1, 1, 2}, {"spent0_q <= {spent0_q[0], 1'd1}", "spent0_q <= spent0_q"}},
      {unmixed, {2, 1, 1, 2}, {"owner0_q <= matched & {2{~last}}", "owner0_q <= 2'd0"}},
      {wait, {2, 1, 1, 1, true}, {"head_inputs_q <= head_inputs_next", "head_inputs_q <= 1'd0"}},
      {progress, {2, 1, 1, 1, true}, {"spent0_q <= 1'd0;\n    end else", "spent0_q <= 1'd1;\n    end else"}}};
  for (const auto& [claim, shape, fault] : faults)
    EXPECT_EQ(proof(claim, shape, &fault).outcome, verif::Outcome::counterexample) << static_cast<int>(claim);
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
