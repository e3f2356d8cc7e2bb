// The family of AXI4 bridges for the commands; what each function is for stands in gen/units/index.h.
#pragma once
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/unit.h"
#include "hw/axi4/axi4_bridge_params.h"

namespace gen {

Unit elaborate(const hw::Axi4BridgeParams& p, const std::string& top);
std::string replay_refusal(const hw::Axi4BridgeParams& p);
std::string cosim_main(const hw::Axi4BridgeParams& p, const std::string& probes);
std::vector<AreaRequest> plain_forms(const hw::Axi4BridgeParams& p, const std::string& top, double clock_ns);
std::string cpp_params(const hw::Axi4BridgeParams& p);

}  // namespace gen
