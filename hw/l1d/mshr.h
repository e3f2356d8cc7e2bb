// MSHR file of the L1 data cache: the lines on their way from memory and the loads that wait for them
// (baseline of the TSC, ACI and Decoupled-L1D papers).
#pragma once
#include <string>

#include "hw/l1d/l1d_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Bits that number the entries, and the waiting loads of an entry.
int entry_bits(const L1dParams& p);
int place_bits(const L1dParams& p);
int waiter_rows(const L1dParams& p);

// Compares the probe's (set, tag) with all entries at once and answers in the same cycle; takes a new waiter
// with `allocate` (in a new entry) or `merge`; remembers fills, and offers the waiters whose chunks have come
// one by one as `replay_*`.
rtl::Module mshr(const L1dParams& p, int tag_bits, const std::string& name);

}  // namespace hw
