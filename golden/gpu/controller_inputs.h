// The inputs of a cache's controller from the SM in front of it in a cycle.
#pragma once
#include <algorithm>

#include "golden/cache/monitor_inputs.h"
#include "golden/gpu/sm.h"

namespace golden {

// `Core` is an Sm, or what can say as much of one.
template <class Core>
void tell_controller(MonitorInputs& inputs, const Core& sm, const hw::L1dParams& p, bool kernel_starts) {
  const auto number = [](int value) { return static_cast<std::uint16_t>(value); };
  inputs["kernel_start"] = kernel_starts;
  inputs["total"] = number(std::clamp(sm.resident(p.limit.scope), 1, p.limit.warps));
  inputs["issued"] = number(std::min(static_cast<int>(sm.issued_lanes()), p.iacm.awl.issue_max));
}

}  // namespace golden
