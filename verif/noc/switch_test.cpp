// The switch: lock step with and without queues, the stream rules, injected faults, errors.
#include "golden/noc/switch.h"
#include <random>

#include "cosim/harness/stream_monitor.h"
#include "hw/noc/switch.h"
#include "verif/formal/switch_properties.h"
#include "verif/mutate/mutation_run.h"
#include "verif/rtl/thrown.h"
#include "verif/unit_lock_step.h"

namespace {

using rtl::Expr;
using verif::Nets, verif::high, verif::inverted, verif::low, verif::only_with, verif::other, verif::stuck;

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
  using Shape = std::array<int, 4>;  // inputs, outputs, bytes, queue
  for (const Shape& s : verif::first_of<Shape>(5, {{8, 4, 32, 2},
                                                   {1, 3, 4, 2},
                                                   {3, 5, 1, 0},
                                                   {7, 7, 4, 1},
                                                   {17, 3, 2, 2},
                                                   {2, 1, 4, 1},
                                                   {5, 3, 9, 3},
                                                   {10, 8, 4, 0}}))
    verif::expect_same("switch", shape(s[0], s[1], s[2], s[3]), cycles(), verif::fresh_seed(9));
}

TEST(Switch, SampledShapes) {
  const std::uint64_t seed = verif::fresh_seed(13);
  std::mt19937_64 draw(seed);
  const auto upto = [&](int n) { return static_cast<int>(1 + draw() % static_cast<std::uint64_t>(n)); };
  for (int k = 0; k < (verif::full_tier() ? 30 : 1); ++k) {
    const int inputs = upto(12), outputs = upto(12), bytes = upto(40), buffers = upto(5) - 1;
    verif::expect_same("switch", shape(inputs, outputs, bytes, buffers), cycles(), seed);
  }
}

TEST(Switch, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> bare{
      {"pointer_moves_where_nothing_leaves", "switch_output", "pointer_q", "ready", inverted()},
      {"another_start", "switch_output", "pointer_q", verif::reset_value, stuck(4)},
      {"asks_another_output", "", "to_output1", "in3_destination == 2'd1",
       [](const Expr&, const Nets& net) { return net("in3_destination") == rtl::lit(2, 2); }},
      {"taken_without_a_slot", "", "taken", "ready[at]", high()},
      {"another_source", "switch_output", "source", "number[1:0]", inverted()},
      {"valid_waits_for_ready", "switch_output", "valid", "", only_with("ready")},
      {"stays_too_long", "switch_output", "stay", "~(|chosen[3])", high()},
      {"another_word", "switch_output", "data", "upper_grant[pair]",
       [](const Expr& grant, const Nets& net) { return net("lower_grant").at(grant.node().args[1]); }}};
  verif::expect_all_found("switch", shape(4, 3, 4, 0), bare);
  const std::vector<verif::Fault> queued{
      {"leaves_without_a_slot", "fifo_n3", "pop", "out_ready", high()},
      {"pushed_and_popped_grows", "fifo_n3", "valid_q", "~pop", high()},
      {"begins_with_a_word", "fifo_n3", "valid_q", verif::reset_value, stuck(1)},
      {"word_past_the_queue_lost", "fifo_n3", "entries_q", "valid_q[k + 1]", high()},
      {"second_word_overwritten", "fifo_n3", "entries_q", "~valid_q[k]", low()}};
  verif::expect_all_found("switch", shape(4, 3, 4, 3), queued);
}

namespace {

verif::ProofResult proof(verif::SwitchClaim claim, const verif::SwitchShape& s, int watched,
                         const verif::Fault* fault = nullptr) {
  const hw::SwitchParams p{.inputs = s.inputs, .outputs = s.outputs, .flit_bytes = 1, .buffers = s.buffers};
  std::vector<std::string> verilog;
  for (const auto& [name, text] : verif::texts_of(hw::word_switch(p, "words"), fault))
    verilog.push_back(text);
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
TEST(Switch, ProofsFindInjectedFaults) {
  using enum verif::SwitchClaim;
  const verif::SwitchShape bare{3, 2, 0}, queued{2, 2, 2};
  const std::vector<std::tuple<verif::SwitchClaim, verif::SwitchShape, verif::Fault>> faults{
      {delivery, bare, {"taken_without_a_slot", "", "taken", "ready[at]", high()}},
      {delivery, bare, {"to_the_other_output", "", "to_output0", "in2_destination == 1'd0", inverted()}},
      {delivery, queued, {"word_lost", "fifo", "entries_q", "valid_q[k + 1]", high()}},
      {delivery, queued, {"front_leaves_again_and_again", "fifo", "pop", "", low()}},
      {one_grant, bare, {"asks_both_outputs", "", "to_output0", "in2_destination == 1'd0", high()}},
      {stays, bare, {"changes_its_mind", "switch_output", "pointer_q", "ready", inverted()}},
      {wait, bare, {"favours_one_input", "switch_output", "pointer_q", "{stay[1:0], 1'd0}", low()}},
      {wait, queued, {"serves_one_input", "switch_output", "valid", "", [](const Expr&, const Nets& net) {
                        return net("chosen").bit(0);
                      }}}};
  for (const auto& [claim, shape, fault] : faults)
    EXPECT_EQ(proof(claim, shape, shape.inputs - 1, &fault).outcome, verif::Outcome::counterexample)
        << fault.what;
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
