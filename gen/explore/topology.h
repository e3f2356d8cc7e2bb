// What timed and untimed runs of topologies share.
#pragma once
#include <string>

#include "gen/explore/explore.h"

namespace gen {

// With an element for each cache.
RunResult empty_topology_result(const Config& config, const ExploreRequest& request,
                                const std::string& trace);
// An SM for each core.
golden::GpuParams topology_gpu_params(const Config& config, const ExploreRequest& request);

}  // namespace gen
