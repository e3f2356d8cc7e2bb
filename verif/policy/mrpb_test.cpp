// MRPB's bypass on every tag organisation: no load waits for a line, an MSHR entry or an MSHR target while
// the miss queue is not full; in lock step, in the untimed core, and with faults injected in the decision.
#include <gmock/gmock.h>

#include "gen/process.h"
#include "verif/l1d/lock_step.h"
#include "verif/mutate/mutation_run.h"
#include "verif/run_l1forge.h"

namespace {

using Settings = std::vector<std::string>;

// So small that each cause of a reservation fail comes often.
Settings small(const Settings& more) {
  Settings all{"geometry.capacity_bytes=1024",
               "geometry.line_bytes=32",
               "geometry.chunk_bytes=8",
               "geometry.ways=2",
               "mshr.entries=4",
               "mshr.merges=2",
               "mshr.miss_queue=3",
               "core.id_bits=5",
               "counters.enable=true",
               "probe.ports=true"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const auto organisations = verif::first_of<Settings>(
    6, {small({}), small({"tags.kind=sectored", "tags.store_scope=mask"}),
        small({"tags.kind=split", "tags.replacement=nru", "tags.split.groups=2"}),
        small({"tags.kind=decoupled", "tags.decoupled.tags_per_way=3"}),
        small({"tags.kind=reuse_filter", "tags.reuse_filter.ways=4"}),
        small({"index.kind=adi", "adaptive.period=16", "adaptive.counter_bits=4", "adaptive.idle=64"}),
        small({"tags.kind=sectored", "tags.replacement=random"}),
        small({"tags.kind=split", "tags.replacement=nru", "tags.split.groups=2", "mode.kind=coarse"}),
        small({"tags.kind=reuse_filter", "tags.reuse_filter.ways=4", "tags.reuse_filter.threshold=0"})});

TEST(Mrpb, NoLoadWaitsForWantOfAPlace) {
  for (const Settings& settings : organisations) {
    const gen::Config config = gen::load_config("l1d_mrpb", settings);
    SCOPED_TRACE(config.top);
    const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : 250'000});
    ASSERT_EQ(run.status, 0) << run.report.dump(1);
    const auto& counters = run.report["counters"];
    EXPECT_EQ(counters["reservation_fail_line"], 0);
    EXPECT_EQ(counters["reservation_fail_mshr"], 0);
    EXPECT_EQ(counters["reservation_fail_merge"], 0);
    EXPECT_GT(counters["reservation_fail_queue"], 0);
    EXPECT_GT(counters["bypasses"], 1000);
    for (const char* cause : {"line", "mshr", "merge"})
      EXPECT_GT(run.report["coverage"]["counts"][std::string("reservation fail: ") + cause], 0) << cause;
    EXPECT_GT(run.report["coverage"]["counts"]["poisoned entry refuses a load"], 0);
  }
}

// Untimed: only what would be reserved can fail, and a mark alone is no bypass.
TEST(Mrpb, MarksOfARequestList) {
  const gen::TempDir work("mrpb");
  gen::write_file_atomically(
      work / "list.txt", "L 1000 1 !\nL 1000 1\nL 1000 1 !\nL 2000 f\nL 2000 f !\nS 2000 f !\nL 2000 f\n");
  const auto dump = [&](const Settings& settings) {
    Settings arguments{"explore", "l1d", "--requests", "list.txt", "--dump", "-"};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"-s", s});
    const gen::Finished done = verif::l1forge(arguments, work.path());
    EXPECT_EQ(done.status, 0) << done.output;
    return done.output;
  };
  for (const std::string kind : {"conventional", "sectored", "decoupled"}) {
    EXPECT_EQ(dump({"tags.kind=" + kind, "bypass.kind=mrpb"}), "BMHMHsM") << kind;
    EXPECT_EQ(dump({"tags.kind=" + kind}), "MHHMHsM") << kind;
  }
  EXPECT_EQ(dump({"tags.kind=split", "bypass.kind=mrpb"}), "BMHMHsM");
}

const verif::Fault faults[] = {
    {"queue_full_all_the_same", "", "bypass", "queue_not_full", verif::high()},
    {"never", "", "bypass", "finds_nothing", verif::low()},
    {"hits_too", "", "finds_nothing", "",
     [](const rtl::Expr& sound, const verif::Nets& net) { return sound | (net("load") & net("found")); }},
    {"not_for_want_of_a_line", "", "finds_nothing", "",
     [](const rtl::Expr& sound, const verif::Nets& net) { return sound & net("can_allocate"); }},
    {"not_for_want_of_an_entry", "", "finds_nothing", "",
     [](const rtl::Expr& sound, const verif::Nets& net) { return sound & net("has_free"); }},
    {"not_for_want_of_a_merge_place", "", "finds_nothing", "",
     [](const rtl::Expr& sound, const verif::Nets& net) { return sound & ~net("entry_match"); }},
    {"merges_too", "", "finds_nothing", "merge", verif::low()},
    {"takes_a_line_too", "", "finds_nothing", "new_entry", verif::low()},
    {"answered_as_a_fetch", "", "miss_queue.push_id", "bypass", verif::low()},
    {"whole_line_asked_for", "", "miss_queue.push_mask", "bypass", verif::low()},
    {"takes_an_entry_too", "", "mshr.allocate", "", verif::other("no_hit")},
};

TEST(Mrpb, EveryBrokenCopyIsFound) { verif::expect_all_found("l1d_mrpb", organisations[1], faults); }

}  // namespace
