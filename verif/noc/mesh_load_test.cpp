// Saturation of a mesh: uniform, transpose and hot-spot traffic on its golden routers, beside the bounds of
// X-Y routing.
#include "verif/noc/mesh_load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "verif/cli/chart_reader.h"
#include "verif/full_tier.h"
#include "verif/noc/measured_page.h"
#include "verif/noc/mesh_load_picture.h"

namespace {

using verif::MeshPattern;
using Small = verif::MeshLoad<hw::MeshRouterParams{.width = 4, .height = 4}>;

}  // namespace

// By hand: of uniform traffic half crosses the middle, half of it one way, over as many links as rows:
// 4/k flits a node; transposed, k - 1 nodes of a row go to its last column; the hot node takes a flit a
// cycle.
TEST(MeshLoad, BoundsAreThoseOfBisectionAndHotLink) {
  EXPECT_NEAR(verif::ThesisMesh::bound(MeshPattern::uniform), 4.0 / 6, 1e-9);
  EXPECT_NEAR(verif::ThesisMesh::bound(MeshPattern::transpose), 1.0 / 5, 1e-9);
  EXPECT_NEAR(verif::ThesisMesh::bound(MeshPattern::hot_spot), 1 / (36 * 0.25 + 0.75), 1e-9);
}

// Half of the bound is delivered; at the bound two thirds of it are, and no link carries more than it can.
TEST(MeshLoad, SaturationIsWithinTheBounds) {
  for (const MeshPattern pattern : {MeshPattern::uniform, MeshPattern::transpose, MeshPattern::hot_spot}) {
    const double bound = Small::bound(pattern);
    const auto light = Small::run(pattern, 0.5 * bound, 4000), full = Small::run(pattern, bound, 4000);
    fmt::print(
        "4 x 4, bound {:.3f}: offered {:.3f} delivers {:.3f} in {:.1f} cycles, offered {:.3f} delivers "
        "{:.3f}\n",
        bound, 0.5 * bound, light.throughput, light.latency, bound, full.throughput);
    EXPECT_NEAR(light.throughput, 0.5 * bound, 0.05 * bound);
    EXPECT_GT(full.throughput, 0.65 * bound);
    EXPECT_LE(full.throughput, 1.02 * bound);
  }
}

// Links carry what routes say: of a light load in the same shares.
TEST(MeshLoad, TrafficOfLinksIsThatOfRoutes) {
  const auto expected = Small::expected(MeshPattern::hot_spot);
  const auto got = Small::run(MeshPattern::hot_spot, 0.1, 20'000).links;
  for (std::size_t n = 0; n < got.size(); ++n)
    for (std::size_t port = 0; port < got[n].size(); ++port)
      EXPECT_NEAR(got[n][port], 0.1 * expected[n][port], 0.02) << n << " " << port;
}

// Alone, a flit takes 2 cycles in each router and one on each link.
TEST(MeshLoad, LatencyWithoutLoad) {
  const auto got = verif::ThesisMesh::run(MeshPattern::transpose, 0.001, 4000);
  EXPECT_NEAR(got.latency, 2 + 3 * 2 * 35.0 / 18, 1.5) << "3.89 hops on average";
}

// A picture says nothing of loads that nobody measured, nor of figures above its axis.
TEST(Curves, EndAtTheirFirstPointAboveTheAxis) {
  const gen::Chart chart =
      gen::curve_chart("latency", {"load", "cycles", 1, 40},
                       {{"one", {{0.1, 3}, {0.2, 50}, {0.3, 20}}, 0.25}, {"two", {{0.1, 4}}}});
  const auto& layers = chart.spec["layer"];
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(
      layers[0]["data"]["values"].dump(),
      R"([{"name":"one","x":0.1,"y":3.0},{"name":"one","x":0.2,"y":40.0},{"name":"two","x":0.1,"y":4.0}])");
  EXPECT_EQ(layers[1]["data"]["values"].dump(), R"([{"name":"one","x":0.25}])");
}

TEST(MeshLoad, CurvesAreThoseOfTheDocuments) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  if (!verif::can_draw()) GTEST_SKIP() << verif::no_drawing;
  verif::expect_documented("mesh-load.svg", verif::mesh_load_curves(6000));
}

TEST(MeshLoad, TableIsThatOfTheDocuments) {
  std::string table =
      "| traffic | bound, flits a node and cycle | delivered at the bound | latency at half of it |\n"
      "| --- | ---: | ---: | ---: |\n";
  for (const verif::MeshCurve& curve : verif::mesh_curves) {
    const double bound = verif::ThesisMesh::bound(curve.pattern);
    const auto half = verif::ThesisMesh::run(curve.pattern, bound / 2, 4000);
    const auto full = verif::ThesisMesh::run(curve.pattern, bound, 4000);
    table +=
        fmt::format("| {} | {:.3f} | {:.3f} | {:.1f} |\n", curve.name, bound, full.throughput, half.latency);
  }
  verif::expect_documented("mesh.md", "mesh_load_test", {{"saturation", table}});
}
