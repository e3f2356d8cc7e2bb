// Clusters with NoC#1 at twice the clock, at a small size: a kernel on the Verilog, in lock step.
#include "verif/topology/topology_trace.h"

TEST(TopologyTrace, VerilogAndGoldenRunAKernelAlike) {
  verif::expect_same_run("dc_l1", {"topology.kind=clustered", "topology.boost=true", "topology.cores=4",
                                   "topology.nodes=2", "topology.slices=2", "topology.clusters=1"});
}
