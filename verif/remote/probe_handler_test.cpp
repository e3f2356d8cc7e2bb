// Probe handler: ways of a leader and of a scout by hand, lock step at small
// and odd sizes, storage, refusals, injected faults.
#include "golden/remote/probe_handler.h"

#include "gen/unit/unit.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::no_core, golden::Probe, golden::ProbeHandler;
using verif::high, verif::inverted, verif::low, verif::stuck;

const std::vector<std::string> small{
    "topology.cores=6", "remote.coverage=3",  "remote.incoming=2",      "remote.forwarded=3",
    "remote.replies=2", "remote.deflected=1", "geometry.line_bytes=32", "geometry.address_bits=20"};

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("probe_handler", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

// Core 3 asks; cores 7 and 9 are searched.
Probe probe_of(bool leader) {
  return {.leader = leader,
          .group = std::uint64_t{3} << 27 | 5,
          .targets = {7, 9, no_core, no_core, no_core},
          .line = 100};
}

// A probe goes through one core, whose L1 answers two cycles behind its snoop.
ProbeHandler through(const Probe& probe, bool found) {
  ProbeHandler handler({});
  handler.edge({.probe = probe});
  EXPECT_TRUE(handler.snoop() && handler.snoop()->line == 100);
  handler.edge({.snoop_ready = true});
  EXPECT_FALSE(handler.snoop());
  handler.edge({});
  handler.edge({.answer = ProbeHandler::Answer{found, {42}}});
  return handler;
}

}  // namespace

TEST(ProbeHandler, ALeaderBringsTheLineFromTheFirstCoreThatHasIt) {
  const ProbeHandler absent = through(probe_of(true), false);
  ASSERT_TRUE(absent.forwarded());
  EXPECT_EQ(absent.destination(*absent.forwarded()), 9);
  EXPECT_EQ(absent.forwarded()->targets, probe_of(true).targets);
  const ProbeHandler there = through(probe_of(true), true);
  EXPECT_FALSE(there.forwarded());
  ASSERT_TRUE(there.reply());
  EXPECT_EQ(there.reply()->group, probe_of(true).group);
  EXPECT_EQ(there.reply()->data[0], 42u);
}

TEST(ProbeHandler, AScoutBringsBackWhoHasTheLine) {
  const ProbeHandler absent = through(probe_of(false), false);
  ASSERT_TRUE(absent.forwarded());
  EXPECT_EQ(absent.forwarded()->targets, (std::vector{no_core, 9, no_core, no_core, no_core}));
  EXPECT_EQ(absent.destination(*absent.forwarded()), 9);
  const ProbeHandler last = through(*absent.forwarded(), true);
  ASSERT_TRUE(last.forwarded());
  EXPECT_FALSE(last.reply());
  EXPECT_EQ(last.forwarded()->targets, (std::vector{no_core, 9, no_core, no_core, no_core}));
  EXPECT_TRUE(last.forwarded()->returns());
  EXPECT_EQ(last.destination(*last.forwarded()), 3);
}

// Eight wait, two are deflected, and one is lost.
TEST(ProbeHandler, WhatFindsNoPlaceIsDeflectedOrLost) {
  ProbeHandler handler({});
  for (int n = 0; n < 10; ++n) {
    EXPECT_FALSE(handler.drops({.probe = probe_of(true)})) << n;
    handler.edge({.probe = probe_of(true)});
  }
  ASSERT_TRUE(handler.deflected());
  EXPECT_EQ(handler.destination(*handler.deflected()), 9);
  EXPECT_TRUE(handler.drops({.probe = probe_of(false)}));
}

TEST(ProbeHandler, LockStep) {
  const bool full = verif::full_tier();
  verif::expect_same("probe_handler", {}, full ? 1'000'000 : 60'000, verif::fresh_seed(5));
  if (!full) return;
  for (const int incoming : {2, 5})
    for (const int coverage : {1, 2, 6})
      verif::expect_same(
          "probe_handler",
          {"topology.cores=7", "geometry.line_bytes=64", "remote.forwarded=1", "remote.replies=1",
           fmt::format("remote.incoming={}", incoming), fmt::format("remote.coverage={}", coverage),
           fmt::format("remote.deflected={}", coverage == 2 ? 0 : coverage)},
          400'000, verif::fresh_seed(6));
  verif::expect_same("probe_handler", {"remote.coverage=15", "remote.replies=2"}, 400'000,
                     verif::fresh_seed(7));
}

TEST(ProbeHandler, Refusals) {
  EXPECT_EQ(refusal({"remote.incoming=1"}),
            "-s remote.incoming=1: remote.incoming = 1: must be from 2 to 32; "
            "the nearest is 2");
  EXPECT_EQ(refusal({"topology.cores=5"}),
            "probe_handler -s topology.cores=5: remote.coverage = 5 (default): "
            "must be from 1 to the 4 other "
            "cores; use 4");
}

// The sound unit runs here, too.
TEST(ProbeHandler, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"scouts_bring_the_line", "", "answers_line", "oldest_leader", high()},
      {"leaders_go_on_with_it", "", "answers_line", "answer_found", low()},
      {"nobody_brings_it", "", "answers_line", "", low()},
      {"what_brings_it_goes_on_too", "", "goes_on", "~answers_line", high()},
      {"leaders_strike_cores", "_step", "erases", "~leader", high()},
      {"scouts_strike_all_cores", "_step", "erases", "~found", high()},
      {"scouts_strike_none", "_step", "erases", "", low()},
      {"pointers_stay", "_step", "next_pointer", "2'd1", low()},
      {"none_is_a_target", "_way", "destination", "~(&targets[place * 3 +: 3])", high()},
      {"deflected_probes_have_been_searched", "", "passed_step.found", "", high()},
      {"nothing_is_deflected", "", "deflects", "", low()},
      {"all_are_deflected", "", "deflects", "~incoming_not_full", high()},
      {"losses_are_not_reported", "", "dropped", "", low()},
      {"snoops_beside_a_full_queue", "", "snoop_valid", "forwarded_free", high()},
      {"snoops_without_a_place_for_the_line", "", "snoop_valid", "replies_free", high()},
      {"places_are_kept_for_ever", "", "forwarded_kept_q", "answers_line", low()},
      {"places_of_lines_are_kept_for_ever", "", "replies_kept_q", "goes_on", low()},
      {"places_that_leave_are_kept", "", "forwarded_kept_q", "forwarded_ready", low()},
      {"idle_while_the_l1_is_asked", "", "idle", "asked", low()},
      {"idle_with_deflected_probes", "", "idle", "deflected_valid", low()},
      {"lines_for_another", "", "reply_queue.in_data", "oldest_group", inverted()},
      {"the_pointer_is_lost", "", "passed_step.pointer", "", stuck(0)}};
  verif::expect_all_found("probe_handler", small, faults, {.cycles = 120'000});
}
