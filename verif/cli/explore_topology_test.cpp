// `l1forge explore` of topologies: who serves each request, figures worked out by hand, traces with and
// without time, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "golden/cache/l1d_types.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/topology/topology_environment.h"
#include "verif/trace/trace_bytes.h"
#include "verif/tree.h"

namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

const std::string streamcluster = verif::in_source("verif/traces/streamcluster_two_launches.rec.xz");

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

json runs_of(const Arguments& arguments) {
  return json::parse(output(arguments + Arguments{"--json", "-"}))["runs"];
}

const Arguments eight{"-s", "topology.cores=8",  "-s", "topology.nodes=4",
                      "-s", "topology.slices=4", "-s", "topology.clusters=2"};

// A file for each kind, to compare them in one run.
Arguments kinds(const verif::TempFolder& folder, const Arguments& names) {
  Arguments files;
  for (const std::string& kind : names)
    files.push_back(
        folder.write(kind + ".toml", "preset = \"dc_l1\"\n[topology]\nkind = \"" + kind + "\"\n"));
  return files;
}

TEST(ExploreTopologyList, DumpSaysWhoServes) {
  const verif::TempFolder folder;
  const std::string list = folder.write("list", verif::environment_requests), dump = folder.path("dump");
  for (const verif::EnvironmentAnswer& want : verif::environment_answers) {
    const Arguments run =
        Arguments{"dc_l1", "--requests", list, "-s", std::string("topology.kind=") + want.kind} + eight;
    EXPECT_EQ(output(run + Arguments{"--dump", "-"}), want.dump) << want.kind;
    output(run + Arguments{"--dump", dump});
    EXPECT_EQ(gen::read_file(dump), want.dump) << want.kind;
  }
}

// A flush empties every cache and has no line in the dump.
TEST(ExploreTopologyList, FlushesEmptyEveryCache) {
  const verif::TempFolder folder;
  const std::string list =
      folder.write("list", "F\n0 L 80 1\n0 L 80 1\n5 L 80 1\nF\n0 L 80 1\n5 L 80 1\nF\n");
  const std::string dump = folder.path("dump");
  output(Arguments{"dc_l1", "-s", "topology.kind=baseline", "--requests", list, "--dump", dump} + eight);
  EXPECT_EQ(gen::read_file(dump), "0 -1 0 M\n0 -1 -1 H\n5 -1 0 M\n0 -1 0 M\n5 -1 0 M\n");
}

TEST(ExploreTopologyList, FiguresOfSeveralSideBySide) {
  const verif::TempFolder folder;
  const std::string list = folder.write("list", verif::environment_requests);
  Arguments names;
  for (const verif::EnvironmentAnswer& want : verif::environment_answers) names.emplace_back(want.kind);
  const json runs = runs_of(kinds(folder, names) + Arguments{"--requests", list} + eight);
  ASSERT_EQ(runs.size(), verif::environment_answers.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const verif::EnvironmentAnswer& want = verif::environment_answers[i];
    const json& run = runs[i];
    EXPECT_EQ(run["topology"]["kind"], want.kind);
    EXPECT_EQ(run["topology"]["cores"], 8);
    EXPECT_EQ(run["accesses"], 12);
    EXPECT_EQ(run["loads"], 9);
    EXPECT_EQ(run["hits"], want.hits) << want.kind;
    EXPECT_EQ(run["misses"], want.misses) << want.kind;
    EXPECT_EQ(run["store_invalidations"], want.store_invalidations) << want.kind;
    EXPECT_DOUBLE_EQ(run["mean_replicas"], want.replicas) << want.kind;
    EXPECT_DOUBLE_EQ(run["replication_ratio"], double(want.foreign) / want.misses) << want.kind;
    EXPECT_EQ(run["slice_requests"], json(want.slice_requests)) << want.kind;
    for (const auto& [name, counter] : golden::counter_names) EXPECT_TRUE(run.contains(name)) << name;
  }
  EXPECT_EQ(runs[0]["per_core"].size(), 8u);
  EXPECT_EQ(runs[3]["per_node"].size(), 4u);
  EXPECT_EQ(runs[3]["per_node"][3]["misses"], 2);  // core 4's two of line 300
  EXPECT_EQ(runs[3]["per_node"][3]["atomics"], 1);
}

