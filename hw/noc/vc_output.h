// One output of a crossbar with virtual channels: who owns its VCs, whom it offers one, and the flit that it
// shows (DC-L1 thesis, chapter 5; docs/contracts/vc-crossbar.md).
#pragma once
#include "hw/noc/vc_choice.h"
#include "hw/noc/vc_crossbar_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Ports beside those of the crossbar, for I inputs of V VCs: `heads` and `holds`, bit i*V + v, say whether a
// head for this output, or a flit, is in front of an input VC; `ends` which input sends the end of a
// packet to it. For each iteration t from 1 on, `offer_<t>`, the input, and `offer_vc_<t>`, the VC
// there; `accepted_<t>`, the input that takes it; from 2 on `open_<t>`: inputs without a match.
rtl::Module vc_output(const CrossbarParams& p, const VcRule& rule = any_vc());

}  // namespace hw
