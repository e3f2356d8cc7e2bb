// Loads of an entry in rows 0, 1 and so on of the entry, in the order in which they join, where all join
// before the first is answered: an entry counts them up, and the replay stage counts through them.
#pragma once
#include "hw/mshr/targets_part.h"

namespace hw {

// Slot of the request's load, and the one behind the MSHR target on offer.
struct Slots {
  std::optional<rtl::Expr> of_load, behind_target;
};

// Adds the counts, and the slots that the replay stage goes through. `joins_soon`: it is known early in the
// cycle whether a load joins, so that the sum can wait for it.
Slots slots_in_order(TargetsPart& f, bool joins_soon);

}  // namespace hw
