// A first-in first-out queue of flip-flops whose front is a register.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Ports: streams `in` and `out` with one field `data`. Ready when not full at the start of the cycle; a word
// taken in one cycle is in front in the next when nobody stands before it. 1 to 64 entries.
rtl::Module fifo(const rtl::Size& entries, const rtl::Size& word_bits);

}  // namespace hw
