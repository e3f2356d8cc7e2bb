// The AXI4 ports of a manager, under their standard names behind `axi_`.
#pragma once
#include <string>
#include <vector>

#include "hw/bus/axi4_bridge_params.h"
#include "hw/rtl/module.h"

namespace hw {

struct Axi4Port {
  std::string name;
  int width = 1;
  bool output = false;
  std::string doc;
};

// In the order in which modules list them, `axi_error` last.
std::vector<Axi4Port> axi4_ports(const Axi4BridgeParams& p);

}  // namespace hw
