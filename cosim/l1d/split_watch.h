// What a lock step of an L1 data cache with split tags must come by beyond what any cache does.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "cosim/l1d/axis_watch.h"
#include "golden/tags/split_tags.h"

namespace verif {

class L1dSplitWatch final : public AxisWatch {
 public:
  using AxisWatch::AxisWatch;

  void before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned filled) override;
  void behind(const golden::CycleL1d& golden) override;
  void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const override;

 private:
  enum Event {
    allocated_1,
    allocated_2,
    allocated_3,
    allocated_4,
    allocated_all,
    group_shared,
    retagged,
    several_lines_lost,
    nru_wrapped,
    busy_group_stays,
    held_slot_stays,
    used_chunk_stays,
    no_places,
    dead_slot,
    poisoned_slot,
    filled_for_nobody,
    shifted,
    mode_to_coarse,
    mode_to_fine,
    events
  };

  void take_down(const golden::CycleL1d& golden, const golden::SplitPlaces& plan);
  void see_mode(bool coarse);

  std::array<std::int64_t, events> seen_{};
  bool coarse_ = false;
  // Of the plan made in the last cycle: what it shows if the load fires, and the slots that it passed over.
  struct {
    bool several_lines, passed_busy_group, passed_held, dead, poisoned;
  } plan_{};
};

}  // namespace verif
