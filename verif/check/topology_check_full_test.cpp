// More topologies with checks of their neighbours, in lock step under faults of slices.
#include <gtest/gtest.h>

#include "verif/parameters/small_topologies.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::Flags;

void expect_noticed(const std::string& preset, const Flags& flags, const Flags& more) {
  const Flags all = verif::with(verif::with(flags, more), {"check.ports=true", "check.timeout=8000"});
  const auto run = verif::lock_step(preset, all, 300'000, verif::fresh_seed(1));
  EXPECT_EQ(run.status, 0) << run.report.dump(1);
}

}  // namespace

TEST(TopologyCheckFull, OfNodesAndRelays) {
  const Flags six{"topology.cores=6", "topology.nodes=3", "topology.slices=3"};
  expect_noticed("dc_l1", verif::small_topology("clustered", true), six);
  expect_noticed("dc_l1", verif::small_topology("cdxbar", true), six);
  expect_noticed("dc_l1", verif::small_topology("shared_nodes"), verif::with(six, {"noc.clock_ratio=2"}));
  expect_noticed("dc_l1", verif::small_topology("private_nodes"),
                 {"tags.kind=split", "geometry.chunk_bytes=16"});
}

TEST(TopologyCheckFull, OfSharedL1s) {
  expect_noticed("shared_l1", verif::small_dyneb(), {});
  expect_noticed("shared_l1", verif::small_butterfly(), {});
}
