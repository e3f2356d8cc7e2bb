// A core with its L1 among cores that search each other's L1s for what they miss: the units of remote-core
// probing around an L1, with the messages of both networks (DC-L1 thesis, chapter 3).
//
// Ports: the core's streams, messages to and from the networks, flush; `clk`, `rst`. What happens in which
// cycle: docs/contracts/remote-core.md.
#pragma once
#include <string>

#include "hw/l1d/l1d.h"
#include "hw/remote/remote_node_params.h"

namespace hw {

// Throws ParamError when no node can be built from the parameters.
void check(const RemoteNodeParams& p);

// Checks the parameters and builds the node as module `top`, its parts as `top`_<part>.
L1d remote_node(const RemoteNodeParams& p, const std::string& top);

}  // namespace hw
