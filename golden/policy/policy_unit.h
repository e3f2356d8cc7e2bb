// The unit that says a policy's controls: beside the cache that it watches, for that cache alone or for those
// of all SMs. With time and without.
#pragma once
#include <memory>

#include "golden/cache/monitor.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

class PolicyUnit : public Monitor {
 public:
  // Null unless the cache has one of its own.
  static std::unique_ptr<PolicyUnit> make(const hw::L1dParams& params);

  // Whose cache it watches.
  int watched_sm() const { return watched_sm_; }
  // What the policy's controls show in this cycle, of the cache of an SM.
  virtual void drive(Controls& controls, int sm) const = 0;
  void drive(Controls& controls) const final { drive(controls, watched_sm_); }

 protected:
  explicit PolicyUnit(int watched_sm) : watched_sm_(watched_sm) {}

 private:
  const int watched_sm_;
};

}  // namespace golden
