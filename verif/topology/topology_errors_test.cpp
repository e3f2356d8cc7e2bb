// What a topology cannot be, by exact messages; what it is at other sizes, by its manifest; how fast it is
// written.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "cosim/harness/cpu_seconds.h"
#include "gen/area/network_area.h"
#include "gen/config/config.h"
#include "gen/generate.h"
#include "gen/unit/unit.h"
#include "hw/topology/topology.h"

namespace {

using Flags = std::vector<std::string>;

// What the user reads; "" when nothing is wrong.
std::string error_of(const Flags& flags, const std::string& preset = "dc_l1") {
  try {
    const gen::Config config = gen::load_config(preset, flags);
    gen::with_places(config, [&] { hw::check(config.get<hw::TopologyParams>()); });
  } catch (const gen::ConfigError& error) {
    return error.what();
  }
  return "";
}

const Flags small{"topology.cores=16", "topology.nodes=8", "topology.slices=8", "topology.clusters=4"};

Flags with(Flags flags, const Flags& more) {
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

gen::Unit unit_of(const Flags& flags) { return gen::elaborate(gen::load_config("dc_l1", flags)); }

}  // namespace

TEST(TopologyErrors, SizesThatDoNotFit) {
  EXPECT_EQ(error_of({"topology.nodes=30"}),
            "-s topology.nodes=30: topology.nodes = 30: must divide the 80 cores; use 40");
  EXPECT_EQ(
      error_of({"topology.nodes=16"}),
      "-s topology.nodes=16: topology.nodes = 16: gives each node 5 cores, and only powers of two are built; "
      "use 20");
  EXPECT_EQ(error_of({"topology.clusters=3"}),
            "-s topology.clusters=3: topology.clusters = 3: must divide the 40 nodes; use 5");
  EXPECT_EQ(
      error_of({"topology.slices=30"}),
      "-s topology.slices=30: topology.slices = 30: must be a multiple of the 4 nodes of a cluster; use 32");
  EXPECT_EQ(
      error_of({"topology.kind=cdxbar", "topology.slices=30"}),
      "-s topology.slices=30: topology.slices = 30: must be a multiple of the 4 nodes of a cluster; use 32");
  EXPECT_EQ(error_of({"topology.cores=129"}),
            "-s topology.cores=129: topology.cores = 129: must be from 1 to 128");
}

TEST(TopologyErrors, RatiosOfTheClockThatDoNotFit) {
  EXPECT_EQ(error_of({"noc.clock_ratio=5"}),
            "-s noc.clock_ratio=5: noc.clock_ratio = 5: must be from 1 to 4; the nearest is 4");
  EXPECT_EQ(error_of({"noc.clock_ratio=3", "topology.boost=true"}),
            "-s noc.clock_ratio=3: noc.clock_ratio = 3: has no half, in which NoC#1 moves with "
            "topology.boost; use 2 or 4");
  EXPECT_EQ(error_of({"noc.clock_ratio=4", "topology.boost=true"}), "");
  EXPECT_EQ(error_of({"noc.clock_ratio=3", "topology.boost=true", "topology.kind=baseline"}), "");
}

// Every remedy in an error is taken.
TEST(TopologyErrors, RemediesAreNotRefusedThemselves) {
  int remedies = 0, none = 0;
  for (const int cores : {1, 3, 24, 80, 128})
    for (const std::string kind : {"clustered", "shared_nodes", "cdxbar"})
      for (const int nodes : {1, 5, 16, 30, 129})
        for (const int slices : {1, 7, 32})
          for (const int clusters : {1, 4, 10, 17}) {
            const Flags shape{
                fmt::format("topology.cores={}", cores),       "topology.kind=" + kind,
                fmt::format("topology.nodes={}", nodes),       fmt::format("topology.slices={}", slices),
                fmt::format("topology.clusters={}", clusters), "mshr.entries=8"};
            const std::string error = error_of(shape);
            const auto use = error.rfind("; use ");
            none += error.find("no other value fits") != error.npos;
            EXPECT_EQ(error.find("nearest"), error.npos) << error;
            if (use == error.npos) continue;
            ++remedies;
            const std::string key = error.substr(3, error.find('=') - 3);  // "-s key=value: ..."
            EXPECT_EQ(error_of(with(shape, {key + "=" + error.substr(use + 6)})), "") << error;
          }
  EXPECT_GT(remedies, 100);
  EXPECT_GT(none, 10);
}

TEST(TopologyErrors, KindsIgnoreWhatTheyDoNotUse) {
  EXPECT_EQ(error_of({"topology.kind=shared_nodes", "topology.slices=30", "topology.clusters=3"}), "");
  EXPECT_EQ(error_of({"topology.kind=private_nodes", "topology.slices=7", "topology.clusters=3"}), "");
  EXPECT_EQ(error_of({"topology.kind=baseline", "topology.nodes=3", "topology.boost=true"}), "");
  EXPECT_EQ(
      gen::load_config("dc_l1", {"topology.kind=baseline", "topology.nodes=3", "topology.boost=true"}).top,
      "dc_l1_baseline");
}

TEST(TopologyErrors, CachesAndNetworks) {
  EXPECT_EQ(
      error_of({"crossbar.flit_bytes=16"}),
      "-s crossbar.flit_bytes=16: crossbar.flit_bytes = 16: must be a power of two from a chunk, 32, to a "
      "line, 128; use 32");
  EXPECT_EQ(
      error_of({"memory.protocol=axi4"}),
      "-s memory.protocol=axi4: memory.protocol = axi4: the memory side of a topology's caches is a network "
      "of packets; use native");
  EXPECT_EQ(
      error_of(with(small, {"geometry.capacity_bytes=8192", "index.kind=rxi"})),
      "-s index.kind=rxi: index.kind = rxi: is published for whole addresses, and the home is cut from them "
      "here; use another index.kind, or node.squeeze = false");
  EXPECT_EQ(error_of(with(small, {"geometry.capacity_bytes=8192", "index.kind=rxi", "node.squeeze=false"})),
            "");
  EXPECT_EQ(error_of({"index.sets=32"}),
            "-s index.sets=32: index.sets = 32: the geometry makes 64 sets; leave it out, or change "
            "geometry.capacity_bytes or geometry.ways");
  EXPECT_EQ(error_of({"geometry.capacity_bytes=2097152"}),
            "-s geometry.capacity_bytes=2097152: geometry.capacity_bytes = 2097152: must be from 1024 to "
            "1048576; the "
            "nearest is 1048576");
  EXPECT_EQ(
      error_of({"topology.kind=private_nodes", "topology.nodes=5", "mshr.entries=128"}),
      "-s mshr.entries=128: mshr.entries = 128: makes 2048 of a node for 16 cores, and a node has at most "
      "1024; use at most 64");
  EXPECT_EQ(error_of({"node.queue=1"}),
            "-s node.queue=1: node.queue = 1: must be from 2 to 16; the nearest is 2");
}

// Sets of 64 that the addresses of a home reach (what the paper's indices leave unused).
TEST(TopologyManifest, SetsThatCanBeReached) {
  const auto reached = [](const Flags& flags) {
    const auto facts = unit_of(flags).facts["reachable_sets"];
    return std::pair<int, int>(facts["fewest"], facts["most"]);
  };
  using Range = std::pair<int, int>;
  EXPECT_EQ(reached({}), Range(64, 64));
  EXPECT_EQ(reached({"node.squeeze=false"}), Range(16, 16));
  EXPECT_EQ(reached({"node.squeeze=false", "topology.clusters=5"}), Range(8, 8));
  EXPECT_EQ(reached({"node.squeeze=false", "topology.clusters=20"}), Range(32, 32));
  EXPECT_EQ(reached({"topology.clusters=20"}), Range(64, 64));
  EXPECT_EQ(reached({"topology.kind=shared_nodes"}), Range(8, 8));
  EXPECT_EQ(reached({"topology.kind=shared_nodes", "index.kind=pli"}), Range(64, 64));
  const Flags odd{"topology.cores=120", "topology.nodes=60", "topology.slices=48"};
  EXPECT_EQ(reached(odd), Range(32, 32));
  EXPECT_EQ(reached(with(odd, {"index.kind=pli"})), Range(64, 64));
}

TEST(TopologyManifest, PacketsAndCaches) {
  const auto facts = unit_of({}).facts;
  EXPECT_EQ(facts["noc1"]["request_side_bits"], 71);
  EXPECT_EQ(facts["noc1"]["reply_side_bits"], 12);
  EXPECT_EQ(facts["cache"]["capacity_bytes"], 32768);
  EXPECT_EQ(facts["cache"]["mshr_entries"], 64);
  EXPECT_EQ(facts["cache"]["address_bits"], 30);
  EXPECT_EQ(facts["cache"]["core_id_bits"], 11);
  EXPECT_EQ(facts["queue_storage_percent"], 6.25);
}

// The thesis' areas of the networks (figures 5.8 and 5.14: -28, -54, -67, +69, -45, -50, -45 %) by the model
// of crosspoints and ports.
TEST(TopologyNetworks, ModelOfTheirArea) {
  const auto percent = [](const Flags& flags) {
    const auto p = gen::load_config("dc_l1", flags).get<hw::TopologyParams>();
    const double model = gen::networks_of(p, "").model(),
                 base = gen::networks_of(gen::baseline_of(p), "").model();
    return std::lround(100 * (model / base - 1));
  };
  const Flags privately{"topology.kind=private_nodes"};
  EXPECT_EQ(percent(privately), -27);
  EXPECT_EQ(percent(with(privately, {"topology.nodes=20"})), -54);
  EXPECT_EQ(percent(with(privately, {"topology.nodes=10"})), -67);
  EXPECT_EQ(percent({"topology.kind=shared_nodes"}), 74);
  EXPECT_EQ(percent({"topology.clusters=5"}), -45);
  EXPECT_EQ(percent({}), -50);
  EXPECT_EQ(percent({"topology.clusters=20"}), -45);
}

TEST(TopologyGeneration, FullSizesTakeLessThanTwoSeconds) {
  for (const char* kind : {"baseline", "private_nodes", "shared_nodes", "clustered", "cdxbar"}) {
    const double start = verif::cpu_seconds();
    const auto files = gen::generated_files(
        gen::load_config("dc_l1", {fmt::format("topology.kind={}", kind), "topology.boost=true"}));
    EXPECT_GT(files.size(), 10u);
    EXPECT_LT(verif::cpu_seconds() - start, 2.0) << kind;  // other tests run beside this one
  }
}
