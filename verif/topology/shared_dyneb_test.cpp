// Shared L1s with a DynEB controller for each core: untimed phases and decisions, refusals, injected faults
// and beside them lock step of a small topology, with stale-home lines as first victims and without.
#include <algorithm>

#include "gen/unit/unit.h"
#include "golden/topology/functional_dyneb.h"
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::CoreRequest, golden::FunctionalTopology, golden::RequestKind, golden::Result, golden::Served;
using verif::high, verif::low;

hw::TopologyParams controlled(const hw::DynebParams& dyneb, bool guard, bool stale_lines_first = false) {
  hw::TopologyParams p{.shape = {.kind = hw::TopologyKind::shared, .cores = 28, .slices = 8}};
  p.shared.organisation = hw::Organisation::dyneb;
  p.shared.dyneb = dyneb;
  p.shared.own_store_guard = guard;
  p.shared.prefer_leftover_victims = stale_lines_first;
  p.shared.min_home_l2 = false;
  p.l1d.index.sets = hw::sets_of(p.l1d);
  return p;
}

class Untimed {
 public:
  explicit Untimed(const hw::DynebParams& dyneb, bool guard = true, bool stale_lines_first = false)
      : topology_(FunctionalTopology::make(controlled(dyneb, guard, stale_lines_first))) {}

  Served ask(int core, std::uint64_t address, RequestKind kind = RequestKind::load) {
    const CoreRequest request{core, {.kind = kind, .mask = 1, .address = address}};
    Served served;
    topology_->access({&request, 1}, &served);
    return served;
  }
  FunctionalTopology& topology() { return *topology_; }

 private:
  std::unique_ptr<FunctionalTopology> topology_;
};

