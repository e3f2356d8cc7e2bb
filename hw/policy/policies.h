// The table of bypass policies.
#pragma once
#include <memory>

#include "hw/policy/bypass_params.h"
#include "hw/policy/policy.h"

namespace hw {

// `controls`: the ports that steer the cache.
std::unique_ptr<Policy> policy_of(const BypassParams& p, const Controls& controls);

}  // namespace hw
