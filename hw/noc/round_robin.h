// The round-robin choice without its register: the first request at or after a pointer, and the pointer
// behind it (DC-L1 thesis, chapter 5).
#pragma once
#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"

namespace hw {

// The pointer is kept as a mask of the positions behind the last grant: position k is in it when a request k
// is preferred to all that wrap around. An empty mask prefers position 0, so pointers reset to 0. From 16
// inputs on the choice is made in groups of 8 (10 above 64 inputs), and the mask is one of groups and one of
// positions within the group of the last grant.
struct RoundRobin {
  rtl::Expr grant;  // one-hot, or 0 without a request
  rtl::Expr any;    // some request
  rtl::Expr next;   // the pointer one past the grant; only meaningful with a request
  rtl::Expr stay;   // the pointer at the grant; only with `may_stay`
};

// Bits of a pointer over `inputs`; `may_stay` costs one, for the pointer that stays at a position.
int pointer_bits(int inputs, bool may_stay = false);

// Inputs of a group of the pointer's mask; 0 where it is one mask of all.
int pointer_group(int inputs);

// Adds the choice to `m` as named values; `pointer` is a signal of pointer_bits, or unknown for one input.
RoundRobin round_robin(rtl::Module& m, const rtl::Expr& request, const rtl::Expr& pointer,
                       bool may_stay = false);

// `scale` times the position that a pointer without a stay prefers, for what a unit shows of its state.
rtl::Expr pointer_position(const rtl::Expr& pointer, int inputs, int scale, int width);

// Up to here each line may be compared with all others at once: faster than the searches above, and larger.
inline constexpr int widest_direct_choice = 15;

// The first request at or after the pointer, one-hot. `behind` is the mask of positions 1 and up, `first`
// that of position 0, never set where no pointer stays. `pairwise` is the faster and larger of two forms.
rtl::Expr direct_choice(rtl::Module& m, const rtl::Expr& request, const rtl::Expr& behind,
                        const rtl::Condition& first, bool pairwise);

}  // namespace hw
