// Lanes of one line, and of one word: which of them share a request.
#pragma once
#include <string>

#include "hw/coalescer/coalescer_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Ports: `active`, `lines` and `words` of all lanes, `alone` (each lane is a group of its own) in. Out come a
// row a lane of `joins` (the active lanes above it of its line) and of `hides` (those of its word, too), both
// 0 where lanes are alone; `leads`, the active lanes that are the lowest of their groups; `single`: there is
// one group.
rtl::Module line_groups(const CoalescerParams& p, const std::string& name);

}  // namespace hw
