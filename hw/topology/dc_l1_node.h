// A DC-L1 node: an L1 data cache between four queues (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <string>

#include "hw/l1d/l1d.h"
#include "hw/topology/dc_l1_node_params.h"

namespace hw {

// Throws ParamError when no node can be built from the parameters.
void check(const DcL1NodeParams& p);

// The node as module `top`, its cache as `top`_cache; instances `q1` to `q4` and `cache`. Facts are those of
// the cache.
L1d dc_l1_node(const DcL1NodeParams& p, const std::string& top);

}  // namespace hw
