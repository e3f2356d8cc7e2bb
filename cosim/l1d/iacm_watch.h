// Events of a controller inside the cache that random traffic must reach: kernels that start in each of its
// states, rounds of the adaptive index that are cancelled in each of theirs, and counts of a search that pay
// or do not.
#pragma once
#include <array>

#include "cosim/l1d/axis_watch.h"
#include "golden/monitors/awl.h"

namespace verif {

class L1dIacmWatch final : public AxisWatch {
 public:
  using AxisWatch::AxisWatch;

  void before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned filled) override;
  void behind(const golden::CycleL1d& golden) override;
  void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const override;

 private:
  enum Event {
    kernel_in_adi_start,
    kernel_in_round,
    kernel_in_rest,
    kernel_in_awl_start,
    kernel_in_search,
    kernel_in_idle,
    kernel_in_change,
    cancels_victimization,
    cancels_victim_search,
    cancels_selection,
    cancels_winner_search,
    starts_in_change,
    round_keeps_sel,
    round_moves_sel,
    limit_moves,
    count_pays,
    count_fails,
    wakes,
    events
  };

  void see_search(const golden::Awl& awl, const golden::L1dIn& in);

  std::array<std::int64_t, events> seen_{};
  bool idle_ = false, kernel_ = false;
  int limit_ = 0;
};

}  // namespace verif
