// The table of bypass policies.
#pragma once
#include <memory>

#include "hw/policy/bypass_params.h"
#include "hw/policy/policy.h"

namespace hw {

// What a policy is made from.
struct PolicySocket {
  const BypassParams& params;
  const Controls& controls;  // the ports that steer the cache
  int sets, ways;            // of its lines, if they lie in ways
};

std::unique_ptr<Policy> policy_of(const PolicySocket& socket);

}  // namespace hw
