// BUCL's bypass: the worked example of its decision on model and Verilog, lock step on every tag
// organisation, lists without time, injected faults.
#include "golden/policy/bucl.h"

#include "gen/unit/unit.h"

#include "verif/icarus.h"
#include "verif/l1d/lock_step.h"
#include "verif/mutate/mutation_run.h"
#include "verif/policy/bucl_decision.h"
#include "verif/run_l1forge.h"

namespace {

using Settings = std::vector<std::string>;

struct Step {
  bool first;
  std::uint8_t degree;
  bool fails, not_full;
  unsigned tucd;
  bool low, free;
  bool before, after, accepted;
};

constexpr Step example[] = {{1, 6, 0, 1, 5, 0, 1, 1, 0, 1}, {0, 6, 0, 1, 6, 0, 1, 1, 0, 1},
                            {0, 6, 1, 0, 6, 1, 1, 1, 0, 0}, {0, 6, 1, 1, 6, 1, 1, 1, 0, 1},
                            {1, 5, 1, 1, 5, 1, 1, 0, 1, 1}, {0, 5, 1, 1, 4, 1, 0, 0, 0, 0},
                            {0, 5, 0, 1, 4, 1, 0, 0, 0, 1}, {1, 5, 0, 1, 4, 1, 0, 1, 0, 1}};

// So small that each cause of a reservation fail comes often.
Settings small(const Settings& more) {
  Settings all{"bypass.kind=bucl",       "geometry.capacity_bytes=1024",
               "geometry.line_bytes=32", "geometry.chunk_bytes=8",
               "geometry.ways=2",        "mshr.entries=4",
               "mshr.merges=2",          "mshr.miss_queue=3",
               "core.id_bits=5",         "counters.enable=true",
               "probe.ports=true"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const Settings organisations[] = {
    small({"bypass.bucl.follow=true", "bypass.bucl.sub_partitions=3", "bypass.bucl.highest=63"}),
    small(
        {"tags.kind=sectored", "tags.store_scope=mask", "bypass.bucl.period=40", "core.request_slice=true"}),
    small({"tags.kind=split", "tags.split.groups=2", "bypass.bucl.update=profile", "bypass.bucl.period=16",
           "bypass.bucl.sms=3", "bypass.bucl.profile_cycles=50", "bypass.bucl.thresholds=[2, 9, 40]",
           "bypass.bucl.designated_sm=1"}),
    small({"tags.kind=decoupled", "tags.decoupled.tags_per_way=3", "bypass.bucl.follow=true"}),
    small({"tags.kind=reuse_filter", "tags.reuse_filter.ways=4", "bypass.bucl.follow=true",
           "bypass.bucl.sub_partitions=1"}),
    small({"index.kind=adi", "adaptive.period=16", "adaptive.counter_bits=4", "adaptive.idle=64",
           "bypass.bucl.period=64"}),
};

std::string dump(const std::string& list, const Settings& settings) {
  const gen::TempDir work("bucl");
  gen::write_file_atomically(work / "list.txt", list);
  Settings arguments{"explore", "l1d", "--requests", "list.txt", "--dump", "-"};
  for (const std::string& s : settings) arguments.insert(arguments.end(), {"-s", s});
  const gen::Finished done = verif::l1forge(arguments, work.path());
  EXPECT_EQ(done.status, 0) << done.output;
  return done.output;
}

std::string repeated(const std::string& line, int times) {
  std::string text;
  while (times-- > 0) text += line;
  return text;
}

// A load of so many requests, each of a line of its own.
std::string load(int degree, int address) {
  std::string text;
  for (int i = 0; i < degree; ++i)
    text += fmt::format("L {:x} f{}\n", address + 128 * i, i == 0 ? fmt::format(" d{}", degree) : "");
  return text;
}

}  // namespace

TEST(Bucl, WorkedExampleOfTheDecision) {
  golden::Bucl policy({.sub_partitions = 1}, 1, 8);
  for (const Step& s : example) {
    golden::Controls controls;
    controls["tucd"] = s.tucd, controls["hit_rate_low"] = s.low, controls["buffer_free"] = s.free;
    policy.steer(controls);
    const golden::PolicyLoad load{.sideband = {.degree = s.degree, .first = s.first}};
    const bool before = policy.before_lookup(load);
    const bool after = !before && s.fails && s.not_full && policy.in_place_of_fail(load);
    const bool accepted = before ? s.not_full : !s.fails || after;
    EXPECT_EQ(before, s.before);
    EXPECT_EQ(after, s.after);
    EXPECT_EQ(accepted, s.accepted);
    if (accepted) policy.served(load, golden::Result::miss, golden::nowhere, false);
  }
}

TEST(Bucl, WorkedExampleOfTheDecisionInVerilog) {
  std::string bench =
      "module bench;\n  reg clk = 0, rst = 1, first, fails, not_full, low, free;\n  reg [5:0] degree;\n"
      "  reg [4:0] tucd;\n  wire unseen, stalled, accepted;\n"
      "  decision dut(.clk(clk), .rst(rst), .first(first), .degree(degree), .fails(fails), "
      ".not_full(not_full), "
      ".tucd(tucd), .hit_rate_low(low), .buffer_free(free), .is_unseen(unseen), .is_stalled(stalled), "
      ".accepted(accepted));\n  initial begin\n    #1 clk = 1; #1 clk = 0; rst = 0;\n";
  std::string expected;
  for (const Step& s : example) {
    bench += fmt::format(
        "    first = {:d}; degree = {}; fails = {:d}; not_full = {:d}; tucd = {}; low = {:d}; free = {:d};\n"
        "    #1 $display(\"%b %b %b\", unseen, stalled, accepted);\n    clk = 1; #1 clk = 0;\n",
        s.first, s.degree, s.fails, s.not_full, s.tucd, s.low, s.free);
    expected += fmt::format("{:d} {:d} {:d}\n", s.before, s.after, s.accepted);
  }
  bench += "    $finish;\n  end\nendmodule\n";
  EXPECT_EQ(verif::simulated(verif::bucl_decision(1), bench), expected);
}

TEST(Bucl, InLockStepOnEveryTagOrganisation) {
  for (const Settings& settings : organisations) {
    const gen::Config config = gen::load_config("l1d", settings);
    SCOPED_TRACE(config.top);
    const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : 300'000});
    ASSERT_EQ(run.status, 0) << run.report.dump(1);
    const auto& counters = run.report["counters"];
    for (const char* counter : {"bypasses_load", "bypasses_stall"})
      EXPECT_GT(counters[counter], 500) << counter;
    EXPECT_EQ(counters["bypasses_protected"], 0);
    EXPECT_LE(counters["bypasses_load"].get<int>() + counters["bypasses_stall"].get<int>(),
              counters["bypasses"].get<int>());
  }
}

// Its unit reads the inputs of its own, beside those of the cache's controller.
TEST(Bucl, BesideAController) {
  const gen::Config config =
      gen::load_config("l1d_bucl", {"name=bucl_beside_controller", "iacm.order=adi", "index.kind=adi",
                                    "adaptive.period=32", "iacm.adi_idle=40", "geometry.capacity_bytes=2048",
                                    "mshr.entries=4", "mshr.merges=2", "core.id_bits=5"});
  const auto run = verif::lock_step(config, {.random_cycles = 300'000});
  EXPECT_EQ(run.status, 0) << run.report.dump(1);
  EXPECT_GT(run.report["counters"]["bypasses_load"], 100);
}

// Untimed: a request is a cycle, so that a period is 1,000 requests.
TEST(Bucl, DegreesOfARequestList) {
  const Settings bucl{"bypass.kind=bucl"};
  EXPECT_EQ(dump(load(6, 0) + load(5, 0) + load(5, 0), bucl), "BBBBBBMMMMMHHHHH");
  EXPECT_EQ(dump(load(6, 0) + load(5, 0), {}), "MMMMMMHHHHH") << "others look at no marks";
  // A period of hits, and TUCD is 6.
  const std::string hits = repeated("L 100000 f\n", 1000);
  EXPECT_EQ(dump(hits + load(6, 0) + load(7, 0), bucl).substr(1000), "MMMMMMBBBBBBB");
  // In the middle of the load nothing changes.
  const std::string almost = repeated("L 100000 f\n", 997);
  EXPECT_EQ(dump(almost + load(6, 0) + load(6, 0), bucl).substr(997), "BBBBBBMMMMMM");
  // Stores are cycles, too, and no accesses: TUCD stays.
  EXPECT_EQ(dump(repeated("S 100000 f\n", 1000) + load(6, 0), bucl).substr(1000), "BBBBBB");
}

// A stalled load bypasses when the period before had few hits.
TEST(Bucl, StallsOfARequestList) {
  const Settings bucl{"bypass.kind=bucl"};
  std::string misses;
  for (int i = 0; i < 1000; ++i)
    misses += fmt::format("L {:x} f{}\n", 0x100000 + 128 * i, i == 0 ? " !" : "");
  const std::string dumped = dump(misses + "L 0 f !\nL 0 f\nL 0 f !\n", bucl);
  EXPECT_EQ(dumped.substr(0, 2), "MM") << "there is no period before";
  EXPECT_EQ(dumped.substr(1000), "BMH");
  EXPECT_EQ(dump(repeated("L 100000 f\n", 1000) + "L 0 f !\n", bucl).substr(1000), "M");
}

TEST(Bucl, EveryBrokenCopyIsFound) {
  const verif::Fault faults[] = {
      {"others_decide_rehashed", "", "unseen", "bypass_held_q", verif::other("wide")},
      {"at_the_threshold_too", "", "wide", "", verif::other_tie()},
      {"held_by_all", "", "bypass_held_q", "probe_first_q", verif::high()},
      {"held_before_it_leaves", "", "bypass_held_q", "load_fires", verif::high()},
      {"whatever_the_rate", "", "may_bypass", "hit_rate_low", verif::high()},
      {"whatever_the_buffer", "", "finds_nothing", "may_bypass", verif::other("hit_rate_low")},
      {"another_sub_partition", "", "sub_partition_below_3", "", verif::inverted()},
      {"without_a_slot", "", "bypass_load", "queue_not_full", verif::high()},
      {"looked_up_all_the_same", "", "load", "~unseen", verif::high()},
      {"stores_pass_too", "", "passes", "~(|probe_kind_q)", verif::high()},
      {"shown_to_monitors", "", "probe_valid", "load", verif::high()},
      {"counted_as_stalled", "", "event_bypasses_stall_q", "", verif::other("bypass_load")},
      {"waits_for_the_queue_uncounted", "", "event_reservation_fail_queue_q", "passes", verif::low()},
  };
  verif::expect_all_found("l1d", organisations[0], faults);
}
