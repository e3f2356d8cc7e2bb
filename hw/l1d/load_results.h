// What a load that leaves the probe stage came to: the counters tell it, and so do the probe ports.
#pragma once
#include "hw/tags/tag_store.h"

namespace hw {

// High in the cycle in which the load leaves.
struct LoadResults {
  rtl::Expr hit, hit_pending, partial_miss, miss, bypass;
  rtl::Expr down;    // it sends something down
  rtl::Expr missed;  // chunks that a miss fetches
};

// Adds what the cache does not have yet to `m`.
LoadResults load_results(rtl::Module& m, const ProbeStage& probe, TagStore& tags);

}  // namespace hw
