// Bandwidth- and latency-aware page placement (ACI thesis, section 5): which of two memory nodes a new page
// goes to, by what counters of a period say of latency and traffic.
//
// Ports: `a1`, `m1`, `a2`, `m2`, `flits` (events of the cycle, 8 bits each), `request`, `gpu_full`,
// `cpu_full` in; `p` (17 bits, from a register) and `place_cpu` (of the request, in its cycle) out; `clk`,
// `rst`. What happens in which cycle: docs/contracts/blpp.md.
#pragma once
#include <string>

#include "hw/monitors/blpp_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no unit can be built from the parameters.
void check(const BlppParams& p);

// Checks the parameters and builds the unit as module `name`, its parts as `name`_counters, _evaluate and
// _place.
rtl::Module blpp(const BlppParams& p, const std::string& name);

// The parts: sums of a period's events in its last cycle; p from those sums; a page's node.
rtl::Module blpp_counters(const BlppParams& p, const std::string& name);
rtl::Module blpp_evaluate(const BlppParams& p, const std::string& name);
rtl::Module blpp_place(const BlppParams& p, const std::string& name);

}  // namespace hw
