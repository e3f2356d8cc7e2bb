// BUCL's decision in front of a cache (BUCL, section 4): a load of more requests than TUCD goes past it; and
// a load that finds nothing to reserve does, while the hit rate is low and the buffer of its sub-partition
// little used.
#pragma once
#include "hw/policy/bucl_params.h"
#include "hw/policy/policy.h"

namespace hw {

class Bucl : public Policy {
 public:
  static constexpr ControlName tucd{"tucd"}, hit_rate_low{"hit_rate_low"}, buffer_free{"buffer_free"};
  static constexpr Extra memory_part{"memory_part"};  // number that a load's part of memory follows from

  Bucl(const BuclParams& p, int sources, const ControlSignals& controls)
      : p_(p),
        sources_(sources),
        tucd_(controls[tucd]),
        hit_rate_low_(controls[hit_rate_low]),
        buffer_free_(controls[buffer_free]) {}

  void arrive(rtl::Module& m, int line_bytes, Request& request) override;
  rtl::Condition before_lookup(rtl::Module& m, const Request& request) override;
  rtl::Condition instead_of_fail(rtl::Module& m, const ProbeStage& probe) override;
  void follow(rtl::Module& m, const ProbeStage& probe, const WaysUsed& ways) override;

 private:
  // The source of a request; unknown where there is one.
  rtl::Expr source_of(const Request& request) const;

  const BuclParams p_;
  const int sources_;  // whose loads come mixed
  const rtl::Expr tucd_, hit_rate_low_, buffer_free_;
  rtl::Expr wide_, held_q_;
};

}  // namespace hw
