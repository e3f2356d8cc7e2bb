// The choice of one output or one input of an iSLIP allocator (McKeown, "The iSLIP Scheduling Algorithm for
// Input-Queued Switches").
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// The choice as a module of its own, of two lines or more: `request` and `pointer` in, one-hot `grant` out;
// `moves`: with the next pointer, for the iteration that moves it. `pairwise` as for direct_choice().
rtl::Module islip_search(int inputs, bool moves, bool pairwise);

}  // namespace hw
