// What a lock step of an L1 data cache must come by where SRRIP replaces its lines.
#pragma once
#include <array>
#include <vector>

#include "cosim/l1d/axis_watch.h"

namespace verif {

class L1dSrripWatch : public AxisWatch {
 public:
  explicit L1dSrripWatch(const hw::L1dParams& params);

  void before(const golden::L1dIn&, const golden::CycleL1d&, unsigned /*filled*/) override {}
  void behind(const golden::CycleL1d& golden) override;
  void reset() override;
  void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const override;

 private:
  enum Event { promoted, distant_victim, nearer_victim, above_victim, events };

  const unsigned ways_;
  std::vector<unsigned> rrpv_;  // by set and way, as the last load of the set left them
  std::array<std::int64_t, events> seen_{};
};

}  // namespace verif
