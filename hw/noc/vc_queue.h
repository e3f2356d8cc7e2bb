// The flits of one input VC of a crossbar: their control shifts towards a decoded front, their data stays
// where it was written (DC-L1 thesis, chapter 5).
#pragma once
#include "hw/noc/vc_crossbar_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Bits of a flit that are only carried along: side above data.
int word_bits(const CrossbarParams& p);

// Ports: `push` with a flit, `pop` of the front; a flit pushed in one cycle may be in front in the next.
// Pushing into a full queue is not allowed. `heads` is the destination of a head in front, one-hot; 0
// without. `width` is that of word_bits(), as the parent names it.
rtl::Module vc_queue(const CrossbarParams& p, const rtl::Size& width);

}  // namespace hw
