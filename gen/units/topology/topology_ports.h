// The streams of a topology's cores and slices, by number, for its co-simulation bench.
#pragma once
#include <string>

#include "hw/topology/topology_params.h"

namespace gen {

// A C++ struct Ports: each_core(dut, visit) calls visit(c, request, response), each_slice(dut, visit) calls
// visit(s, request, response), with the ports of cosim/noc/dc_ports.h, and each_control(dut, visit)
// visit(cache, control, port) with every control that is an input.
std::string topology_ports(const hw::TopologyParams& params);

}  // namespace gen
