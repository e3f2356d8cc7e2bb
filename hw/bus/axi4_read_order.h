// Which request an R answers: reads of one ID come back in the order in which they were sent (ARM IHI 0022),
// and every read of a line has the line's ID.
#pragma once
#include <optional>

#include "hw/bus/axi4_bridge_params.h"
#include "hw/rtl/module.h"
#include "hw/rtl/optional.h"

namespace hw {

// The ID of a line; unknown where all reads have ID 0.
std::optional<rtl::Expr> axi4_read_id(rtl::Module& m, const Axi4BridgeParams& p, const rtl::Expr& line);

// A queue of entries for each ID, as linked lists. Inputs `sent` with `sent_id` and `sent_place`, `came` and
// `came_id`; output `came_place`, the oldest of that ID. There are IDs for lines of one beat alone.
rtl::Module axi4_read_order(const Axi4BridgeParams& p);

}  // namespace hw