// Nine loads in 64 sets: with private nodes six of set 0 and three of set 6; where the home is cut from the
// address both lines are in set 0.
TEST(ExploreTopologyList, TableOfTwoKinds) {
  const verif::TempFolder folder;
  folder.write("list", verif::environment_requests);
  EXPECT_EQ(output(kinds(folder, {"private_nodes", "shared_nodes"}) +
                   Arguments{"--requests", folder.path("list")} + eight),
            "untimed: requests in the order of the list, every fill immediate\n"
            "trace  configuration  loads  hit %  miss %  partial %  packets  KiB down  KiB up  sets' cv  "
            "replicas  elsewhere %\n"
            "list   private_nodes      9  44.44   55.56       0.00        8       0.2     0.8     5.878      "
            "1.00        60.00\n"
            "list   shared_nodes       9  55.56   44.44       0.00        7       0.1     0.7     7.937      "
            "0.00         0.00\n");
}

// Four CTAs of one warp, one for each of cores 0 to 3, load line 0 in the same round; cores 0 and 1 have a
// node, 2 and 3 the next.
TEST(ExploreTopologyTrace, CtasAreDealtToTheCores) {
  const verif::TempFolder folder;
  std::string records;
  for (std::uint32_t cta = 0; cta < 4; ++cta) records += verif::bytes(verif::load(cta, 0, {0}));
  const std::string trace = folder.write("four.rec", records);
  const json runs = runs_of(kinds(folder, {"baseline", "private_nodes", "shared_nodes"}) +
                            Arguments{"--trace", trace} + eight);
  ASSERT_EQ(runs.size(), 3u);
  const std::vector<int> misses{4, 2, 1};
  const std::vector<double> replicas{3, 1, 0};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i]["loads"], 4);
    EXPECT_EQ(runs[i]["misses"], misses[i]);
    EXPECT_EQ(runs[i]["mean_replicas"], replicas[i]);
    EXPECT_EQ(runs[i]["instructions"], 4);
    EXPECT_EQ(runs[i]["slice_requests"][0], misses[i]);
  }
  EXPECT_EQ(runs[0]["per_core"][3]["misses"], 1);
  EXPECT_EQ(runs[1]["per_node"][1]["hits"], 1);
}

// As the untimed ones do: with LRU, a cluster for each node is PrY, one cluster is ShY.
TEST(ExploreTopologyTrace, SpecialCasesAgree) {
  const verif::TempFolder folder;
  const auto figures = [&](const std::string& kind, const std::string& clusters) {
    return runs_of({"dc_l1", "-s", "topology.kind=" + kind, "-s", "topology.cores=8", "-s",
                    "topology.nodes=4", "-s", "topology.slices=4", "-s", "topology.clusters=" + clusters,
                    "--trace", streamcluster})[0];
  };
  const json clusters = figures("clustered", "4"), cluster = figures("clustered", "1");
  EXPECT_EQ(clusters["per_node"], figures("private_nodes", "2")["per_node"]);
  EXPECT_EQ(cluster["per_node"], figures("shared_nodes", "2")["per_node"]);
  EXPECT_EQ(clusters["flushes"], 4);  // of each node, between the two launches
}

