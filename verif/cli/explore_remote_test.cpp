// `l1forge explore` of cores that search each other's L1s: who serves each request of a list, figures worked
// out by hand, traces, and what is refused.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

Arguments remote(const Arguments& more, const Arguments& settings = {}) {
  Arguments all{"explore", "shared_l1", "-s", "topology.kind=remote", "-s", "mesh.vcs=1"};
  all.insert(all.end(), more.begin(), more.end());
  for (const std::string& setting : settings) all.insert(all.end(), {"-s", setting});
  return all;
}

}  // namespace

// Core 0's first list is 8 21 25 14 26. What it has stored to it asks L2 for; a flush forgets that, too.
TEST(ExploreRemote, ListOfRequests) {
  const verif::TempFolder folder;
  const std::string list = folder.write("list",
                                        "26 L 1000 1\n0 L 1000 1\n0 L 1000 1\n0 S 1000 1\n0 L 1000 1\n"
                                        "0 A 1000 1\nF\n0 N 1000 1\n0 L 1000 1\n"),
                    figures = folder.path("json");
  const auto run = verif::l1forge(remote({"--requests", list, "--dump", "-", "--json", figures}));
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, "26 l 26 M\n0 p 26 M\n0 l 0 H\n0 s\n0 l 0 M\n0 a\nF\n0 n\n0 l 0 M\n");
  const json result = json::parse(folder.content("json"))["runs"][0];
  EXPECT_EQ(result["hits"], 1);
  const json& r = result["remote"];
  EXPECT_EQ(r["misses"], 4);
  EXPECT_EQ(r["filtered"], 1);
  EXPECT_EQ(r["by_leader"], 1);
  EXPECT_EQ(r["by_candidate"], 0);
  EXPECT_EQ(r["by_l2"], 3);
  EXPECT_EQ(r["shared"], 1);
  EXPECT_EQ(r["searches"], 3);
  EXPECT_EQ(r["shared_searches"], 1);
  EXPECT_DOUBLE_EQ(r["precision"], 1.0 / 3);
  EXPECT_EQ(r["recall"], 1);
  EXPECT_EQ(r["supplied"][26], 1);
  EXPECT_EQ(r["able"][26], 1);
  EXPECT_EQ(r["busiest_supplier"], 0);
  EXPECT_FALSE(r.contains("stale_loads"));
  EXPECT_EQ(result["slice_requests"][0], 6) << "all but the hit and core 26's line";
}

// Core 1 has the line as it was before core 0's store.
TEST(ExploreRemote, StaleLoadsWithoutTheGuard) {
  const verif::TempFolder folder;
  const std::string list =
      folder.write("list", "1 L 1000 1\n0 L 1000 1\n0 S 1000 1\n0 L 1000 1\n0 L 1000 1\n");
  const Arguments settings{"selector.kind=index", "predictor.kind=always", "remote.own_store_guard=false"};
  const auto dump = verif::l1forge(remote({"--requests", list, "--dump", "-"}, settings));
  EXPECT_EQ(dump.output, "1 l 1 M\n0 p 1 M\n0 s\n0 p 1 M\n0 l 0 H\n");
  const auto table = verif::l1forge(remote({"--requests", list}, settings));
  EXPECT_THAT(table.output, HasSubstr("cores %  precision %  recall %  probes  busiest  stale\n"));
  EXPECT_THAT(table.output, HasSubstr("50.00        66.67    100.00"));
  EXPECT_EQ(table.output.substr(table.output.size() - 3), " 2\n") << "the one that hits its copy is another";
}

// Two CTAs read the same lines, core 1 a request behind core 0, whose predictor learns that nobody has them:
// 32 of the first window of misses, 16 of the second one.
TEST(ExploreRemote, Traces) {
  const verif::TempFolder folder;
  std::string records;
  for (std::uint32_t cta = 0; cta < 2; ++cta)
    for (std::uint32_t n = 0; n < 60; ++n) records += verif::bytes(verif::load(cta, 0, {n * 128}));
  const auto run = verif::l1forge(remote({"--trace", folder.write("two.rec", records), "--json", "-"},
                                         {"topology.cores=2", "topology.slices=1", "mesh.width=2",
                                          "mesh.height=2", "mesh.memory_nodes=[0]", "remote.coverage=1"}));
  ASSERT_EQ(run.status, 0) << run.output;
  const json r = json::parse(run.output)["runs"][0]["remote"];
  EXPECT_EQ(r["misses"], 120);
  EXPECT_EQ(r["shared"], 60);
  EXPECT_EQ(r["supplied"], json({60, 0}));
  EXPECT_EQ(r["searches"], 60 + 32 + 16);
}

// Three CTAs read the same lines one after the other, the second and the third while the first has them.
TEST(ExploreRemote, TimedTraces) {
  const verif::TempFolder folder;
  std::string records;
  for (std::uint32_t cta = 0; cta < 3; ++cta)
    for (std::uint32_t n = 0; n < 60; ++n) records += verif::bytes(verif::load(cta, 0, {n / 2 * 128}));
  const auto run = verif::l1forge(
      remote({"--timed", "--trace", folder.write("three.rec", records), "--json", "-"},
             {"topology.cores=3", "topology.slices=1", "mesh.width=2", "mesh.height=2",
              "mesh.memory_nodes=[0]", "remote.coverage=2", "remote.probability=1", "remote.probes=1"}));
  ASSERT_EQ(run.status, 0) << run.output;
  const json r = json::parse(run.output)["runs"][0]["remote"];
  EXPECT_EQ(r["misses"], 90);
  EXPECT_EQ(r["filtered"], 0);
  EXPECT_EQ(r["probes"], r["searches"]);
  EXPECT_EQ(r["by_candidate"], 0);
  EXPECT_EQ(r["by_leader"].get<int>() + r["by_l2"].get<int>(), 90);
  EXPECT_EQ(r["timed_out"], 0);
  EXPECT_EQ(r["dropped"], 0);
}
