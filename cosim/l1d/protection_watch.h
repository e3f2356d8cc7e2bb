// Events of the bypass by protection distances that random traffic must reach.
#pragma once
#include <array>

#include "cosim/l1d/axis_watch.h"

namespace verif {

class L1dProtectionWatch final : public AxisWatch {
 public:
  using AxisWatch::AxisWatch;

  void before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned filled) override;
  void behind(const golden::CycleL1d& golden) override;
  void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const override;

 private:
  enum Event {
    all_reserved,
    all_protected,
    mixed,
    waits_for_queue,
    no_entry_either,
    load_beside_fill,
    poisoned_fill,
    flush_of_protected,
    events
  };

  std::array<std::int64_t, events> seen_{};
  unsigned filled_set_ = ~0u;  // of this cycle's fill, if its line may be found
  bool no_entry_ = false;      // all MSHR entries are in use
};

}  // namespace verif
