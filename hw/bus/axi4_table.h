// The requests that are on their way over AXI4: which must wait for which, and what their answers look like.
#pragma once
#include "hw/bus/axi4_bridge_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Inputs of the request that stands in front: `line`, `writes`, `alone` (waits for all others), `id`, `mask`
// (of its answer), `taken`. Outputs: `held`, and `spare` with `spare_valid`, the entry that it takes. Of the
// answer: `answer_place` and `answered` in, `answer_id` and `answer_mask` out.
rtl::Module axi4_table(const Axi4BridgeParams& p);

}  // namespace hw
