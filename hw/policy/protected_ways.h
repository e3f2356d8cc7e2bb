// Bypass by protection distances in front of a cache whose lines lie in ways (ACI thesis, section 4.2.5): a
// load takes an open way, and without one goes past the cache.
#pragma once
#include "hw/policy/policy.h"
#include "hw/policy/protection_distance_params.h"

namespace hw {

class ProtectedWays : public Policy {
 public:
  explicit ProtectedWays(const ProtectionDistanceParams& p) : p_(p) {}

  bool closes_ways() const override { return true; }
  std::optional<rtl::Expr> open_ways(rtl::Module& m, const ProbeStage& probe) override;
  rtl::Condition instead_of_allocation(rtl::Module& m, const ProbeStage& probe) override;
  void follow(rtl::Module& m, const ProbeStage& probe, const WaysUsed& ways) override;

 private:
  const ProtectionDistanceParams p_;
  rtl::Expr open_, none_open_;
};

}  // namespace hw
