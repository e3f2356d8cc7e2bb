// `l1forge explore`: figures worked out by hand, what a run leaves behind, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "golden/cache/l1d_types.h"
#include "verif/cli/chart_reader.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"
#include "verif/tree.h"

namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Arguments = std::vector<std::string>;

const std::string bundled = verif::in_source("verif/traces/");
const std::string atax = bundled + "atax256_first_warps.rec.xz";
const std::string streamcluster = bundled + "streamcluster_two_launches.rec.xz";

// Two ways, four sets: lines 0, 200 and 400 share set 0, line 80 is in set 1.
const Arguments small = {"-s", "geometry.capacity_bytes=1024", "-s", "geometry.ways=2"};
const std::string list =
    "L 0 1\nL 0 3 5 17\nL 200 f\nL 0 1\nL 400 1\nS 0 3\nL 0 2\nA 400 1\nN 80 f\nS 80 1\nL 80 4\nL 80 8\n";

std::string output(Arguments arguments, int status = 0) {
  arguments.insert(arguments.begin(), "explore");
  const auto run = verif::l1forge(arguments);
  EXPECT_EQ(run.status, status) << run.output;
  return run.output;
}

Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

json first_run(const Arguments& arguments) {
  return json::parse(output(arguments + Arguments{"--json", "-"}))["runs"][0];
}

TEST(ExploreList, EveryFigureOfAConventionalCache) {
  const verif::TempFolder folder;
  const json run = first_run(Arguments{"l1d", "--requests", folder.write("list", list)} + small);
  const json expected = {
      {"configuration", "l1d"},
      {"preset", "l1d"},
      {"top", "l1d_z1024_w2"},
      {"requests", folder.path("list")},
      {"mode", "untimed"},
      {"sms", 1},
      {"accesses", 12},
      {"loads", 8},
      {"stores", 2},
      {"atomics", 1},
      {"non_l1", 1},
      {"hits", 3},
      {"hit_pending", 0},
      {"partial_misses", 0},
      {"misses", 5},
      {"bypasses", 0},
      {"bypasses_load", 0},
      {"bypasses_stall", 0},
      {"bypasses_protected", 0},
      {"requests_down", 5},
      {"chunks_requested", 20},
      {"fills", 5},
      {"evicted_lines", 1},
      {"evicted_chunks", 4},
      {"store_invalidations", 2},
      {"store_updates", 0},
      {"doomed", 0},
      {"flushes", 0},
      {"reservation_fail_line", 0},
      {"reservation_fail_mshr", 0},
      {"reservation_fail_merge", 0},
      {"reservation_fail_queue", 0},
      {"set_loads", {6, 2, 0, 0}},
      {"hit_rate", 0.375},
      {"miss_rate", 0.625},
      // Nine messages of 8 bytes each way; down 3 chunks of stores and one of the atomic, up 20 of fills, one
      // of the atomic and four past the L1.
      {"traffic", {{"packets_down", 9}, {"bytes_down", 200}, {"packets_up", 9}, {"bytes_up", 872}}},
      {"set_load_distribution",
       {{"min", 0}, {"mean", 2.0}, {"max", 6}, {"coefficient_of_variation", std::sqrt(6.0) / 2}}},
      // Line 400 lost one used chunk to the atomic, line 0 two to the store, line 200 all four to
      // replacement.
      {"chunk_use", {0, 1, 1, 0, 1}}};
  EXPECT_EQ(run, expected) << json::diff(run, expected).dump(1);
}

TEST(ExploreList, EveryFigureOfASectoredCache) {
  const verif::TempFolder folder;
  json run = first_run(Arguments{"l1d_sectored", "--requests", folder.write("list", list)} + small);
  const json expected = {
      {"accesses", 12},
      {"loads", 8},
      {"hits", 1},
      {"partial_misses", 1},
      {"misses", 6},
      {"requests_down", 7},
      {"chunks_requested", 10},
      {"fills", 7},
      {"evicted_lines", 1},
      {"evicted_chunks", 4},
      {"store_invalidations", 2},
      {"store_updates", 0},
      {"set_loads", {6, 2, 0, 0}},
      {"hit_rate", 0.125},
      {"miss_rate", 0.875},
      {"traffic", {{"packets_down", 11}, {"bytes_down", 216}, {"packets_up", 11}, {"bytes_up", 568}}},
      {"chunk_use", {0, 1, 1, 0, 1}}};
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(run[key], value) << key;
}

