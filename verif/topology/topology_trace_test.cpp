// Clusters with NoC#1 at twice the clock, at a real size: a kernel on the Verilog, in lock step.
#include "verif/topology/topology_trace.h"

TEST(TopologyTrace, VerilogAndGoldenRunAKernelAlike) { verif::expect_same_run("clustered", true); }
