// One input of a crossbar with virtual channels: its queues, and which output's offer it accepts (DC-L1
// thesis, chapter 5; docs/contracts/vc-crossbar.md).
#pragma once
#include "hw/noc/vc_crossbar_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Ports beside those of the crossbar, for J outputs and V VCs: `heads` bit j*V + v: a head for output j is in
// front of VC v; `empty`, the complement of `holds` from other registers. For each iteration t from 1 on,
// `offer_<t>`, a bit an output, with `offer_vc_<t>`, bit j*V + v, and `accepted_<t>`, one-hot; from 2 on
// `open_<t>`: no match yet. `ends`: the output that the end of a packet leaves for, one-hot.
rtl::Module vc_input(const CrossbarParams& p);

}  // namespace hw
