// Lanes of one line: which is the lowest of them.
#pragma once
#include <string>

#include "hw/coalescer/coalescer_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Ports: `active`, `lines` of all lanes, `alone` (each lane is a group of its own) in; `first`, the number of
// the lowest active lane of each lane's group, and `leads`, the active lanes that are the lowest of theirs,
// out. Numbers of lanes that are not active mean nothing.
rtl::Module line_groups(const CoalescerParams& p, const std::string& name);

}  // namespace hw
