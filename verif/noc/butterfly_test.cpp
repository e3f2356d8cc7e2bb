// The butterfly: its routes, the time through it, lock step at odd sizes, refusals, injected faults.
#include "golden/noc/butterfly.h"

#include <set>

#include "gen/unit/unit.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::high, verif::inverted, verif::low, verif::other;

struct Shape {
  int radix, stages, vcs, flits, link, bytes, side;

  std::vector<std::string> settings() const {
    return {fmt::format("butterfly.radix={}", radix),  fmt::format("butterfly.stages={}", stages),
            fmt::format("mesh.vcs={}", vcs),           fmt::format("mesh.vc_flits={}", flits),
            fmt::format("mesh.link_stages={}", link),  fmt::format("crossbar.flit_bytes={}", bytes),
            fmt::format("crossbar.side_bits={}", side)};
  }
};

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("butterfly", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

// Cycles from an input to the output, alone; -1 where the packet comes out elsewhere.
template <hw::ButterflyParams P>
int cycles_from(int from, int to) {
  golden::Butterfly<P, int> fly;
  for (int cycle = 0; cycle < 40; ++cycle) {
    typename golden::Butterfly<P, int>::template Ports<typename golden::Butterfly<P, int>::Flit> in{};
    if (cycle == 0)
      in[static_cast<std::size_t>(from)] = {
          .vc = 1, .head = true, .tail = true, .destination = to, .payload = 7};
    for (int j = 0; j < fly.ports; ++j)
      if (fly.outputs().out[static_cast<std::size_t>(j)]) return j == to ? cycle : -1;
    fly.edge(in, {});
  }
  return -1;
}

}  // namespace

// Each input to each output of 2-ary 3- and 3-ary 2-flies, in 2 cycles a stage and one a link.
TEST(Butterfly, OneWayOfOneLengthFromEachInputToEachOutput) {
  constexpr hw::ButterflyParams threes{.size = {.radix = 3, .stages = 2}, .link_stages = 2},
      twos{.size = {.radix = 2, .stages = 3}};
  for (int from = 0; from < 9; ++from)
    for (int to = 0; to < 9; ++to) ASSERT_EQ(cycles_from<threes>(from, to), 6) << from << " to " << to;
  for (int from = 0; from < 8; ++from)
    for (int to = 0; to < 8; ++to) ASSERT_EQ(cycles_from<twos>(from, to), 8) << from << " to " << to;
}

TEST(Butterfly, OfTheThesis) {
  const gen::Unit unit = gen::elaborate(gen::load_config("butterfly", {}));
  EXPECT_EQ(unit.facts["ports"], 36);
  EXPECT_EQ(unit.facts["switches"], 12);
}

TEST(Butterfly, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 1'000'000 : 60'000;
  for (const Shape& s : {Shape{2, 2, 2, 2, 1, 4, 0}, Shape{3, 2, 2, 1, 0, 4, 5}})
    verif::expect_same("butterfly", s.settings(), cycles, verif::fresh_seed(21));
  if (!verif::full_tier()) return;
  for (const Shape& s :
       {Shape{2, 3, 4, 4, 1, 32, 57}, Shape{4, 1, 4, 3, 3, 4, 0}, Shape{5, 2, 2, 4, 2, 8, 1}})
    verif::expect_same("butterfly", s.settings(), cycles, verif::fresh_seed(22));
  verif::expect_same("butterfly", {}, 100'000, verif::fresh_seed(23));  // 36 ports
}

TEST(Butterfly, Refusals) {
  EXPECT_EQ(refusal({"butterfly.stages=4"}),
            "-s butterfly.stages=4: butterfly.stages = 4: makes more than 256 ports of switches of 6; use 2");
  EXPECT_EQ(refusal({"butterfly.radix=16"}),
            "-s butterfly.radix=16: butterfly.radix = 16: must be from 2 to 15");
  EXPECT_EQ(refusal({"mesh.vcs=3"}), "-s mesh.vcs=3: mesh.vcs = 3: must be even, as in a mesh; use 4");
}

// The sound unit runs here, too.
TEST(Butterfly, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"the_first_digit_is_wrong", "_switch0_route", "port", "", inverted()},
      {"the_last_digit_is_wrong", "_switch1_route", "port", "", inverted()},
      {"another_vc_is_offered", "vc_output_kept", "heads_of1_1", "", other("heads_of0_1")},
      {"heads_of_owned_vcs", "vc_output_kept", "vc_1_search.request", "~owned", high()},
      {"pointer_over_inputs_stays", "vc_output_kept", "head_inputs_q", "head_inputs_next", low()},
      {"a_link_keeps_its_flit", "link_s1_w37", "valids", "in_valid", low()},
      {"a_link_keeps_its_credit", "link_s1_w1", "valids", "in_valid", low()},
      {"never_freed", "vc_output_kept", "owner1_q", "~last", high()}};
  verif::expect_all_found("butterfly", Shape{2, 2, 2, 2, 1, 4, 0}.settings(), faults);
}
