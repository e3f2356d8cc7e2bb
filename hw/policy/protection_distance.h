// Remaining protection distances (RPD) of a cache's lines (ACI thesis, section 4.2.5): a way is open when its
// RPD is 0 and it is not reserved; a load that finds neither its tag nor an open way goes past the cache.
//
// Ports: `probe`, `index`, `hit`, `way`, `reserved`, `accept` (a load), `fill`, `fill_index`, `fill_way`,
// `kill`, `kill_index`, `kill_way` (a line), `flush` in; `bypass`, `open` out, in the same cycle; `clk`,
// `rst`. Ways are one-hot. What happens in which cycle: docs/contracts/iacm.md.
#pragma once
#include <string>

#include "hw/policy/protection_distance_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no unit can be built from the parameters.
void check(const ProtectionDistanceParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module protection_distance(const ProtectionDistanceParams& p, const std::string& name);

}  // namespace hw
