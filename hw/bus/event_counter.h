// A count of events, as wide as one likes without a long carry.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Module `event_counter_w<bits>`; ports: `event_seen` in, `count` out, a
// cycle behind and modulo 2^bits.
rtl::Module event_counter(int bits);

}  // namespace hw
