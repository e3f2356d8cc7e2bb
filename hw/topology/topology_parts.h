// The parts of a topology between its crossbars: what stands at a core, in a node's place and at a slice
// (DC-L1 thesis, chapter 5; docs/dc-l1-timing.md).
#pragma once
#include <string>
#include <vector>

#include "hw/topology/topology.h"

namespace hw {

// Ports of a flit link to a packetiser (`from`) or a receiver (`to`) of these parameters.
FlitShape shape_of(const PacketParams& p, bool to_receiver);

// At a core with nodes: flits `to_noc1` and `from_noc1`, streams `request` and `response`.
rtl::Module core_port(const TopologyParams& p, const TopologyPlan& plan, const std::string& name);

// At a core without: the same with the core's cache, whose further ports and flush it has. Of the baseline
// the flits are `to_noc2` and `from_noc2`.
rtl::Module core_cache(const TopologyParams& p, const TopologyPlan& plan, const rtl::Module& cache,
                       const std::string& name);

// A node with its packetisers and receivers: flits `from_noc1`, `to_noc1`, `to_noc2`, `from_noc2`, further
// ports, flush, and `home` where the node cuts one from addresses.
rtl::Module node_port(const TopologyParams& p, const TopologyPlan& plan, const rtl::Module& node,
                      const std::string& name);

// A relay of cdxbar: the same flits.
rtl::Module relay(const TopologyParams& p, const TopologyPlan& plan, const std::string& name);

// At a slice: flits `from_noc2` and `to_noc2`, streams `request` and `response`.
rtl::Module slice_port(const TopologyParams& p, const TopologyPlan& plan, const std::string& name);

}  // namespace hw
