// A core among cores that search each other's L1s, with its ends of both meshes: probes and requests to and
// from packets (DC-L1 thesis, chapter 3; docs/contracts/remote-core.md).
#pragma once
#include <vector>

#include "hw/remote/remote_node_params.h"
#include "hw/topology/plan.h"

namespace hw {

// The ends of a core's group, in this order.
enum RemoteEnd { to_requests, from_requests, to_replies, from_replies };

// Of any core of the topology.
RemoteNodeParams remote_node_params(const TopologyParams& p);

// Ids as they travel: {of a core, supplier or tracked, entry and sequence or the id of the L1's memory side}.
int rest_of_group_bits(const TopologyParams& p);
int travelling_id_bits(const TopologyParams& p);

// Streams `request` and `response`, flush, events of its cache; ties `core` and `place`.
BuiltPart remote_core(const PartSite& site);

// What waits for what in it: queues, L1, MSHRs and links.
std::vector<Wait> remote_core_waits();

}  // namespace hw
