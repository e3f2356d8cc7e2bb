// What a cache with the adaptive index has beside it: the monitor's parameters, and the history of sel.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "golden/adaptive/adi_monitor.h"
#include "golden/l1d/l1d_types.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

inline bool is_adaptive(const hw::L1dParams& p) { return p.index.kind == hw::IndexKind::adi; }

inline hw::AdiMonitorParams monitor_params(const hw::L1dParams& p) {
  return {.address_bits = p.address_bits,
          .line_bytes = p.line_bytes,
          .sets = hw::sets_of(p),
          .period = p.adaptive.period,
          .counter_bits = p.adaptive.counter_bits,
          .idle = p.adaptive.idle};
}

// The address bit of each index bit, from some load on.
struct AdiChange {
  std::uint64_t loads;  // before it
  std::vector<int> sel;

  AdiChange(std::uint64_t loads_before, std::span<const int> bits)
      : loads(loads_before), sel(bits.begin(), bits.end()) {}
  bool operator==(const AdiChange&) const = default;
};

// The load sent something down.
inline bool is_miss(Result result) {
  return result == Result::miss || result == Result::partial_miss || result == Result::bypass;
}

}  // namespace golden
