// The inputs of a cache's own monitors from the SM in front of it and the memory below it, in a cycle.
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

// Of the monitors that the cache has. An update unit's cache is that of the designated SM.
template <class Core, class Memory>
void tell_monitors(MonitorInputs& inputs, const Core& sm, const Memory& memory, const hw::L1dParams& p,
                   bool kernel_starts) {
  if (hw::has_own_thresholds(p.bypass)) {
    const hw::BuclParams& unit = p.bypass.bucl;
    inputs["kernel_start"] = kernel_starts;
    memory.occupancy(inputs.from("occupancy0").first(static_cast<std::size_t>(unit.sub_partitions)),
                     static_cast<unsigned>(unit.buffer_entries));
    inputs.from("issued0")[static_cast<std::size_t>(unit.designated_sm)] =
        static_cast<std::uint8_t>(sm.issued_lanes());
  }
  if (hw::has_controller(p)) tell_controller(inputs, sm, p, kernel_starts);
}

}  // namespace golden
