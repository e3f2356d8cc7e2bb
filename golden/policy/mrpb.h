// MRPB's bypass (BUCL, section 4): a load that would be RESERVATION_FAIL but has a miss-queue entry becomes
// BYPASS.
#pragma once
#include "golden/policy/policy.h"

namespace golden {

class Mrpb final : public Policy {
 public:
  bool in_place_of_fail(const PolicyLoad&) const override { return true; }
  bool only_in_place_of_fails() const override { return true; }
};

}  // namespace golden
