// The beats of a burst on an address channel of AXI4 (ARM IHI 0022, A3.4).
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Module `axi4_burst_a<address>_i<id>_d<data bytes>`: takes a burst of channel AR or AW, and shows its beats
// one after the other, the next one after `advance`. Another burst may enter in the cycle of the last beat.
rtl::Module axi4_burst(int address_bits, int id_bits, int data_bytes);

}  // namespace hw
