// Traces on a system whose SMs have the Verilog of a cache, each in lock step with its model.
#pragma once
#include "cosim/l1d/l1d_run.h"

namespace verif {

CosimReport run_in_system(const CosimOptions& options, const hw::L1dParams& params, const MakeL1d& make,
                          const MakeGate& make_gate);

}  // namespace verif