TEST(ExploreList, DumpIsOneCharacterARequest) {
  const verif::TempFolder folder;
  const std::string path = folder.write("list", list), dump = folder.path("dump");
  EXPECT_EQ(output(Arguments{"l1d", "--requests", path, "--dump", "-"} + small), "MHMHMsMansMH");
  EXPECT_THAT(output(Arguments{"l1d_sectored", "--requests", path, "--dump", dump} + small),
              HasSubstr("12.50"));
  EXPECT_EQ(gen::read_file(dump), "MPMHMsMansMM");
  folder.write("list.xz", verif::xz(list));
  EXPECT_EQ(output(Arguments{"l1d", "--requests", folder.path("list.xz"), "--dump", "-"} + small),
            "MHMHMsMansMH");
}

// Two loads to one set and one to another, of 32 or 16: cv = sqrt(5 / 32 - (3 / 32)^2) / (3 / 32).
TEST(ExploreList, TableOfSeveralGeometries) {
  const verif::TempFolder folder;
  folder.write("wide.toml", "[geometry]\nline_bytes = 256\n");
  folder.write("random.toml", "[tags]\nreplacement = \"random\"\n");
  folder.write("list", "L 0 f\nL 100 f\nL 0 f\n");
  EXPECT_EQ(output({"l1d", folder.path("wide.toml"), folder.path("random.toml"), "--requests",
                    folder.path("list")}),
            "untimed: requests in the order of the list, every fill immediate\n"
            "trace  configuration  loads  hit %  miss %  partial %  packets  KiB down  KiB up  sets' cv\n"
            "list   l1d                3  33.33   66.67       0.00        2       0.0     0.3     4.096\n"
            "list   wide               3  33.33   66.67       0.00        2       0.0     0.5     2.809\n"
            "list   random             3  33.33   66.67       0.00        2       0.0     0.3     4.096\n");
}

TEST(ExploreTrace, CyclesOfASingleLoad) {
  const verif::TempFolder folder;
  const std::string path = folder.write("one.rec", verif::bytes(verif::load(0, 0, {0x1000})));
  // Accepted in cycle 0, probed in 1, on memory_request in 3; four chunks move in 3 to 6, the fill comes in
  // 106, its MSHR target stands in the replay stage in 108 and is answered in 109, the 110th cycle.
  const json run = first_run({"l1d", "--trace", path, "--timed"});
  EXPECT_EQ(run["cycles"], 110);
  EXPECT_EQ(run["misses"], 1);
  EXPECT_EQ(run["reservation_fails"], 0);
  EXPECT_EQ(run["instructions"], 1);
  EXPECT_EQ(run["loads_by_degree"], json::parse(R"([{"degree":1,"loads":1,"all_hits":0,"cycles":109}])"));
  EXPECT_EQ(run["latency"]["others"], json::parse(R"({"loads":1,"median":109,"percentile_99":109})"));
  // One chunk moves in cycle 3.
  EXPECT_EQ(first_run({"l1d_sectored", "--trace", path, "--timed"})["cycles"], 107);
}

// The second load of each width hits with all its requests, but for one whose second line was never loaded.
TEST(ExploreTrace, LoadsByDegree) {
  const verif::TempFolder folder;
  std::string records;
  for (const auto& lines : std::vector<std::vector<std::uint32_t>>{
           {0x1000, 0x2000}, {0x1000, 0x2000}, {0x1000, 0x3000}, {0x3000}, {0x1000, 0x2000, 0x3000}})
    records += verif::bytes(verif::load(0, 0, lines));
  const json run = first_run({"l1d", "--trace", folder.write("widths.rec", records), "--timed"});
  ASSERT_EQ(run["loads_by_degree"].size(), 3u);
  const int figures[][3] = {{1, 1, 1}, {2, 3, 1}, {3, 1, 1}};
  for (std::size_t n = 0; n < 3; ++n) {
    const json& of = run["loads_by_degree"][n];
    EXPECT_EQ(of["degree"], figures[n][0]);
    EXPECT_EQ(of["loads"], figures[n][1]);
    EXPECT_EQ(of["all_hits"], figures[n][2]);
  }
  EXPECT_EQ(run["latency"]["hits"], json::parse(R"({"loads":7,"median":2,"percentile_99":2})"));
  EXPECT_EQ(run["latency"]["others"]["loads"], 3);
  EXPECT_GT(run["loads_by_degree"][1]["cycles"], 200) << "two of three wait for memory";
}

