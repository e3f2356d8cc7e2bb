// The parts of a topology between its fabrics: at a core, instead of a node and at a slice (DC-L1 thesis,
// chapter 5; docs/contracts/dc-l1.md). Links are those of the part's group, in the order given here.
#pragma once
#include "hw/topology/dc_l1_node_params.h"
#include "hw/topology/plan.h"

namespace hw {

// At a core with nodes: flits to and from the network; streams `request` and `response`.
BuiltPart core_port(const PartSite& site);

// At a core without: the same with the core's cache, whose further ports and flush it has.
BuiltPart core_cache(const PartSite& site);

// A node with its packetisers and receivers: flits to and from the cores' network, to and from the slices';
// further ports of its cache, flush, and `home` where the node cuts one from addresses.
BuiltPart node_port(const PartSite& site, const DcL1NodeParams& node);

// A relay of hierarchical crossbars: the same flits.
BuiltPart relay(const PartSite& site);

// At a slice: flits to and from the network; streams `request` and `response`.
BuiltPart slice_port(const PartSite& site);

}  // namespace hw
