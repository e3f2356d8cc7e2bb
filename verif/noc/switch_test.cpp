// The switch: lock step with and without queues, the stream rules, planted faults, errors.
#include "golden/noc/switch.h"

#include "hw/noc/switch.h"
#include "verif/formal/switch_properties.h"
#include "verif/lockstep/harness/stream_monitor.h"
#include "verif/noc/lock_step.h"
#include "verif/rtl/thrown.h"

namespace {

std::vector<std::string> shape(int inputs, int outputs, int flit_bytes, int buffers) {
  return {fmt::format("switch.inputs={}", inputs), fmt::format("switch.outputs={}", outputs),
          fmt::format("switch.flit_bytes={}", flit_bytes), fmt::format("switch.buffers={}", buffers)};
}

std::int64_t cycles() { return verif::full_tier() ? 1'000'000 : 25'000; }

}  // namespace

// The worked example of the spec: two inputs ask for one output, which is ready 0 1 1.
TEST(Switch, GoldenLetsAWaitingWordStay) {
  using Switch = golden::Switch<hw::SwitchParams{.inputs = 2, .outputs = 1}, char>;
  Switch s;
  std::string sources;
  for (const bool ready : {false, true, true}) {
    const Switch::Inputs in{Switch::Word{0, 'a'}, Switch::Word{0, 'b'}};
    sources += std::to_string(s.offers(in)[0]->source);
    s.edge(in, {ready});
  }
  EXPECT_EQ(sources, "001");
}

TEST(Switch, GoldenQueueShowsAWordOneCycleLater) {
  using Switch = golden::Switch<hw::SwitchParams{.inputs = 1, .outputs = 1, .buffers = 2}, char>;
  Switch s;
  const Switch::Inputs word{Switch::Word{0, 'a'}}, none{};
  EXPECT_FALSE(s.offers(word)[0]);
  s.edge(word, {false});
  EXPECT_TRUE(s.offers(none)[0]);
  s.edge(word, {false});
  EXPECT_FALSE(s.ready(none, {true})[0]);  // full at the start of the cycle
}

TEST(Switch, LockStep) {
  const int shapes[][4] = {{1, 3, 4, 2}, {2, 1, 4, 1},  {3, 5, 1, 0},  {5, 3, 9, 3},
                           {7, 7, 4, 1}, {8, 4, 32, 2}, {10, 8, 4, 0}, {17, 3, 2, 2}};
  for (const auto& s : shapes)
    verif::expect_same("switch", shape(s[0], s[1], s[2], s[3]), cycles(), verif::fresh_seed(9));
}

TEST(Switch, SampledShapes) {
  const std::uint64_t seed = verif::fresh_seed(13);
  std::mt19937_64 draw(seed);
  const auto upto = [&](int n) { return static_cast<int>(1 + draw() % static_cast<std::uint64_t>(n)); };
  for (int k = 0; k < (verif::full_tier() ? 30 : 2); ++k) {
    const int inputs = upto(12), outputs = upto(12), bytes = upto(40), buffers = upto(5) - 1;
    verif::expect_same("switch", shape(inputs, outputs, bytes, buffers), cycles(), seed);
  }
}

TEST(Switch, EveryPlantedFaultIsFound) {
  const auto bare = shape(4, 3, 4, 0), queued = shape(4, 3, 4, 3);
  for (const verif::Fault& fault :
       std::vector<verif::Fault>{{"pointer_q <= ready ?", "pointer_q <= ~ready ?"},
                                 {"pointer_q <= 4'd0", "pointer_q <= 4'd4"},
                                 {"in3_destination == 2'd1", "in3_destination == 2'd2"},
                                 {"{4{ready[at]}}", "4'd15"},
                                 {"source | (number[1:0]", "source | (~number[1:0]"},
                                 {"assign valid = |chosen", "assign valid = ready & (|chosen)"},
                                 {"stay = {1'd1, ~(|chosen[3])", "stay = {1'd1, 1'd1"},
                                 {"upper_grant[pair]", "lower_grant[pair]"}})
    verif::expect_found("switch", bare, fault);
  for (const verif::Fault& fault :
       std::vector<verif::Fault>{{"out_ready & valid_q[0]", "valid_q[0]"},
                                 {"push & ~pop", "push"},
                                 {"valid_q <= 3'd0", "valid_q <= 3'd1"},
                                 {"entry0_q <= valid_q[1] ? entry1_q : in_data", "entry0_q <= entry1_q"},
                                 {"out_ready | ~valid_q[1]", "out_ready"}})
    verif::expect_found("switch", queued, fault);
}

namespace {

verif::ProofResult proof(verif::SwitchClaim claim, const verif::SwitchShape& s, int watched,
                         const verif::Fault* fault = nullptr) {
  std::map<std::string, std::string> unit;
  const hw::SwitchParams p{.inputs = s.inputs, .outputs = s.outputs, .flit_bytes = 1, .buffers = s.buffers};
  for (const rtl::Module& m : rtl::modules_of(hw::word_switch(p, "words"))) unit[m.name()] = gen::verilog(m);
  if (fault) verif::plant(unit, *fault);
  std::vector<std::string> verilog;
  for (const auto& [name, text] : unit) verilog.push_back(text);
  const auto result = verif::prove(verif::switch_property(claim, s, watched, "words", verilog));
  fmt::print("claim {} of {}x{}, queues of {}, input {}: {:.1f} s\n", static_cast<int>(claim), s.inputs,
             s.outputs, s.buffers, watched, result.seconds);
  return result;
}

}  // namespace

TEST(Switch, Proofs) {
  using enum verif::SwitchClaim;
  for (const verif::SwitchShape& s : {verif::SwitchShape{3, 2, 0}, {2, 2, 2}, {3, 1, 1}}) {
    for (const auto claim : {one_grant, stays}) {
      const auto result = proof(claim, s, 0);
      EXPECT_TRUE(result.proven()) << result.message;
    }
    for (int watched = 0; watched < s.inputs; ++watched)
      for (const auto claim : {delivery, wait}) {
        const auto result = proof(claim, s, watched);
        EXPECT_TRUE(result.proven()) << result.message;
      }
  }
}

// Each claim is broken by one fault or more.
TEST(Switch, ProofsFindPlantedFaults) {
  using enum verif::SwitchClaim;
  const verif::SwitchShape bare{3, 2, 0}, queued{2, 2, 2};
  const std::vector<std::tuple<verif::SwitchClaim, verif::SwitchShape, verif::Fault>> faults{
      {delivery, bare, {"{3{ready[at]}}", "3'd7"}},  // taken where nobody is ready
      {delivery, bare, {"in2_destination == 1'd0", "in2_destination == 1'd1"}},  // to the other output
      {delivery, queued, {"entry0_q <= valid_q[1] ? entry1_q : in_data", "entry0_q <= entry1_q"}},
      {delivery, queued, {"out_ready & valid_q[0]", "1'd0"}},    // the front leaves again and again
      {one_grant, bare, {"(in2_destination == 1'd0)", "1'd1"}},  // asks both outputs
      {stays, bare, {"pointer_q <= ready ?", "pointer_q <= ~ready ?"}},
      {wait, bare, {"pointer_q <= ready ? {stay[1:0], 1'd0}", "pointer_q <= ready ? 3'd0"}},
      {wait, queued, {"assign valid = |chosen", "assign valid = chosen[0]"}}};
  for (const auto& [claim, shape, fault] : faults)
    EXPECT_EQ(proof(claim, shape, shape.inputs - 1, &fault).outcome, verif::Outcome::counterexample)
        << static_cast<int>(claim) << ": " << fault.from;
}

TEST(StreamMonitor, FindsEachBrokenRule) {
  verif::StreamMonitor<int> m;
  EXPECT_EQ(m.cycle(true, false, 1), "");
  EXPECT_EQ(m.cycle(false, false, 0), "valid fell before the transfer");
  EXPECT_EQ(m.cycle(true, false, 1), "");
  EXPECT_EQ(m.cycle(true, false, 2), "fields changed before the transfer");
  EXPECT_EQ(m.cycle(true, true, 2), "");
  m.probe(true, 3);
  EXPECT_EQ(m.cycle(false, true, 3), "valid or fields depend on ready");
  m.probe(true, 3);
  EXPECT_EQ(m.cycle(true, true, 3), "");
  m.probe(false, 3);
  EXPECT_EQ(m.cycle(false, true, 4), "");  // fields count under valid
  EXPECT_EQ(m.transfers(), 2);
  EXPECT_EQ(m.stalls(), 3);
}

TEST(Switch, Errors) {
  const auto message = [](const hw::SwitchParams& p) { return verif::thrown([&] { hw::check(p); }); };
  EXPECT_THAT(message({.inputs = 0}), testing::EndsWith("switch.inputs = 0: must be from 1 to 128; use 8"));
  EXPECT_THAT(message({.outputs = 129}),
              testing::EndsWith("switch.outputs = 129: must be from 1 to 128; use 4"));
  EXPECT_THAT(message({.flit_bytes = 257}),
              testing::EndsWith(
                  "switch.flit_bytes = 257: must be from 1 to 256; use 32, a chunk of the reference cache"));
  EXPECT_THAT(
      message({.buffers = 17}),
      testing::EndsWith("switch.buffers = 17: must be from 0 to 16; use 0 for none, or 2 for full rate"));
}
