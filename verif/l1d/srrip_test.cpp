// SRRIP in the L1 data cache: in lock step with golden in several shapes, the reused lines that a scan leaves
// on the Verilog, names, and injected faults.
#include <gmock/gmock.h>

#include "gen/unit/unit.h"
#include "verif/l1d/lock_step.h"
#include "verif/mutate/mutation_run.h"

namespace {

using Settings = std::vector<std::string>;

// So small that a set's ways are all busy, or some of them, within few loads.
Settings small(const Settings& more) {
  Settings all{"tags.replacement=srrip", "geometry.line_bytes=32", "geometry.chunk_bytes=8",
               "mshr.entries=4",         "mshr.merges=2",          "mshr.miss_queue=3",
               "core.id_bits=5",         "counters.enable=true"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const Settings shapes[] = {
    small({"geometry.capacity_bytes=1024", "geometry.ways=4"}),
    small({"geometry.capacity_bytes=1024", "geometry.ways=2", "tags.kind=sectored", "tags.store_scope=mask"}),
    small({"geometry.capacity_bytes=1536", "geometry.ways=3", "index.kind=pli", "index.latency=1",
           "ecc.tags=parity"}),
    small({"geometry.capacity_bytes=1024", "geometry.ways=16", "mshr.entries=32", "core.id_bits=7"}),
    small({"geometry.capacity_bytes=1024", "geometry.ways=4", "bypass.kind=protection_distance",
           "bypass.protection_distance.distance=5"}),
    small({"geometry.capacity_bytes=1024", "geometry.ways=1"}),
};

TEST(Srrip, InLockStepWithGolden) {
  for (const Settings& settings : shapes) {
    const gen::Config config = gen::load_config("l1d", settings);
    SCOPED_TRACE(config.top);
    const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : 200'000});
    ASSERT_EQ(run.status, 0) << run.report.dump(1);
  }
}

TEST(Srrip, LockStepComesByItsCases) {
  const auto run = verif::lock_step(gen::load_config("l1d", shapes[0]), {.random_cycles = 200'000});
  for (const char* event :
       {"RRPV falls to 0", "victim of RRPV 3", "RRPVs of a set rise", "RRPV above the victim's"})
    EXPECT_GT(run.report["coverage"]["counts"].value(event, 0), 100) << event;
}

TEST(Srrip, NamesOfModules) {
  EXPECT_EQ(gen::load_config("l1d", {"tags.replacement=srrip"}).top, "l1d_srrip");
  EXPECT_EQ(gen::load_config("l1d_sectored", {"tags.replacement=srrip"}).top, "l1d_sectored_srrip");
}

const verif::Fault faults[] = {
    {"a_hit_is_inserted", "_tags", "touched_rrpv", "", verif::stuck(2)},
    {"a_new_line_is_promoted", "_tags", "touched_rrpv", "", verif::stuck(0)},
    {"a_new_line_is_distant", "_tags", "touched_rrpv", "RRPV_LONG", verif::high()},
    {"nothing_rises", "_tags", "lacks", "", verif::low()},
    {"all_rise_by_one", "_tags", "lacks", "", verif::stuck(1)},
    {"all_rise_for_a_hit", "_tags", "replaces", "none_known", verif::high()},
    {"all_rise_for_a_free_way", "_tags", "replaces", "none_invalid", verif::high()},
    {"busy_ways_are_searched", "_tags", "far", "candidates", verif::high()},
    {"the_low_bit_is_not_compared", "_tags", "pool", "some_odd", verif::low()},
    {"the_high_bit_is_not_compared", "_tags", "high_pool", "some_far", verif::low()},
    {"a_busy_way_wraps", "_tags", "risen", "largest < row_rrpv_q[rrpv_of * 2 +: 2]", verif::low()},
    {"the_touched_way_rises", "_tags", "rrpv_after", "way[way_of]", verif::low()},
    {"the_next_set_is_not_read", "_tags", "row_rrpv_q", "other_set", verif::low()},
    {"the_next_set_misses_a_row_on_its_way", "_tags", "coming_row", "late_entered", verif::low()},
    {"a_load_that_waits_touches", "_tags", "left_row", "load", verif::high()},
    {"lines_are_near_after_a_reset", "_tags", "rrpv_q", verif::reset_value, verif::low()},
};

TEST(Srrip, EveryBrokenCopyIsFound) { verif::expect_all_found("l1d", shapes[0], faults); }

}  // namespace
