// Probe ports of the L1 data cache ([probe] ports = true): each load that was looked up, as it leaves, for
// monitors beside the cache.
#pragma once
#include "hw/l1d/l1d_params.h"
#include "hw/l1d/load_results.h"

namespace hw {

// Adds the outputs that hw/l1d/probe_params.h lists.
void add_probe_ports(rtl::Module& m, const L1dParams& p, const ProbeStage& probe, const LoadResults& results);

}  // namespace hw
