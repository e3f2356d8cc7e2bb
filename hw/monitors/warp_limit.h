// Warp limiting beside a warp scheduler (BUCL, section 4): of the warps that are present, the oldest may
// issue, as many as `limit` says.
//
// Ports: `launch`, `finish`, `waiting` in, a bit a warp slot; `limit` in; `allowed` out, a bit a slot, of
// this cycle's `waiting` and `limit`, while `launch` and `finish` count from the next cycle on; `clk`, `rst`.
#pragma once
#include <string>

#include "hw/monitors/limit_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Bits of the launch order.
constexpr int order_bits(const LimitParams& p) { return p.warps * (p.warps - 1) / 2; }

// Throws ParamError when no unit can be built from the parameters.
void check(const LimitParams& p);

// Checks the parameters and builds the unit as module `name`.
rtl::Module warp_limit(const LimitParams& p, const std::string& name);

}  // namespace hw