TEST(ExploreTrace, TimedUnlessTheFastOneIsAskedFor) {
  const verif::TempFolder folder;
  const Arguments run = {"l1d", "--trace",
                         folder.write("one.rec", verif::bytes(verif::load(0, 0, {0x1000})))};
  EXPECT_EQ(first_run(run), first_run(run + Arguments{"--timed"}));
  EXPECT_EQ(first_run(run)["mode"], "timed");
  EXPECT_EQ(first_run(run + Arguments{"--untimed"})["mode"], "untimed");
  EXPECT_THAT(output(run),
              StartsWith("timed, gto: cycle by cycle, with a memory of 100 cycles and 32 bytes a "
                         "cycle below each cache\ntrace "));
  EXPECT_THAT(output(run + Arguments{"--untimed", "--scheduler", "lrr"}),
              StartsWith("untimed, lrr: every fill immediate, a load that misses holds its warp for 100 more "
                         "requests; without --untimed for cycles\ntrace "));
  EXPECT_THAT(output(run + Arguments{"--timed", "--untimed"}, 2),
              AllOf(HasSubstr("--timed"), HasSubstr("--untimed")));
  const std::string list = folder.write("list", "L 0 1\n");
  EXPECT_EQ(first_run({"l1d", "--untimed", "--requests", list})["mode"], "untimed");
}

// Warps that each read 32 lines, word by word, as kmeans does: on hardware the first one fills the MSHR file
// and keeps its lines, untimed the other warps drive them out.
TEST(ExploreTrace, UntimedRunsWarnWhereLoadsAreWide) {
  const verif::TempFolder folder;
  const auto walk = [&](const std::string& name, std::uint32_t lines) {
    std::string records;
    for (std::uint32_t word = 0; word < 8; ++word)
      for (std::uint32_t warp = 0; warp < 8; ++warp) {
        std::vector<std::uint32_t> words;
        for (std::uint32_t i = 0; i < lines; ++i) words.push_back(0x10000 + 4096 * warp + 128 * i + 4 * word);
        records += verif::bytes(verif::load(0, warp, words));
      }
    return folder.write(name, records);
  };
  const Arguments wide = {"l1d", "--trace", walk("wide.rec", 32)};
  const Arguments narrow = {"l1d", "--trace", walk("narrow.rec", 16)};
  const std::string warning =
      "warning: wide: a load asks for 32.0 lines on average, 100 % of them for more than 16: two do not fit "
      "into 32 MSHR entries, so that in hardware a GTO warp is served before another gets in; these rates "
      "may "
      "be far off, see the timed run\n";
  EXPECT_THAT(output(wide + Arguments{"--untimed"}), HasSubstr("for cycles\n" + warning + "trace "));
  const json untimed = first_run(wide + Arguments{"--untimed"});
  EXPECT_EQ(untimed["lines_per_load"], 32.0);
  EXPECT_EQ(untimed["wide_loads"], 64);
  EXPECT_GT(untimed["miss_rate"], 4 * first_run(wide)["miss_rate"].get<double>());
  EXPECT_THAT(output(wide + Arguments{"--untimed", "-s", "mshr.entries=64"}), Not(HasSubstr("warning")));
  for (const Arguments& quiet :
       {wide, wide + Arguments{"--untimed", "--scheduler", "lrr"}, narrow + Arguments{"--untimed"}})
    EXPECT_THAT(output(quiet), Not(HasSubstr("warning")));
  EXPECT_THAT(output({"dc_l1", "--trace", folder.path("wide.rec")}),
              AllOf(StartsWith("untimed, gto: "), HasSubstr("see --timed\n")));
}

// The Verilog under the same front end and memory: every counter and stall, and the cycles but for the one
// after the reset, in which co-simulation's first instruction issues.
TEST(ExploreTrace, TimedRunsAreThoseOfTheVerilog) {
  const auto cosim = verif::l1forge({"cosim", "l1d", "--trace", streamcluster, "--json", "-"});
  ASSERT_EQ(cosim.status, 0) << cosim.output;
  const json verilog = json::parse(cosim.output)["traces"][0];
  const json run = first_run({"l1d", "--trace", streamcluster, "--timed"});
  for (const auto& [name, count] : verilog["counters"].items()) EXPECT_EQ(run[name], count) << name;
  EXPECT_EQ(run["stalls"], verilog["stall_cycles"]);
  EXPECT_EQ(run["cycles"].get<int>() + 1, verilog["cycles"]);
}