std::string refusal(const verif::Flags& settings) {
  try {
    gen::elaborate(gen::load_config("shared_l1", verif::with(verif::small_dyneb(), settings)));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

// The home of a line is its address bits 16 to 12; bit 7 is the lowest of its set.
TEST(SharedDyneb, SamplesEvenSetsPrivateAndOddOnesShared) {
  Untimed cores({});
  EXPECT_EQ(cores.ask(9, 0x3000).node, 9) << "even sets are private";
  EXPECT_EQ(cores.ask(9, 0x3080), (Served{9, 3, 0, Result::miss}));
  EXPECT_EQ(cores.ask(3, 0x3080), (Served{3, 3, -1, Result::hit})) << "its home is core 3";
}

// The request that finds the limit reached, and the next, go as before; the third as was decided.
TEST(SharedDyneb, ThirdRequestBehindASampleIsTheFirstOfTheNewOrganisation) {
  Untimed cores({.sample_accesses = 2, .miss_percent = 0});
  for (const std::uint64_t address : {0x3000, 0x3100, 0x3080, 0x3180}) cores.ask(3, address);
  EXPECT_EQ(cores.ask(3, 0x9080).node, 9) << "EVAL: odd sets are shared";
  EXPECT_EQ(cores.ask(3, 0x9180).node, 9) << "DRAIN";
  EXPECT_EQ(cores.ask(3, 0x9280).node, 3);
  const golden::History& history = *cores.topology().decisions(3);
  ASSERT_EQ(history.changes.size(), 2u);
  EXPECT_EQ(history.label(history.changes[1].value[0]), "private: a tie") << "both groups missed alike";
}

// Core 2 stores to 3000 and brings 3100 to its own L1 while even sets are private; home replies make it find
// that shared L1s are better.
TEST(SharedDyneb, OwnStoresAreSeenBehindAChange) {
  for (const bool guard : {true, false}) {
    Untimed cores({.sample_accesses = 2, .miss_percent = 0}, guard);
    cores.ask(2, 0x3000, RequestKind::store);
    for (int n = 0; n < 5; ++n) cores.ask(2, 0x3080);
    for (const std::uint64_t address : {0x2000, 0x3100, 0x2080, 0x2080}) cores.ask(2, address);
    for (int n = 0; n < 2; ++n) cores.ask(2, 0x2000);  // EVAL and DRAIN
    EXPECT_EQ(cores.ask(2, 0x3200).node, 3) << "even sets are shared";
    EXPECT_EQ(cores.ask(2, 0x3000).node, guard ? -1 : 3) << "what it stored to past its home";
    EXPECT_TRUE(cores.topology().cache(2).holds(0x3100));
    EXPECT_EQ(cores.ask(2, 0x3100, RequestKind::store).node, 3);
    EXPECT_EQ(cores.topology().cache(2).holds(0x3100), !guard);
  }
}

// While even sets are private core 2 fills set 0 with lines of its own, of cores 3 and 4, and of its own; way
// 0 is the oldest and way 2 older than way 1. Behind the change the lines of others go first, lowest way
// first, then the oldest.
TEST(SharedDyneb, StaleLinesGoBeforeTheOldestLine) {
  for (const bool first : {true, false}) {
    Untimed cores({.sample_accesses = 2, .miss_percent = 0}, true, first);
    const golden::FunctionalL1d& own = cores.topology().cache(2);
    for (int n = 0; n < 8; ++n) cores.ask(2, 0x3080);
    for (const std::uint64_t address : {0x2000, 0x3000, 0x4000, 0x22000, 0x3000}) cores.ask(2, address);
    for (int n = 0; n < 4; ++n) cores.ask(2, 0x2080);  // the last two are EVAL's and DRAIN's
    EXPECT_EQ(cores.ask(2, 0x3200).node, 3) << "even sets are shared";
    std::vector<std::uint64_t> gone;
    for (const std::uint64_t address : {0x42000, 0x62000, 0x82000, 0xa2000}) {
      cores.ask(2, address);
      for (const std::uint64_t line : {0x2000, 0x3000, 0x4000, 0x22000})
        if (!own.holds(line) && std::ranges::count(gone, line) == 0) gone.push_back(line);
    }
    using Lines = std::vector<std::uint64_t>;
    EXPECT_EQ(gone,
              first ? (Lines{0x3000, 0x4000, 0x2000, 0x22000}) : (Lines{0x2000, 0x4000, 0x22000, 0x3000}));
  }
}

// With both groups private nothing is left over, with any home.
TEST(SharedDyneb, LinesOfOthersStayInPrivateSets) {
  Untimed cores({}, true, true);
  for (const std::uint64_t address : {0x2000, 0x3000, 0x4000, 0x5000, 0x6000}) cores.ask(2, address);
  EXPECT_FALSE(cores.topology().cache(2).holds(0x2000)) << "the oldest";
}

TEST(SharedDyneb, FlushBeginsRehashed) {
  Untimed cores({});
  cores.ask(2, 0x3000, RequestKind::store);
  cores.ask(9, 0x3080);
  cores.topology().flush();
  EXPECT_FALSE(cores.topology().cache(3).holds(0x3080));
  EXPECT_EQ(cores.topology().decisions(2)->changes.size(), 1u) << "it sampled before";
}

TEST(SharedDyneb, Refusals) {
  EXPECT_EQ(refusal({"index.kind=adi"}),
            "-s index.kind=adi: index.kind = adi: moves lines between even and odd sets, which a controller "
            "compares; use another index, or shared.organisation = \"shared\"");
  EXPECT_EQ(
      refusal({"dyneb.sample_accesses=0"}),
      "-s dyneb.sample_accesses=0: dyneb.sample_accesses = 0: must be from 1 to 1023; the nearest is 1");
}

TEST(SharedDyneb, RefusalsOfStaleLines) {
  const std::string flag = "dyneb.prefer_leftover_victims=true",
                    of_key = "-s dyneb.prefer_leftover_victims=true: dyneb.prefer_leftover_victims = true: ";
  EXPECT_EQ(refusal({flag}), "");
  EXPECT_EQ(refusal({flag, "tags.kind=sectored"}), "");
  EXPECT_EQ(refusal({flag, "tags.replacement=nru"}),
            of_key + "is a rule beside LRU alone; use tags.replacement = \"lru\", or leave it out");
  EXPECT_EQ(refusal({flag, "tags.replacement=srrip"}), refusal({flag, "tags.replacement=nru"}));
  EXPECT_EQ(refusal({flag, "tags.kind=split"}),
            of_key +
                "chooses among lines that have a way and an order of their own, which split tags have "
                "not; use conventional or sectored tags, or leave it out");
  EXPECT_EQ(refusal({flag, "shared.organisation=shared"}), "") << "is ignored";
}

// The sound unit runs here, too.
TEST(SharedDyneb, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"requests_enter_a_drain", "_core", "request_ready", "~hold", high()},
      {"sets_change_over_too_early", "_core_dyneb", "drained", "~(|open_q)", high()},
      {"a_flush_beside_a_marked_filter", "_core", "flush_ready", "~dirty_q", high()},
      {"fills_are_of_even_sets", "_core", "out1_word", "missed_origin", low()},
      {"stores_leave_without_their_drop", "_core", "out0_valid", "drop_goes", high()},
      {"drops_are_stores", "_core", "l1_request_word", "drops", low()},
      {"lines_are_not_dropped", "_core", "drops", "", low()},
      {"nothing_is_marked", "_core", "marks", "", low()},
      {"marks_are_not_found", "_core", "written", "", low()},
      {"a_mark_is_read_late", "_core", "written", "fresh_q", low()},
      {"marks_outlive_a_flush", "_core", "clear_filter", "", low()},
      {"sets_of_own_requests_are_even", "_core", "odd_q", "", low()}};
  verif::expect_all_found("shared_l1", verif::small_dyneb(), faults, {.cycles = 120'000});
}

// A line of another home is never busy in a shared set: its entry has loads of the core alone, and these are
// answered before the set changes.
TEST(SharedDyneb, EveryInjectedFaultOfStaleLinesIsFound) {
  const std::string tags = "_cache_tags";
  const std::vector<verif::Fault> faults{
      {"stale_lines_stay", tags, "left_over", "", low()},
      {"the_oldest_goes_all_the_same", tags, "new_way", "|left_over", low()},
      {"sets_are_even", tags, "left_over", "probe_set", low()},
      {"sets_are_odd", tags, "left_over", "probe_set", high()},
      {"lines_stay_foreign", tags, "row_foreign", "~tag_written", high()},
      {"what_was_left_late_is_missed", tags, "coming_foreign", "late_entered", low()},
      {"lines_of_this_core_are_foreign", "_core", "foreign", "home_node != node", high()},
      {"lines_served_are_foreign", "_core", "foreign", "~serves", high()},
      {"even_and_odd_change_places", "_core", "cache.shared_sets", "", verif::inverted()}};
  const verif::Flags two_sets{"dyneb.prefer_leftover_victims=true",
                              "dyneb.miss_percent=70",
                              "dyneb.execute_cap=80",
                              "geometry.ways=8",
                              "mesh.clock_ratio=1",
                              "mshr.entries=8",
                              "mshr.miss_queue=8"};
  verif::expect_all_found("shared_l1", verif::with(verif::small_dyneb(), two_sets), faults,
                          {.cycles = 60'000, .seed = 7, .coverage = false});  // goals: the run above
}
