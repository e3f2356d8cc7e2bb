// What a cache with the adaptive index has beside it: the monitor's parameters, and the history of sel.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "golden/adaptive/adi_monitor.h"
#include "golden/l1d/monitor.h"
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

// The adaptive index in time: the monitor, to which a load is shown in the cycle behind the one it fired in,
// and the cycles of its flush.
class AdaptiveIndex final : public Monitor {
 public:
  // `cycles_of_change`: each request that has been compared or will be next is looked up again.
  AdaptiveIndex(const hw::AdiMonitorParams& p, int cycles_of_change)
      : monitor_(p), cycles_of_change_(cycles_of_change) {
    note(0);
  }

  std::span<const int> sel() const { return monitor_.sel(); }
  AdiMonitor::Step step() const { return monitor_.step(); }
  bool flushes() const { return monitor_.flush_valid(); }  // cycle f: sel is new in the next one
  // 1 = f, 2 = f + 1 ..; 0 = sel does not change.
  int change_cycle() const { return flushes() ? 1 : changed_ ? changed_ + 1 : 0; }
  bool freezes() const { return change_cycle() != 0; }
  // Of all time: a reset leaves them.
  AdiEvents events() const {
    AdiEvents all = past_;
    return all += monitor_.core().events();
  }
  std::span<const AdiChange> history() const { return history_; }

  void edge(const ProbeEvent* seen, std::uint64_t loads) override {
    changed_ = change_cycle() < cycles_of_change_ ? change_cycle() : 0;
    const bool changes = flushes();
    monitor_.clock(shown_);
    shown_ = {.flush_ready = true};
    if (seen && seen->is_load())
      shown_ = {.probe_valid = true,
                .probe_block_address = seen->block,
                .probe_miss = seen->is_miss(),
                .flush_ready = true};
    if (changes) note(loads);
  }
  void reset(std::uint64_t loads) override {
    past_ = events();
    monitor_ = AdiMonitor(monitor_.core().params());
    shown_ = {.flush_ready = true};
    changed_ = 0;
    note(loads);
  }

 private:
  void note(std::uint64_t loads) {
    if (history_.empty() || !std::ranges::equal(history_.back().sel, sel()))
      history_.emplace_back(loads, sel());
  }

  AdiMonitor monitor_;
  AdiMonitor::In shown_{.flush_ready = true};
  const int cycles_of_change_;
  int changed_ = 0;  // cycles of a change that are over, while it has more
  AdiEvents past_;   // before the latest reset
  std::vector<AdiChange> history_;
};

}  // namespace golden
