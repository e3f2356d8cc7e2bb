// The monitors beside a cache, cycle by cycle, by the table of them.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "golden/cache/monitor.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

using Monitors = std::vector<std::unique_ptr<Monitor>>;

// The monitors of these parameters. One may steer another before it in the list.
Monitors cycle_monitors(const hw::L1dParams& params);

// The monitor of this class; null: the cache has none.
template <class M>
const M* monitor_among(const Monitors& monitors) {
  for (const auto& monitor : monitors)
    if (const auto* found = dynamic_cast<const M*>(monitor.get())) return found;
  return nullptr;
}
template <class M>
M* monitor_among(Monitors& monitors) {
  return const_cast<M*>(monitor_among<M>(std::as_const(monitors)));
}

}  // namespace golden
