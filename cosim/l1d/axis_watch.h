// What a lock step of an L1 data cache must come by because of a choice of one axis (its tag organisation, a
// policy, a controller), beyond what any cache does.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "golden/l1d/cycle_l1d.h"

namespace verif {

class AxisWatch {
 public:
  explicit AxisWatch(const hw::L1dParams& params) : params_(params) {}
  virtual ~AxisWatch() = default;

  // Before the edge, and behind it. `filled`: the entry that a fill of this cycle is for, ~0u without one.
  virtual void before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned filled) = 0;
  virtual void behind(const golden::CycleL1d& golden) = 0;
  virtual void reset() {}
  // Adds its events; `ids`: requests in flight at most.
  virtual void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const = 0;

 protected:
  const hw::L1dParams params_;
};

}  // namespace verif
