// What a lock step of an L1 data cache came by: the events that random traffic must reach, and stalls.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/l1d/adi_watch.h"
#include "cosim/l1d/axis_watch.h"
#include "cosim/l1d/filling_watch.h"
#include "cosim/l1d/l1d_scoreboard.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

class L1dWatch {
 public:
  explicit L1dWatch(const hw::L1dParams& params);

  // Before the edge, and behind it.
  void before(const golden::L1dIn& in, const golden::L1dOut& out, const golden::CycleL1d& golden);
  // An entry's state, now and then.
  void entry(unsigned e, bool poisoned) {
    // A poisoned entry leaves that state only by the answer of its last load.
    seen_[poisoned_answered] += was_poisoned_[e] && !poisoned;
    was_poisoned_[e] = poisoned;
  }
  void behind(const golden::CycleL1d& golden);
  void out_of_order() { ++seen_[out_of_order_answers]; }
  void reset();

  // Event -> times; events that these parameters cannot reach are left out.
  std::map<std::string, std::int64_t> goals(const golden::CycleL1d& golden,
                                            const L1dScoreboard& scoreboard) const;
  // Cycles in which the request in the tag-lookup stage did not fire, by golden::Stall.
  const std::array<std::int64_t, golden::stall_names.size()>& stalls() const { return stalls_; }

 private:
  enum Event {
    poisoned_answered,
    poisoned_refused,
    no_way_free,
    flush_with_pending,
    fill_into_flushed,
    fill_into_poisoned,
    nru_wrap,
    direct_lost,
    replay_lost,
    out_of_order_answers,
    hits_back_to_back,
    hit_without_bank,
    resets,
    drop_of_present,
    drop_of_pending,
    drop_of_nothing,
    snoop_of_present,
    snoop_of_pending,
    snoop_of_nothing,
    store_held,
    events
  };

  void drop(const golden::CycleL1d& golden);
  void snoop(const golden::CycleL1d& golden);

  const hw::L1dParams params_;
  unsigned id_bits_, entry_bits_;
  std::array<std::int64_t, events> seen_{};
  std::array<std::int64_t, golden::stall_names.size()> stalls_{}, bypass_wanted_{};  // by a bypass
  std::vector<std::uint8_t> was_poisoned_;
  unsigned hits_in_a_row_ = 0;
  L1dFillingWatch filling_;
  std::optional<L1dAdaptiveWatch> adaptive_;
  std::vector<std::unique_ptr<AxisWatch>> axes_;  // those of the choices that have some
  const bool in_ways_;                            // lines lie in ways
};

}  // namespace verif
