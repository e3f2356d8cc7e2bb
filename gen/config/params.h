// Every parameter struct that a configuration can fill: one alternative per family of units.
#pragma once
#include <variant>

#include "hw/adaptive/adi_monitor_params.h"
#include "hw/axi4/axi4_bridge_params.h"
#include "hw/blpp/blpp_params.h"
#include "hw/client/vortex_adapter_params.h"
#include "hw/dueling/filter_dueling_params.h"
#include "hw/iacm/iacm_params.h"
#include "hw/index/index_params.h"
#include "hw/l1d/l1d_params.h"
#include "hw/limit/limit_params.h"
#include "hw/mode/mode_selector_params.h"
#include "hw/noc/allocator_islip_params.h"
#include "hw/noc/arbiter_round_robin_params.h"
#include "hw/noc/butterfly_params.h"
#include "hw/noc/crossing_fifo_params.h"
#include "hw/noc/mesh_router_params.h"
#include "hw/noc/switch_params.h"
#include "hw/noc/vc_crossbar_params.h"
#include "hw/packet/packet_params.h"
#include "hw/policy/bucl_params.h"
#include "hw/policy/protection_distance_params.h"
#include "hw/remote/core_selector_params.h"
#include "hw/remote/probe_handler_params.h"
#include "hw/remote/probe_table_params.h"
#include "hw/remote/remote_node_params.h"
#include "hw/remote/sharing_predictor_params.h"
#include "hw/shared/dyneb_params.h"
#include "hw/shared/l1_arbiter_params.h"
#include "hw/shared/route_params.h"
#include "hw/shared/written_filter_params.h"
#include "hw/topology/dc_l1_node_params.h"
#include "hw/topology/home_params.h"
#include "hw/topology/topology_params.h"

namespace gen {

using Params =
    std::variant<hw::IndexParams, hw::AdiMonitorParams, hw::ArbiterParams, hw::AllocatorParams,
                 hw::SwitchParams, hw::CrossbarParams, hw::L1dParams, hw::Axi4BridgeParams, hw::HomeParams,
                 hw::PacketiserParams, hw::ReceiverParams, hw::CrossingParams, hw::DcL1NodeParams,
                 hw::TopologyParams, hw::FilterDuelingParams, hw::ModeSelectorParams, hw::BuclParams,
                 hw::LimitParams, hw::AwlParams, hw::IacmParams, hw::ProtectionDistanceParams,
                 hw::DynebParams, hw::WrittenFilterParams, hw::BlppParams, hw::MeshRouterParams,
                 hw::RouteParams, hw::L1ArbiterParams, hw::SharingPredictorParams, hw::CoreSelectorParams,
                 hw::ProbeTableParams, hw::ProbeHandlerParams, hw::RemoteNodeParams, hw::ButterflyParams,
                 hw::VortexAdapterParams>;

}  // namespace gen
