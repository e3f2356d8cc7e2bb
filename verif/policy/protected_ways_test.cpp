// Bypass by protection distances inside a cache: in lock step on conventional and sectored tags, in the
// untimed core, refused elsewhere, and with faults injected between the cache and the distances.
#include "golden/policy/protected_ways.h"

#include <gmock/gmock.h>

#include "gen/process.h"
#include "gen/unit/unit.h"
#include "golden/cache/functional_l1d.h"
#include "verif/l1d/golden_bench.h"
#include "verif/l1d/lock_step.h"
#include "verif/mutate/mutation_run.h"
#include "verif/run_l1forge.h"

namespace {

using Settings = std::vector<std::string>;

// So small that a set's ways are all reserved, all protected or some of each within few loads.
Settings small(const Settings& more) {
  Settings all{"bypass.kind=protection_distance",
               "geometry.capacity_bytes=1024",
               "geometry.line_bytes=32",
               "geometry.chunk_bytes=8",
               "mshr.entries=4",
               "mshr.merges=2",
               "mshr.miss_queue=3",
               "core.id_bits=5",
               "counters.enable=true"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const Settings organisations[] = {
    small({"geometry.ways=4", "tags.replacement=random"}),
    small({"geometry.ways=2", "tags.kind=sectored", "tags.store_scope=mask", "tags.replacement=nru",
           "bypass.protection_distance.distance=7"}),
    small({"geometry.ways=4", "tags.kind=sectored", "tags.store_scope=mask"}),
};

hw::L1dParams params_of(const Settings& settings) {
  return gen::load_config("l1d", settings).get<hw::L1dParams>();
}

std::string letters(golden::FunctionalL1d& cache, const std::vector<golden::Request>& requests) {
  std::vector<golden::Result> results(requests.size());
  cache.access(requests, results.data());
  std::string text;
  for (const golden::Result result : results) text += static_cast<char>(result);
  return text;
}

TEST(ProtectedWays, NoLoadWaitsForAWay) {
  for (const Settings& settings : {organisations[0], organisations[1]}) {
    const gen::Config config = gen::load_config("l1d", settings);
    SCOPED_TRACE(config.top);
    const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : 250'000});
    ASSERT_EQ(run.status, 0) << run.report.dump(1);
    EXPECT_GT(run.report["counters"]["bypasses_protected"], 1000);
    EXPECT_EQ(run.report["counters"]["bypasses_protected"], run.report["counters"]["bypasses"]);
    for (const char* event :
         {"bypass of a set all protected", "bypass of a set part reserved, part protected",
          "a load beside a fill of its set", "a poisoned fill",
          "bypass for want of an open way, with the miss queue full", "poisoned entry refuses a load"})
      EXPECT_GT(run.report["coverage"]["counts"].value(event, 0), 0) << event;
  }
}

// Ways of one set that find their lines: protected ones stay, for any number of requests to others.
TEST(ProtectedWays, ALineIsGivenUpWhenItsDistanceIsOver) {
  hw::L1dParams p;
  p.bypass.kind = hw::BypassKind::protection_distance;
  verif::CaseBench bench(p);
  for (std::uint64_t i = 0; i < 4; ++i) bench.bring(i * 4096);  // distances 1 2 3 4
  const auto load = [&](std::uint32_t id, std::uint64_t line) {
    bench.load(id, line * 4096, 1);
    bench.tick(8);
  };
  load(1, 7);
  EXPECT_EQ(bench.cache.counters().bypasses_protected, 1u);
  EXPECT_EQ(bench.cache.counters().reservation_fail_line, 0u);
  load(2, 8);
  EXPECT_EQ(bench.cache.counters().bypasses_protected, 1u) << "the oldest line is open";
  EXPECT_EQ(bench.cache.counters().misses, 5u);
}

// Untimed: a distance is set at the miss. Sets have 4 ways, and lines of a set are 1 KiB apart.
TEST(ProtectedWays, UntimedLists) {
  const gen::TempDir work("protected");
  const auto line = [](int n) { return fmt::format("L {:x} 1\n", n * 4096); };
  const auto dump = [&](const std::string& distance, const std::vector<int>& lines) {
    std::string list;
    for (const int n : lines) list += line(n);
    gen::write_file_atomically(work / "list.txt", list);
    const gen::Finished done = verif::l1forge(
        {"explore", "l1d", "--requests", "list.txt", "--dump", "-", "-s", "bypass.kind=protection_distance",
         "-s", "bypass.protection_distance.distance=" + distance},
        work.path());
    EXPECT_EQ(done.status, 0) << done.output;
    return done.output;
  };
  EXPECT_EQ(dump("3", {0, 1, 2, 3, 4, 5, 6, 7}), "MMMMMMMM") << "fewer than the ways";
  EXPECT_EQ(dump("4", {0, 1, 2, 3, 4, 5, 6, 7}), "MMMMBMMM");
  EXPECT_EQ(dump("4", {0, 1, 2, 3, 0, 4, 5, 0}), "MMMMHBMH");
  EXPECT_EQ(dump("255", {0, 1, 2, 3, 4, 4, 0, 9}), "MMMMBBHB");
}

TEST(ProtectedWays, UntimedStoresOpenWays) {
  hw::L1dParams p = params_of({"bypass.kind=protection_distance", "bypass.protection_distance.distance=200"});
  const auto load = [](std::uint64_t n) { return golden::Request{.mask = 1, .address = n * 4096}; };
  const golden::Request store{.kind = golden::RequestKind::store, .mask = 1, .address = 4096};
  EXPECT_EQ(letters(*golden::FunctionalL1d::make(p),
                    {load(0), load(1), load(2), load(3), load(4), store, load(4), load(5)}),
            "MMMMBsMB");
  p = params_of({"bypass.kind=protection_distance", "bypass.protection_distance.distance=200",
                 "tags.kind=sectored", "tags.store_scope=mask"});
  golden::Request two = load(1);
  two.mask = 3;
  EXPECT_EQ(letters(*golden::FunctionalL1d::make(p), {load(0), two, load(2), load(3), store, load(4)}),
            "MMMMsB")
      << "a chunk of the line is left";
}

TEST(ProtectedWays, OtherTagsAreRefused) {
  for (const char* tags : {"split", "reuse_filter", "decoupled"}) {
    std::string words;
    try {
      gen::elaborate(
          gen::load_config("l1d", {"bypass.kind=protection_distance", std::string("tags.kind=") + tags}));
    } catch (const gen::ConfigError& e) {
      words = e.what();
    }
    EXPECT_EQ(words, std::string("-s bypass.kind=protection_distance: bypass.kind = protection_distance: "
                                 "protects lines that have a way and an order of their own, which ") +
                         tags + " tags have not; use conventional or sectored tags, or another bypass.kind");
  }
}

TEST(ProtectedWays, StoresWhatTheSpecificationCounts) {
  const auto bits = [](const Settings& settings) {
    return gen::published_bits(gen::elaborate(gen::load_config("l1d", settings)).accounts);
  };
  EXPECT_EQ(bits({"bypass.kind=protection_distance"}) - bits({}), 384);
}

const verif::Fault faults[] = {
    {"open_ways_are_not_asked_for", "", "tags.open_ways", "", verif::stuck(15)},
    {"empty_ways_may_be_closed", "_tags", "open_invalid", "open_ways", verif::high()},
    {"no_load_bypasses", "", "bypass", "none_open", verif::low()},
    {"fails_count_down", "", "protection.accept", "", verif::high()},
    {"bypasses_do_not_count_down", "", "protection.accept", "", verif::other("touch")},
    {"poisoned_fills_protect", "", "protection.fill", "", verif::other("fill")},
    {"fills_of_the_probe", "", "protection.fill_way", "", verif::other("way")},
    {"a_flush_keeps_distances", "", "protection.flush", "", verif::low()},
    {"a_store_keeps_the_distance", "", "protection.kill", "", verif::low()},
    {"a_store_of_a_chunk_opens_the_way", "", "protection.kill", "match_valid", verif::low()},
    {"reserved_ways_are_renewed", "", "protection.reserved", "", verif::low()},
    {"the_next_set_is_not_read", "_protection", "other_set", "", verif::low()},
    {"the_next_set_misses_a_fill", "_protection", "fill_there", "", verif::low()},
    {"the_probes_set_misses_a_fill", "_protection", "fill_here", "", verif::low()},
    {"the_probes_set_misses_a_load", "_protection", "loads", "", verif::low()},
    {"the_row_outlives_a_store", "_row", "loaded", "kill", verif::low()},
    {"the_row_outlives_a_flush", "_row", "behind", "flush", verif::low()},
    {"the_next_set_misses_a_row_on_its_way", "_protection", "late_there", "", verif::low()},
    {"rows_of_stores_are_not_written", "_protection", "late_q", "kill", verif::low()},
    {"partial_lines_are_no_match", "", "way_matches", "|way_match", verif::low()}};

TEST(ProtectedWays, EveryBrokenCopyIsFound) { verif::expect_all_found("l1d", organisations[2], faults); }

}  // namespace
