// The choice of one output or one input of an iSLIP allocator (McKeown, "The iSLIP Scheduling Algorithm for
// Input-Queued Switches").
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// When the pointer moves past the grant: never here; if the bit `used` says so, which needs a grant; if the
// grant's own bit of `accepted` says so, where no other is set; with each grant.
enum class Moves { no, if_used, if_accepted, each };

// The choice as a module of its own, of two lines or more: `request` and `pointer` in, one-hot `grant` out;
// `next`, the pointer in the next cycle, where it moves. `pairwise` as for direct_choice().
rtl::Module islip_search(int inputs, Moves moves, bool pairwise);

// The next pointer of at most `widest_direct_choice` lines, past the one-hot `chosen` if `used`.
rtl::Expr pointer_past(const rtl::Expr& chosen, const rtl::Expr& used, const rtl::Expr& pointer);

}  // namespace hw
