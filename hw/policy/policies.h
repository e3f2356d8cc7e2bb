// The table of bypass policies.
#pragma once
#include <memory>

#include "hw/policy/bypass_params.h"
#include "hw/policy/policy.h"

namespace hw {

// What a policy is made from.
struct PolicySocket {
  const BypassParams& params;
  PolicyControls controls;
  int sets, ways;  // of its lines, if they lie in ways
};

std::unique_ptr<Policy> policy_of(const PolicySocket& socket);

}  // namespace hw
