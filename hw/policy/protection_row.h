// Protection distances where the set of the next load is known a cycle ahead, as in a cache: the distances of
// the probe's set stand in registers, and which ways are open does not wait for them.
//
// Ports: those of `protection_distance`, and of the request that enters the tag-lookup stage `moves`,
// `comes`, `enter_index`. `kill` is of the probe's set.
#pragma once
#include <string>

#include "hw/policy/protection_distance_params.h"
#include "hw/rtl/module.h"

namespace hw {

rtl::Module protection_row(const ProtectionDistanceParams& p, const std::string& name);

}  // namespace hw