TEST(ExploreTrace, StallsOfATimedRun) {
  const verif::TempFolder folder;
  // Sixteen lines of one warp with one slot in the miss queue: each waits for the one before to leave.
  std::vector<std::uint32_t> lines;
  for (std::uint32_t i = 0; i < 16; ++i) lines.push_back(0x1000 + 128 * i);
  const std::string path = folder.write("wide.rec", verif::bytes(verif::load(0, 0, lines)));
  const json run = first_run({"l1d", "--trace", path, "--timed", "-s", "mshr.miss_queue=1"});
  EXPECT_GE(run["reservation_fail_queue"], 15);
  EXPECT_EQ(run["reservation_fail_queue"], run["stalls"]["queue"]);
  EXPECT_EQ(run["reservation_fails"], run["reservation_fail_queue"]);
  EXPECT_EQ(run["sm_cycles"]["sending"], 16);
  EXPECT_EQ(run["requests_per_instruction"], 16.0);
}

TEST(ExploreTrace, ReplicasAndSmsByHand) {
  const verif::TempFolder folder;
  // Both CTAs load line 0, CTA 0 also line 80: three lines held, two of them different.
  const std::string path =
      folder.write("two.rec", verif::bytes(verif::load(0, 0, {0})) + verif::bytes(verif::load(0, 0, {0x80})) +
                                  verif::bytes(verif::load(1, 0, {0})));
  for (const Arguments& mode : {Arguments{"--untimed"}, Arguments{"--timed"}}) {
    const json run = first_run(Arguments{"l1d", "--trace", path, "--sms", "2"} + mode);
    EXPECT_EQ(run["mean_replicas"], 0.5);
    EXPECT_EQ(run["loads"], 3);
    EXPECT_EQ(run["per_sm"][0]["loads"], 2);
    EXPECT_EQ(run["per_sm"][1]["loads"], 1);
    EXPECT_EQ(run["per_sm"][1]["set_loads"][0], 1);
  }
}

// Row stride 16 KiB: the conventional index puts the 32 lines of a load into one set, the polynomial one into
// all.
TEST(ExploreTrace, PolynomialIndexSavesAtax) {
  const verif::TempFolder folder;
  folder.write("cvi.toml", "[index]\nkind = \"cvi\"\n");
  folder.write("pli.toml", "[index]\nkind = \"pli\"\n");
  for (const Arguments& mode : {Arguments{"--untimed"}, Arguments{"--timed"}}) {
    const json runs = json::parse(
        output(Arguments{folder.path("cvi.toml"), folder.path("pli.toml"), "--trace", atax, "--json", "-"} +
               mode))["runs"];
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_GT(runs[0]["miss_rate"], 0.98);
    EXPECT_LT(runs[1]["miss_rate"], 0.40);
    EXPECT_GT(runs[0]["set_load_distribution"]["coefficient_of_variation"], 2.0);
    EXPECT_LT(runs[1]["set_load_distribution"]["coefficient_of_variation"], 0.1);
  }
}

TEST(ExploreTrace, ThreadsChangeNothing) {
  const Arguments grid = {"l1d", "l1d_sectored", "--trace", atax, streamcluster, "--sms", "3", "--json", "-"};
  for (const Arguments& mode :
       {Arguments{"--untimed", "--scheduler", "lrr"}, Arguments{"--timed", "--scheduler", "two-level"}}) {
    const std::string serial = output(grid + mode + Arguments{"--threads", "1"});
    EXPECT_EQ(serial, output(grid + mode + Arguments{"--threads", "5"}));
    const json runs = json::parse(serial)["runs"];
    ASSERT_EQ(runs.size(), 4u);
    EXPECT_EQ(runs[1]["configuration"], "l1d_sectored");
    EXPECT_EQ(runs[1]["trace"], atax);
    EXPECT_EQ(runs[2]["configuration"], "l1d");
    EXPECT_EQ(runs[2]["trace"], streamcluster);
  }
}

TEST(ExploreTrace, EveryCounterIsThere) {
  for (const Arguments& mode : {Arguments{"--untimed"}, Arguments{"--timed"}}) {
    const json run =
        first_run(Arguments{"l1d_sectored", "--trace", streamcluster, "--scheduler", "lrr"} + mode);
    for (const auto& [name, counter] : golden::counter_names) EXPECT_TRUE(run.contains(name)) << name;
    EXPECT_EQ(run["flushes"], 1);  // between its two launches
    EXPECT_EQ(run["loads"], run["hits"].get<int>() + run["hit_pending"].get<int>() +
                                run["partial_misses"].get<int>() + run["misses"].get<int>());
  }
}

