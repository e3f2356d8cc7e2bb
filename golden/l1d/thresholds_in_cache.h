// BUCL's update unit in the cache that it watches: it is told of a load in the cycle behind the one in which
// the load leaves (docs/contracts/bucl.md).
#pragma once
#include <optional>
#include <utility>

#include "golden/l1d/own_thresholds.h"

namespace golden {

class ThresholdsInCache final : public Monitor {
 public:
  explicit ThresholdsInCache(const hw::BuclParams& p) : own_(p) {}

  const OwnThresholds& own() const { return own_; }
  void drive(Controls& controls) const { own_.drive(controls); }
  void tell(const MonitorInputs& inputs) { own_.tell(inputs); }

  void reset(std::uint64_t loads) override {
    own_.reset(loads);
    left_.reset();
    leaves_.reset();
  }
  void hear(const ProbeEvent& event, unsigned) override { leaves_ = event; }
  void edge(std::uint64_t loads) override {
    if (left_) own_.hear(*left_, 0);
    own_.edge(loads);
    left_ = std::exchange(leaves_, std::nullopt);
  }
  const History* history() const override { return own_.history(); }

 private:
  OwnThresholds own_;
  std::optional<ProbeEvent> leaves_, left_;  // in this cycle, in the one before
};

}  // namespace golden
