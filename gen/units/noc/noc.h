// The families of network units for the commands; see gen/units/index/index.h for what each function is.
#pragma once
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/cosim/probe.h"
#include "gen/unit.h"
#include "hw/noc/allocator_islip_params.h"
#include "hw/noc/arbiter_round_robin_params.h"
#include "hw/noc/switch_params.h"
#include "hw/noc/vc_crossbar_params.h"

namespace gen {

Unit elaborate(const hw::ArbiterParams& p, const std::string& top);
std::string replay_refusal(const hw::ArbiterParams& p);
std::string cosim_main(const hw::ArbiterParams& p, const std::string& probes);
std::vector<AreaRequest> plain_forms(const hw::ArbiterParams& p, const std::string& top, std::uint32_t order);
std::string cpp_params(const hw::ArbiterParams& p);

Unit elaborate(const hw::AllocatorParams& p, const std::string& top);
std::string replay_refusal(const hw::AllocatorParams& p);
std::string cosim_main(const hw::AllocatorParams& p, const std::string& probes);
std::vector<AreaRequest> plain_forms(const hw::AllocatorParams& p, const std::string& top,
                                     std::uint32_t order);
std::string cpp_params(const hw::AllocatorParams& p);

Unit elaborate(const hw::SwitchParams& p, const std::string& top);
std::string replay_refusal(const hw::SwitchParams& p);
std::string cosim_main(const hw::SwitchParams& p, const std::string& probes);
std::vector<AreaRequest> plain_forms(const hw::SwitchParams& p, const std::string& top, std::uint32_t order);
std::string cpp_params(const hw::SwitchParams& p);

Unit elaborate(const hw::CrossbarParams& p, const std::string& top);
std::string replay_refusal(const hw::CrossbarParams& p);
std::string cosim_main(const hw::CrossbarParams& p, const std::string& probes);
std::vector<AreaRequest> plain_forms(const hw::CrossbarParams& p, const std::string& top,
                                     std::uint32_t order);
std::string cpp_params(const hw::CrossbarParams& p);

// The registers that a crossbar's bench compares.
std::vector<ViewPort> crossbar_view(const hw::CrossbarParams& p);

// Names the ports of a crossbar, and its state where it is brought out, for the benches of verif/lockstep: a
// struct Ports.
std::string crossbar_ports(const hw::CrossbarParams& p);

}  // namespace gen