TEST(ExploreTrace, BuiltInKernelsByName) {
  const json run = first_run({"l1d", "--untimed", "--trace", "builtin:histogram?bytes=65536"});
  EXPECT_GT(run["loads"], 0);
  EXPECT_EQ(run["trace"], "builtin:histogram?bytes=65536");
}

TEST(ExploreReport, PagesStandAlone) {
  const verif::TempFolder folder;
  const std::string page = folder.path("a.html");
  const Arguments run = {"l1d", "l1d_sectored", "--trace", streamcluster, "--sms", "2"};
  EXPECT_THAT(output(run + Arguments{"--html", page, "--untimed"}), StartsWith("untimed, gto: "));
  const std::string html = gen::read_file(page);
  EXPECT_THAT(html,
              AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("miss rate"), HasSubstr("Loads of each set")));
  EXPECT_THAT(verif::without_library(html), AllOf(Not(HasSubstr("src=")), Not(HasSubstr("href="))));
  EXPECT_THAT(folder.names(), testing::ElementsAre("a.html"));  // nothing half-written is left
  if (!verif::can_draw()) GTEST_SKIP() << verif::no_drawing;
  const std::string picture = folder.path("a.svg");
  EXPECT_THAT(output(run + Arguments{"--html", picture}), StartsWith("timed, gto: "));
  EXPECT_THAT(gen::read_file(picture),
              AllOf(StartsWith("<svg "), HasSubstr("cycles"), HasSubstr("Loads of each set")));
  EXPECT_THAT(folder.names(), testing::ElementsAre("a.html", "a.svg"));
}

TEST(ExploreRefuses, WhatItCannotDo) {
  const verif::TempFolder folder;
  const std::string requests = folder.write("list", list);
  const auto refusal = [](const Arguments& arguments) { return output(arguments, 2); };
  EXPECT_EQ(refusal({"index_pli", "--trace", atax}),
            "l1forge: index_pli: index_pli is not a cache; explore needs caches, such as l1d, or topologies, "
            "such as dc_l1\n");
  EXPECT_EQ(refusal({"l1d"}),
            "l1forge: explore: takes traces (--trace FILE...) or a request list (--requests FILE)\n");
  EXPECT_EQ(refusal({"l1d", "--trace", folder.path("none")}),
            "l1forge: " + folder.path("none") + ": cannot open: No such file or directory\n");
  EXPECT_EQ(refusal({"l1d", "--trace", atax, "--dump", "x"}),
            "l1forge: --dump: needs a request list (--requests FILE)\n");
  EXPECT_EQ(refusal({"l1d", "l1d_sectored", "--requests", requests, "--dump", "-"}),
            "l1forge: --dump: takes one configuration, 2 are given\n");
  EXPECT_EQ(refusal({"l1d", "--requests", requests, "--timed"}),
            "l1forge: --timed: needs traces; a request list has no time\n");
  EXPECT_EQ(refusal({"l1d", "--requests", requests, "--sms", "2"}),
            "l1forge: --sms: a request list drives one cache, needs traces\n");
  EXPECT_EQ(refusal({"l1d", "l1d_sectored", "--trace", "-"}),
            "l1forge: standard input: can be read once, but is needed 2 times\n");
  EXPECT_THAT(refusal({"l1d", "--requests", requests, "--json", folder.path("no/such/folder.json")}),
              HasSubstr("folder.json"));
  EXPECT_THAT(refusal({"l1d", "-s", "geometry.ways=5", "--requests", requests}), HasSubstr("geometry"));
  EXPECT_THAT(refusal({"l1d", "--requests", folder.write("bad", "L 0 1\nL 7 1\n")}), HasSubstr("bad:2:3: "));
  EXPECT_THAT(refusal({"l1d", "--trace", atax, "--scheduler", "fifo"}), HasSubstr("--scheduler"));
  EXPECT_THAT(refusal({"l1d", "--trace", atax, "--sms", "0"}), HasSubstr("--sms"));
  EXPECT_THAT(refusal({"l1d", "--trace", atax, "-s", "geometry.address_bits=20"}),
              AllOf(HasSubstr("has more than the cache's 20 bits"), Not(HasSubstr("\n\n"))));
}

}  // namespace
