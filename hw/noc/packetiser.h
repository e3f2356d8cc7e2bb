// Messages to flits, by credits and without a register (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <string>

#include "hw/noc/packet_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Stream `in`, flits `out`. State for benches: `credits<v>_q`, and with more than one flit a line `sent_q`,
// the positions of the flits of this message that have left.
rtl::Module packetiser(const PacketParams& p, const std::string& name);

}  // namespace hw
