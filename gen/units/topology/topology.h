// The families of decoupled L1 caches for the commands: topologies, their nodes, and the parts of their
// networks; see gen/units/index/index.h for what each function is.
#pragma once
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/unit.h"
#include "hw/noc/crossing_fifo_params.h"
#include "hw/packet/packet_params.h"
#include "hw/topology/dc_l1_node_params.h"
#include "hw/topology/home_params.h"
#include "hw/topology/topology_params.h"

namespace gen {

Unit elaborate(const hw::HomeParams& p, const std::string& top);
std::string replay_refusal(const hw::HomeParams& p);
std::string cosim_main(const hw::HomeParams& p, const std::string& probes);
std::vector<AreaRequest> plain_forms(const hw::HomeParams& p, const std::string& top, std::uint32_t order);
std::string cpp_params(const hw::HomeParams& p);

Unit elaborate(const hw::PacketiserParams& p, const std::string& top);
std::string replay_refusal(const hw::PacketiserParams& p);
std::string cosim_main(const hw::PacketiserParams& p, const std::string& probes);
std::vector<AreaRequest> plain_forms(const hw::PacketiserParams& p, const std::string& top,
                                     std::uint32_t order);
std::string cpp_params(const hw::PacketiserParams& p);

Unit elaborate(const hw::ReceiverParams& p, const std::string& top);
std::string replay_refusal(const hw::ReceiverParams& p);
std::string cosim_main(const hw::ReceiverParams& p, const std::string& probes);
std::vector<AreaRequest> plain_forms(const hw::ReceiverParams& p, const std::string& top,
                                     std::uint32_t order);
std::string cpp_params(const hw::ReceiverParams& p);

Unit elaborate(const hw::CrossingParams& p, const std::string& top);
std::string replay_refusal(const hw::CrossingParams& p);
std::string cosim_main(const hw::CrossingParams& p, const std::string& probes);
std::vector<AreaRequest> plain_forms(const hw::CrossingParams& p, const std::string& top,
                                     std::uint32_t order);
std::string cpp_params(const hw::CrossingParams& p);

Unit elaborate(const hw::DcL1NodeParams& p, const std::string& top);
std::string replay_refusal(const hw::DcL1NodeParams& p);
std::string cosim_main(const hw::DcL1NodeParams& p, const std::string& probes);
std::vector<AreaRequest> plain_forms(const hw::DcL1NodeParams& p, const std::string& top,
                                     std::uint32_t order);
std::string cpp_params(const hw::DcL1NodeParams& p);

Unit elaborate(const hw::TopologyParams& p, const std::string& top);
std::string replay_refusal(const hw::TopologyParams& p);
std::string cosim_main(const hw::TopologyParams& p, const std::string& probes);
// A program that runs kernels on the golden model alone.
std::string golden_main(const hw::TopologyParams& p);
std::vector<AreaRequest> plain_forms(const hw::TopologyParams& p, const std::string& top,
                                     std::uint32_t order);
std::string cpp_params(const hw::TopologyParams& p);

}  // namespace gen
