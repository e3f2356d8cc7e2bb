// 20 million lock-step cycles over every kind of topology with every kind of cache, at small sizes, and over
// the units that they are made of; and a kernel on every kind at a real size.
#include "verif/parameters/small_topologies.h"
#include "verif/topology/topology_trace.h"
#include "verif/unit_lock_step.h"

TEST(TopologyFull, EveryKindWithEveryCache) {
  const std::vector<verif::Flags> caches{{},
                                         {"tags.kind=sectored"},
                                         {"tags.kind=split", "geometry.chunk_bytes=16"},
                                         {"tags.kind=reuse_filter"},
                                         {"tags.kind=decoupled"},
                                         {"index.kind=adi", "adaptive.period=64", "adaptive.idle=16"}};
  std::uint64_t seed = verif::fresh_seed(31);
  for (const char* kind : {"baseline", "private_nodes", "shared_nodes", "clustered", "cdxbar"})
    for (const bool boost : {false, true}) {
      if (boost && kind == std::string("baseline")) continue;
      for (const verif::Flags& cache : caches)
        verif::expect_same("dc_l1", verif::with(verif::small_topology(kind, boost), cache), 450'000, seed++);
    }
}

TEST(TopologyFull, EveryKindAtEveryClockRatio) {
  std::uint64_t seed = verif::fresh_seed(33);
  for (const char* kind : {"baseline", "private_nodes", "shared_nodes", "clustered", "cdxbar"})
    for (const char* ratio : {"2", "3", "4"})
      for (const bool boost : {false, true}) {
        if (boost && (kind == std::string("baseline") || ratio == std::string("3"))) continue;
        verif::expect_same(
            "dc_l1",
            verif::with(verif::small_topology(kind, boost), {std::string("noc.clock_ratio=") + ratio}),
            200'000, seed++);
      }
}

TEST(TopologyFull, EveryKindWithEveryPolicy) {
  std::uint64_t seed = verif::fresh_seed(37);
  for (const char* kind : {"baseline", "private_nodes", "shared_nodes", "clustered", "cdxbar"})
    for (const char* policy : {"mrpb", "protection_distance"})
      verif::expect_same("dc_l1",
                         verif::with(verif::small_topology(kind), {std::string("bypass.kind=") + policy}),
                         200'000, seed++);
  for (const char* kind : {"baseline", "private_nodes", "cdxbar"})
    verif::expect_same("dc_l1", verif::with(verif::small_topology(kind), verif::bucl_flags), 200'000, seed++);
}

TEST(TopologyFull, TheirUnits) {
  std::uint64_t seed = verif::fresh_seed(33);
  for (const char* unit : {"dc_l1_home", "packetiser", "receiver", "crossing_fifo", "dc_l1_node"})
    verif::expect_same(unit, {}, 4'000'000, seed++);
}

TEST(TopologyFull, EveryKindRunsAKernel) {
  for (const char* kind : {"baseline", "private_nodes", "shared_nodes", "clustered", "cdxbar"})
    verif::expect_same_run("dc_l1",
                           verif::with(verif::sixteen_cores, {std::string("topology.kind=") + kind}));
  verif::expect_same_run(
      "dc_l1", verif::with(verif::sixteen_cores, {"topology.kind=clustered", "topology.boost=true"}));
  verif::expect_same_run(
      "dc_l1", verif::with(verif::sixteen_cores,
                           {"topology.kind=clustered", "topology.boost=true", "noc.clock_ratio=4"}));
}
