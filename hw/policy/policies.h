// The table of bypass policies.
#pragma once
#include <memory>

#include "hw/policy/bypass_params.h"
#include "hw/policy/policy.h"
#include "hw/tags/tag_params.h"

namespace hw {

// What a policy is made from.
struct PolicySocket {
  const BypassParams& params;
  ControlSignals controls;
  int sets, ways;  // of its lines, if they lie in ways
};

std::unique_ptr<Policy> policy_of(const PolicySocket& socket);

// Throws ParamError when the cache cannot have the policy, or the policy not these parameters.
struct PolicySite {
  const BypassParams& params;
  TagKind tags;
  int sets, ways;
};
void check(const PolicySite& site);

// What caches beside each other do to the policy of each; empty where they do not.
struct PolicyAround {
  const char* splits_loads = "";  // why none sees all requests of a load, and the remedy
  const char* remedy = "";
  const char* followers = "";  // who follows the one unit that serves the GPU
};
void check(const BypassParams& p, const PolicyAround& around);

}  // namespace hw
