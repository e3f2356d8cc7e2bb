// The crossbar with virtual channels (crossbar.*), and the names of its ports for benches.
#pragma once
#include <string>
#include "hw/noc/vc_crossbar_params.h"

namespace gen {

// A struct Ports for the benches of cosim.
std::string crossbar_ports(const hw::CrossbarParams& p);

}  // namespace gen
