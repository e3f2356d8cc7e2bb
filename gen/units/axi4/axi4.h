// The family of AXI4 bridges for the commands; what each function is for stands in gen/units/index/index.h.
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
std::vector<AreaRequest> plain_forms(const hw::Axi4BridgeParams& p, const std::string& top,
                                     std::uint32_t order);
std::string cpp_params(const hw::Axi4BridgeParams& p);

// The lock step of an L1 data cache with AXI4, whose parameters read `params` in C++.
std::string axi4_l1d_main(const std::string& params, const std::string& probes);

}  // namespace gen
