// What the lock step of a cache with the adaptive index came by.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "golden/l1d/cycle_l1d.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class L1dAdaptiveWatch {
 public:
  explicit L1dAdaptiveWatch(const hw::L1dParams& params);

  // Before the edge, and behind it. `filled`: the entry whose fill is taken, ~0u = none.
  void before(const golden::L1dIn& in, const golden::L1dOut& out, const golden::CycleL1d& golden,
              unsigned filled);
  void behind(const golden::CycleL1d& golden);

  // Event -> times.
  std::map<std::string, std::int64_t> goals(const golden::CycleL1d& golden) const;

 private:
  void change(const golden::CycleL1d& golden);
  void change_of_slots(const golden::CycleL1d& golden);
  void passed_slots(const golden::CycleL1d& golden);

  enum Event {
    change_with_pending,
    fill_in_change,
    fill_behind_change,
    core_flush_in_change,
    request_refused,
    probe_in_first,
    probe_in_second,
    probe_in_third,
    change_with_held,
    change_with_plan,
    dead_slot_passed,
    events
  };

  const hw::L1dParams params_;
  int change_cycle_ = 0;                         // which of the cycles of a change it is
  std::vector<std::uint8_t> reserved_poisoned_;  // entries that a change of sel found in use
  std::array<std::int64_t, events> seen_{};
};

}  // namespace verif
