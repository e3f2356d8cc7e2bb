// `l1forge explore` of shared L1s over a mesh: who serves each request of a list, what goes over which link,
// untimed and cycle by cycle, and the picture of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "verif/cli/chart_reader.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"

namespace {

using nlohmann::json;
using Arguments = std::vector<std::string>;

std::string output(Arguments arguments) {
  arguments.insert(arguments.begin(), "explore");
  const auto run = verif::l1forge(arguments);
  EXPECT_EQ(run.status, 0) << run.output;
  return run.output;
}

json run_of(Arguments arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  return json::parse(output(arguments))["runs"][0];
}

// The links of a network that something went over.
json used(const json& run, const char* network) {
  json links = json::array();
  for (const auto& link : run["links"][network])
    if (link["flits"] != 0) links.push_back({link["from"], link["to"], link["flits"]});
  return links;
}

// Two cores at nodes 0 and 1 of a mesh of four, the slice at node 3: line 1000 has core 1 as home, line 0
// core 0.
const Arguments two{"shared_l1",    "-s", "topology.cores=2", "-s", "topology.slices=1",    "-s",
                    "mesh.width=2", "-s", "mesh.height=2",    "-s", "mesh.memory_nodes=[3]"};

}  // namespace

// The sequence of the specification; a flush; a load to a home, one straight to its slice, and others.
TEST(ExploreShared, DumpSaysWhoServes) {
  const verif::TempFolder folder;
  const std::string list = folder.write(
      "list",
      "0 L 1c000 1\n0 L 1c080 1\n5 L 1c000 1\n1 S 1c000 1\n5 L 1c000 1\n5 L 5200 1\nF\n5 L 1c380 f\n"
      "27 L a5f00 3\n3 A 1c000 1\n3 N 1c000 1\n");
  EXPECT_EQ(output({"shared_l1", "--requests", list, "--dump", "-"}),
            "0 l 0 M\n0 l 0 M\n5 h 0 H\n1 s\n5 h 0 M\n5 l 5 M\nF\n5 h 0 M\n27 d 7 M\n3 a\n3 n\n");
}

// Core 5 is at node 6, its home core 0 at node 0, and slice 3 at node 12. A miss brings a line of four flits
// to the home, and one flit of it goes on; the second load hits there. Core 27, at node 35, asks slice 7, at
// node 32, for two chunks, past all L1s.
TEST(ExploreShared, FlitsOfLinksAndLoadsOfHomes) {
  const verif::TempFolder folder;
  const std::string list = folder.write("list", "5 L 1c380 1\n5 L 1c380 2\n27 L a5f00 3\n");
  const json run = run_of({"shared_l1", "--requests", list});
  EXPECT_EQ(used(run, "requests"), json::parse("[[0,6,1],[6,0,2],[6,12,1],[33,32,1],[34,33,1],[35,34,1]]"));
  EXPECT_EQ(used(run, "replies"), json::parse("[[0,6,2],[6,0,4],[12,6,4],[32,33,2],[33,34,2],[34,35,2]]"));
  EXPECT_EQ(run["homes"][0], json::parse(R"({"loads": 2, "hits": 1})"));
  EXPECT_EQ(run["direct"]["loads"], 1);
  EXPECT_EQ(run["loads"], 3) << "with that past the L1s";
  EXPECT_EQ(run["misses"], 1);
  EXPECT_EQ(run["bypasses"], 1);
  EXPECT_EQ(run["chunks_requested"], 4 + 2);
}

// A store carries a flit for each chunk, and its acknowledgement comes back through the home.
TEST(ExploreShared, FlitsOfStores) {
  const verif::TempFolder folder;
  Arguments arguments = two;
  arguments.insert(arguments.end(),
                   {"-s", "shared.min_home_l2=false", "--requests", folder.write("list", "0 S 1000 7\n")});
  const json run = run_of(arguments);
  EXPECT_EQ(used(run, "requests"), json::parse("[[0,1,3],[1,3,3]]"));
  EXPECT_EQ(used(run, "replies"), json::parse("[[1,0,1],[3,1,1]]"));
}

// As many flits cycle by cycle as untimed. The slice moves four chunks; the first of the four flits leaves
// 103 cycles after the request came, the last three steps of the mesh, of two cycles, later.
TEST(ExploreShared, TimedFlitsAndLatencies) {
  const verif::TempFolder folder;
  Arguments arguments = two;
  arguments.insert(arguments.end(), {"-s", "shared.min_home_l2=false", "--trace",
                                     folder.write("one.rec", verif::bytes(verif::load(0, 0, {0x1000})))});
  const json untimed = run_of(arguments);
  arguments.emplace_back("--timed");
  const json timed = run_of(arguments);
  EXPECT_EQ(timed["links"], untimed["links"]);
  EXPECT_EQ(timed["homes"], untimed["homes"]);
  EXPECT_EQ(timed["homes"][1]["loads"], 1);
  const json& latency = timed["latency"];
  EXPECT_EQ(latency["loads"]["cycles"].get<int>() + 1, timed["cycles"]);
  EXPECT_EQ(latency["at_slices"]["cycles"], 109);
  EXPECT_EQ(latency["home_trips"]["messages"], 1);
  EXPECT_GT(latency["at_homes"]["cycles"], latency["slice_trips"]["cycles"]);
  EXPECT_GT(latency["home_trips"]["cycles"], latency["at_homes"]["cycles"]);
  EXPECT_GT(latency["loads"]["cycles"], latency["home_trips"]["cycles"]);
  EXPECT_THAT(output(arguments), testing::HasSubstr("latency  to homes  at homes  to slices  at slices"));
}

TEST(ExploreShared, PictureOfLinksAndHomes) {
  const verif::TempFolder folder;
  const std::string list = folder.write("list", "5 L 1c380 1\n5 L 1c380 2\n"), page = folder.path("map.html");
  output({"shared_l1", "--requests", list, "--html", page});
  const auto charts = verif::charts_of(folder.content("map.html"));
  ASSERT_EQ(charts[0].title, "Mesh: list, shared_l1");
  std::map<std::string, int> links;
  for (const auto& link : charts[0].spec["layer"][0]["data"]["values"]) links[link["link"]] = link["flits"];
  EXPECT_EQ(links.size(), 2 * 2 * 6 * 5) << "both ways";
  EXPECT_EQ(links.at("6 to 0"), 6) << "the most: two requests and a line";
  EXPECT_EQ(links.at("7 to 6"), 0);
  std::map<std::string, json> nodes;
  for (const auto& node : charts[0].spec["layer"][1]["data"]["values"]) nodes[node["node"]] = node;
  EXPECT_EQ(nodes.size(), 36u);
  EXPECT_EQ(nodes.at("core 0: 1 of 2 loads of others hit")["hits"], 1);
  EXPECT_FALSE(nodes.at("slice 3: 1 requests").contains("hits"));
}
