// What a cache with the adaptive index has beside it: the monitor's parameters, and the history of sel.
#pragma once
#include <cstdint>
#include <span>

#include "golden/cache/monitor.h"
#include "golden/monitors/adi_monitor.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

inline bool is_adaptive(const hw::L1dParams& p) { return p.index.kind == hw::IndexKind::adi; }

inline hw::AdiMonitorParams monitor_params(const hw::L1dParams& p) {
  return {.address_bits = p.address_bits,
          .line_bytes = p.line_bytes,
          .sets = hw::sets_of(p),
          .period = p.adaptive.period,
          .counter_bits = p.adaptive.counter_bits,
          .idle = p.adaptive.idle,
          .steered = hw::has_controller(p)};
}

// The address bit of each index bit.
inline History sel_history() {
  return {.name = "adi_history", .key = "sel", .title = "address bits of its index"};
}

// The adaptive index in time: the monitor, to which a load is shown in the cycle behind the one it fired in,
// and the cycles of its flush.
class AdaptiveIndex final : public Monitor {
 public:
  // `cycles_of_change`: each request that has been compared or will be next is looked up again.
  AdaptiveIndex(const hw::AdiMonitorParams& p, int cycles_of_change)
      : monitor_(p), cycles_of_change_(cycles_of_change) {
    history_.note(0, sel());
  }

  std::span<const int> sel() const { return monitor_.sel(); }
  int victim() const { return monitor_.core().victim(); }
  AdiMonitor::Step step() const { return monitor_.step(); }
  bool flushes() const override { return monitor_.flush_valid(); }  // cycle f: sel is new in the next one
  // 1 = f, 2 = f + 1 ..; 0 = sel does not change.
  int change_cycle() const { return flushes() ? 1 : changed_ ? changed_ + 1 : 0; }
  bool freezes() const override { return change_cycle() != 0; }
  // Of all time: a reset leaves them.
  AdiEvents events() const {
    AdiEvents all = past_;
    return all += monitor_.core().events();
  }
  const History* history() const override { return &history_; }
  void choose(RunTimeIndex& index) const override { index.select(sel()); }
  void publish(StateList& list) const override { monitor_.publish(list, "monitor."); }

  // Of the cycle that ends next, where a controller begins rounds; true when one ends in it.
  bool steer(bool adi_start) {
    shown_.adi_start = adi_start;
    return monitor_.round_done(shown_);
  }

  void observe(const ProbeEvent& event, unsigned) override {
    if (event.is_load())
      observed_ = {.probe_valid = true,
                   .probe_block_address = event.block,
                   .probe_miss = event.is_miss(),
                   .flush_ready = true};
  }
  void edge(std::uint64_t loads) override {
    changed_ = change_cycle() < cycles_of_change_ ? change_cycle() : 0;
    const bool changes = flushes();
    monitor_.clock(shown_);
    shown_ = observed_;
    observed_ = {.flush_ready = true};
    if (changes) history_.note(loads, sel());
  }
  void reset(std::uint64_t loads) override {
    past_ = events();
    monitor_ = AdiMonitor(monitor_.core().params());
    shown_ = observed_ = {.flush_ready = true};
    changed_ = 0;
    history_.note(loads, sel());
  }

 private:
  AdiMonitor monitor_;
  AdiMonitor::In shown_{.flush_ready = true}, observed_{.flush_ready = true};
  const int cycles_of_change_;
  int changed_ = 0;  // cycles of a change that are over, while it has more
  AdiEvents past_;   // before the latest reset
  History history_ = sel_history();
};

// The adaptive index without time: sel changes with the load that ends a selection.
class UntimedAdaptiveIndex final : public Monitor {
 public:
  explicit UntimedAdaptiveIndex(const hw::AdiMonitorParams& p) : core_(p) { history_.note(0, sel()); }

  std::span<const int> sel() const { return core_.sel(); }
  const AdiCore& core() const { return core_; }
  // With the load that it observed last.
  bool changes() const { return changes_; }
  const History* history() const override { return &history_; }
  void begin() { core_.begin(); }

  void observe(const ProbeEvent& load, unsigned) override {
    changes_ = core_.access(load.block, load.is_miss());
  }
  void edge(std::uint64_t loads) override {
    if (changes_) history_.note(loads, sel());
  }

 private:
  AdiCore core_;
  bool changes_ = false;
  History history_ = sel_history();
};

}  // namespace golden
