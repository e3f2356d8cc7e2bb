// Exploration of caches in banks: their untimed model, and their timed runs.
#pragma once
#include <functional>
#include <memory>

#include "gen/explore/explore.h"
#include "golden/cache/functional_l1d.h"

namespace gen {

// The untimed model of a configuration's cache, whose parameters are `p`, of all banks together.
std::unique_ptr<golden::FunctionalL1d> functional(const Config& config, const hw::L1dParams& p);

// One configuration in banks on one trace: every SM sends by all ports of its cache. `watch` is called now
// and then with the number of new cycles of an SM, and the share of the trace that has been read.
RunResult timed_in_banks(const Config& config, const std::string& trace, const ExploreRequest& request,
                         const Config* memory, const std::function<void(std::uint64_t, double)>& watch);

}  // namespace gen
