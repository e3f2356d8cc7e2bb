// The table of network areas of the DC-L1 thesis: its columns by hand, and parts that add up to a whole.
#include "gen/area/thesis_networks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hw/topology/topology_params.h"

namespace {

long percent(double of, double beside) { return std::lround(100 * (of / beside - 1)); }

}  // namespace

// Baseline: 80 x 32 = 2,560 crosspoints, 112 ports. Sh40+C10: ten 8x4 and four 10x8 are 640 and 192.
TEST(ThesisNetworks, CrosspointsAndModelByHand) {
  const gen::ThesisNetworks networks = gen::thesis_topologies({});
  EXPECT_EQ(networks.baseline.crosspoints, 2560);
  EXPECT_EQ(networks.baseline.ports, 112);
  EXPECT_EQ(networks.rows[5].area.name, "Sh40+C10");
  EXPECT_EQ(networks.rows[5].area.crosspoints, 640);
  EXPECT_EQ(networks.rows[5].area.ports, 192);
  EXPECT_DOUBLE_EQ(networks.rows[5].area.model(), 640 + 4.6 * 192);
  std::vector<long> crosspoints, model, published;
  for (const gen::ThesisRow& row : networks.rows) {
    crosspoints.push_back(percent(row.area.crosspoints, networks.baseline.crosspoints));
    model.push_back(percent(row.area.model(), networks.baseline.model()));
    published.push_back(row.published_percent);
  }
  EXPECT_EQ(crosspoints, (std::vector<long>{-47, -72, -84, 75, -69, -75, -69}));
  EXPECT_EQ(model, (std::vector<long>{-27, -54, -67, 74, -45, -50, -45}));
  EXPECT_EQ(published, (std::vector<long>{-28, -54, -67, 69, -45, -50, -45}));
  EXPECT_DOUBLE_EQ(networks.queue_storage_percent, 6.25);
}

// Times count: two crossbars of 3, 2 and 1 GE beside one of 10, 20 and 30.
TEST(ThesisNetworks, TotalsCountEachCrossbar) {
  const gen::NetworkArea network{
      .name = "n",
      .rows = {{.name = "a", .count = 2, .one = {3, 2, 1}}, {.name = "b", .count = 1, .one = {10, 20, 30}}}};
  EXPECT_DOUBLE_EQ(network.total().buffers, 16);
  EXPECT_DOUBLE_EQ(network.total().multiplexers, 24);
  EXPECT_DOUBLE_EQ(network.total().allocators, 32);
  EXPECT_DOUBLE_EQ(network.total().sum(), 72);
}

// Each row beside a baseline of the same gates is +0 %.
TEST(ThesisNetworks, TableHasARowForEach) {
  gen::ThesisNetworks networks = gen::thesis_topologies({});
  networks.baseline.rows = {{.name = "a", .count = 1, .one = {6, 3, 1}}};
  for (gen::ThesisRow& row : networks.rows) row.area.rows = {{.name = "a", .count = 2, .one = {6, 3, 1}}};
  const std::string table = gen::thesis_table(networks);
  EXPECT_NE(table.find("buffers 6, multiplexers 3, allocators 1, sum 10"), std::string::npos) << table;
  EXPECT_NE(table.find("Sh40+C10             100 %           100 %           100 %           100 %"
                       "           100 %           -75 %           -50 %    -50 %\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("queues of 40 nodes: 6.25 %"), std::string::npos);
  EXPECT_EQ(table.find("static power"), std::string::npos) << "a library without leakage";
}

// 4 uW of a baseline with 3 in its buffers; two crossbars of 1 and 0.5 uW have 3 uW, 2 of them in buffers.
TEST(ThesisNetworks, StaticPowerBesideTheBaseline) {
  gen::ThesisNetworks networks = gen::thesis_topologies({});
  networks.baseline.rows = {{.name = "a", .count = 1, .one = {6, 3, 1}, .leakage = {3000, 750, 250}}};
  for (gen::ThesisRow& row : networks.rows)
    row.area.rows = {{.name = "a", .count = 2, .one = {6, 3, 1}, .leakage = {1000, 250, 250}}};
  const std::string table = gen::thesis_table(networks);
  EXPECT_NE(table.find("static power, baseline 4 uW"), std::string::npos) << table;
  EXPECT_NE(table.find("Sh40+C10             -25 %           -33 %             0 %    -16 %\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("Pr20                 -25 %           -33 %             0 %        -\n"),
            std::string::npos)
      << table;
  const nlohmann::ordered_json json = gen::thesis_json(networks);
  EXPECT_EQ(json["topologies"][5]["published_static_percent"], -16);
  EXPECT_DOUBLE_EQ(json["topologies"][5]["static_percent"]["leakage"], -25);
}

TEST(ThesisNetworks, PartsAddUpToAWholeCrossbar) {
  // Queues of four flits as in the thesis; with two a VC the parts come to 7 % less than the whole.
  const hw::CrossbarParams small{.inputs = 4, .outputs = 2, .flit_bytes = 16, .vcs = 2, .vc_depth = 4};
  for (const gen::WholeCrossbar& w : gen::beside_whole({small}, gen::default_liberty()))
    EXPECT_NEAR(w.parts / w.whole, 1, 0.05) << w.parts << " by parts, " << w.whole << " as a whole";
}
