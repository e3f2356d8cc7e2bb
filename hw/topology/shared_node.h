// A core with its L1 among shared L1s: route, queues, arbiter, cache, and the ends of both meshes (DC-L1
// thesis, chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include "hw/shared/route_params.h"
#include "hw/topology/plan.h"

namespace hw {

// The ends of a core's group, in this order.
enum SharedEnd { to_homes, to_slices, from_cores, from_slices, to_cores, from_homes };

// Streams `request` and `response`, flush, what its cache has besides; ties `core` and `node`.
BuiltPart shared_node(const PartSite& site, const RouteParams& route);

// What waits for what in it: queues, L1, MSHRs and links.
std::vector<Wait> shared_node_waits();

}  // namespace hw
