// SM dueling of the reuse-count filter: of two caches that run beside each other, one with the filter and one
// without, the one that misses less often decides for the others (Decoupled L1D paper, section 4).
//
// Ports: `probe<k>_valid`, `probe<k>_block_address`, `probe<k>_miss` in, for the cache with the filter (0)
// and the one without (1), a load's result in the cycle in which it leaves the tag-lookup stage;
// `filter_enable` out; `clk`, `rst`. When an interval ends and when its decision shows:
// docs/contracts/l1d-reuse-filter.md.
#pragma once
#include <string>

#include "hw/monitors/filter_dueling_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Storage in flops, for the manifest.
struct FilterDuelingFacts {
  int counter_bits = 0;   // the four counters
  int decision_bits = 0;  // what an interval came to, and the comparison under way
  int control_bits = 0;   // the cycle of the interval, and the decision
};

struct FilterDueling {
  rtl::Module module;
  FilterDuelingFacts facts;
};

// Throws ParamError when no unit can be built from the parameters.
void check(const FilterDuelingParams& p);

// Checks the parameters and builds the unit as module `name`.
FilterDueling filter_dueling(const FilterDuelingParams& p, const std::string& name);

}  // namespace hw