// Accepted in cycle 0; in front of Q1 in 4; probed in 5; in Q3 in 7, in front of it in 8; at the slice in 12.
// Four chunks move in 12 to 15, the first flit of the reply leaves in 115 and the last in 118; the fill is in
// front of Q4 in 122 and answered in 125; the one flit leaves Q2 in 126 and is at the core in 130, the 131st
// cycle. A sectored cache fetches one chunk: six cycles less. The Verilog takes as long.
TEST(ExploreTopologyTimed, CyclesOfASingleLoad) {
  const verif::TempFolder folder;
  const std::string trace = folder.write("one.rec", verif::bytes(verif::load(0, 0, {0x1000})));
  const Arguments two{"dc_l1",
                      "--trace",
                      trace,
                      "-s",
                      "topology.cores=2",
                      "-s",
                      "topology.nodes=2",
                      "-s",
                      "topology.slices=2",
                      "-s",
                      "topology.clusters=1"};
  const json run = runs_of(two + Arguments{"--timed"})[0];
  EXPECT_EQ(run["cycles"], 131);
  EXPECT_EQ(run["misses"], 1);
  EXPECT_EQ(run["instructions"], 1);
  EXPECT_EQ(run["slice_requests"], json({1, 0}));
  // The core's request and its reply of one sector; the fetch and its four.
  EXPECT_EQ(run["networks"], json::parse(R"([
    {"crossbars": 1, "inputs": 2, "outputs": 2, "flits": 1},
    {"crossbars": 1, "inputs": 2, "outputs": 2, "flits": 1},
    {"crossbars": 2, "inputs": 1, "outputs": 1, "flits": 1},
    {"crossbars": 2, "inputs": 1, "outputs": 1, "flits": 4}
  ])"));
  const auto cosim = verif::l1forge(Arguments{"cosim", "--json", "-"} + two);
  ASSERT_EQ(cosim.status, 0) << cosim.output;
  EXPECT_EQ(json::parse(cosim.output)["traces"][0]["cycles"], 131);
  // From a memory 400 cycles away that moves two chunks a cycle.
  const Arguments far = two + Arguments{"--memory-latency", "400", "--memory-bandwidth", "64"};
  EXPECT_EQ(runs_of(far + Arguments{"--timed"})[0]["cycles"], 131 + 300 - 2);
  const auto far_cosim = verif::l1forge(Arguments{"cosim", "--json", "-"} + far);
  ASSERT_EQ(far_cosim.status, 0) << far_cosim.output;
  EXPECT_EQ(json::parse(far_cosim.output)["traces"][0]["cycles"], 131 + 300 - 2);
  EXPECT_EQ(json::parse(far_cosim.output)["traces"][0]["miss_rate"], 1.0);
  // Two launches of a kernel, with a flush between: every counter of every cache.
  const Arguments kernel = two + Arguments{"--trace", streamcluster};
  const json golden = runs_of(kernel + Arguments{"--timed"})[1];
  const auto again = verif::l1forge(Arguments{"cosim", "--json", "-"} + kernel);
  ASSERT_EQ(again.status, 0) << again.output;
  const json verilog = json::parse(again.output)["traces"][1];
  EXPECT_EQ(golden["cycles"], verilog["cycles"]);
  EXPECT_EQ(golden["mean_replicas"], verilog["mean_replicas"]);
  EXPECT_EQ(golden["networks"], verilog["networks"]);
  for (std::size_t n = 0; n < 2; ++n)
    for (const auto& [name, count] : verilog["caches"][n]["counters"].items())
      EXPECT_EQ(golden["per_node"][n][name], count) << name;
}

TEST(ExploreTopologyRefuses, WhatItCannotDo) {
  const verif::TempFolder folder;
  const std::string list = folder.write("list", "8 L 0 1\n"), without = folder.write("without", "L 0 1\n");
  const auto refusal = [](const Arguments& arguments) { return output(arguments, 2); };
  EXPECT_EQ(refusal(Arguments{"dc_l1", "--requests", list} + eight),
            "l1forge: " + list + ":1:1: core is 8, must be below 8\n");
  EXPECT_THAT(refusal(Arguments{"dc_l1", "--requests", without} + eight),
              HasSubstr(without + ": this list of requests names no cores"));
  EXPECT_EQ(refusal({"dc_l1", "l1d", "--requests", list}),
            "l1forge: l1d: a cache and a topology do not run side by side; compare topologies with "
            "topology.kind = \"baseline\"\n");
  EXPECT_EQ(refusal({"dc_l1", "--trace", streamcluster, "--sms", "2"}),
            "l1forge: --sms: dc_l1 has 80 cores; use topology.cores\n");
  EXPECT_EQ(refusal({"dc_l1", "--trace", "-", "--timed"}),
            "l1forge: --trace -: a timed run of a topology reads files, not standard input\n");
  EXPECT_THAT(refusal({"dc_l1", "-s", "topology.nodes=30", "--requests", list}),
              HasSubstr("must divide the 80 cores"));
}

}  // namespace
