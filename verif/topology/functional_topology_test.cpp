// The untimed topologies against figures worked out by hand.
#include "golden/topology/functional_topology.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gen/config/config.h"
#include "golden/trace/io/byte_source.h"
#include "golden/trace/request_list.h"
#include "verif/temp_folder.h"
#include "verif/topology/topology_environment.h"

namespace {

using golden::CoreRequest;
using golden::FunctionalTopology;
using golden::Served;

hw::TopologyParams params_of(const std::string& kind, const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings{"topology.cores=8", "topology.nodes=4", "topology.slices=4",
                                    "topology.clusters=2", "topology.kind=" + kind};
  settings.insert(settings.end(), more.begin(), more.end());
  return gen::load_config("dc_l1", settings).get<hw::TopologyParams>();
}

std::vector<CoreRequest> requests_of(const std::string& text) {
  const verif::TempFolder folder;
  golden::RequestList list(folder.write("list", text), {.cores = 8});
  std::vector<CoreRequest> requests;
  for (golden::RequestList::Item item; list.next(item);)
    requests.push_back({static_cast<int>(item.core), item.request});
  return requests;
}

std::string dump(FunctionalTopology& topology, const std::vector<CoreRequest>& requests) {
  std::vector<Served> served(requests.size());
  topology.access(requests, served.data());
  std::string text;
  for (const Served& s : served)
    text += fmt::format("{} {} {} {}\n", s.core, s.node, s.slice, static_cast<char>(s.result));
  return text;
}

}  // namespace

TEST(FunctionalTopology, EveryKindByHand) {
  for (const verif::EnvironmentAnswer& want : verif::environment_answers) {
    const auto topology = FunctionalTopology::make(params_of(want.kind));
    EXPECT_EQ(dump(*topology, requests_of(verif::environment_requests)), want.dump) << want.kind;
    const golden::L1dCounters c = topology->counters();
    EXPECT_EQ(c.accesses, 12u);
    EXPECT_EQ(c.loads, 9u);
    EXPECT_EQ(c.hits, static_cast<unsigned>(want.hits)) << want.kind;
    EXPECT_EQ(c.misses, static_cast<unsigned>(want.misses)) << want.kind;
    EXPECT_EQ(c.store_invalidations, static_cast<unsigned>(want.store_invalidations)) << want.kind;
    EXPECT_EQ(topology->replication().misses, static_cast<unsigned>(want.misses));
    EXPECT_EQ(topology->replication().foreign, static_cast<unsigned>(want.foreign)) << want.kind;
    EXPECT_DOUBLE_EQ(topology->replicas(), want.replicas) << want.kind;
  }
}

// A core's share is one set of eight ways; a node of two cores has two sets, of even and of odd lines. Nine
// even lines do not fit, loaded by either core; the odd one stays.
TEST(FunctionalTopology, NodesHaveTheCapacityOfTheirCores) {
  const auto topology = FunctionalTopology::make(
      params_of("private_nodes", {"geometry.capacity_bytes=1024", "geometry.ways=8"}));
  EXPECT_EQ(topology->caches(), 4);
  std::string requests = "0 L 80 1\n", want = "0 0 0 M\n";
  for (int n = 0; n < 9; ++n) {
    requests += fmt::format("{} L {:x} 1\n", n % 2, 0x100 * n);
    want += fmt::format("{} 0 {} M\n", n % 2, n % 4);
  }
  EXPECT_EQ(dump(*topology, requests_of(requests + "1 L 0 1\n0 L 80 1\n1 L 800 1\n")),
            want + "1 0 0 M\n0 0 -1 H\n1 0 -1 H\n");
}

// Replicas are sampled at every 1,024th load: at the first all eight cores hold line 0, at the second core 0
// alone has read line 80 as well: nine lines, two of them different.
TEST(FunctionalTopology, MeanReplicasOverLoads) {
  const auto topology = FunctionalTopology::make(params_of("baseline"));
  std::vector<CoreRequest> requests;
  for (int n = 0; n < 1024; ++n) requests.push_back({n % 8, {.mask = 1, .address = 0}});
  for (int n = 0; n < 1024; ++n) requests.push_back({0, {.mask = 1, .address = 0x80}});
  topology->access(requests, nullptr);
  EXPECT_DOUBLE_EQ(topology->mean_replicas(), (7.0 + 3.5) / 2);
}

TEST(FunctionalTopology, AFlushForgetsAllCaches) {
  const auto topology = FunctionalTopology::make(params_of("clustered"));
  const auto requests = requests_of("0 L 0 1\n5 L 0 1\n");
  dump(*topology, requests);
  topology->flush();
  EXPECT_EQ(topology->replicas(), 0);
  EXPECT_EQ(dump(*topology, requests), "0 0 0 M\n5 2 0 M\n");
}
