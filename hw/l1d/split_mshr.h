// MSHR file of an L1 data cache with split tags: the chunks on their way from memory, their slots, and the
// loads that wait for them (TSC paper, section 3).
#pragma once
#include <string>

#include "hw/l1d/l1d_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Compares the probe's (set, tag) with all entries at once and answers in the same cycle; takes a new waiter
// with `allocate` (in a new entry) or `merge`; remembers fills, and offers the waiters whose chunks have come
// one by one as `replay_*`. It tells which slots nobody waits for any more.
rtl::Module split_mshr(const L1dParams& p, int tag_bits, const std::string& name);

}  // namespace hw
