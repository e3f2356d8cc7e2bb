// Flits to messages, packets in the order of their heads, credits back (DC-L1 thesis, chapter 5;
// docs/contracts/dc-l1.md).
#pragma once
#include <string>

#include "hw/noc/packet_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Flits `in`, stream `out`. State for benches: instances `vc<v>` and, with several VCs, `order` are FIFOs of
// hw/prim/fifo.h; `coming_q` the positions of flits still to come, with more than one flit a line.
rtl::Module receiver(const PacketParams& p, const std::string& name);

}  // namespace hw
