// Which head gets a free VC of an output: round-robin over all input VCs, as a choice of the input and, side
// by side, of a VC at each input (DC-L1 thesis, chapter 5).
#pragma once
#include "hw/noc/vc_crossbar_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Bits of the pointer, in three registers that exist where they are not 0.
struct HeadPointer {
  int inputs;  // mask of the inputs behind the last head's, as in hw/noc/round_robin.h
  int input;   // the last head's input, one-hot; 0 at reset
  int vcs;     // mask of the VCs behind the last head's, from VC 1 on; it counts at that input
};
HeadPointer head_pointer(const CrossbarParams& p);

// Ports: `heads` bit i*V + v; the parts of the pointer; one-hot `input`, 0 without a head, and per input the
// one-hot `vc` of the head that would leave; `moves`: `used` and the next pointer.
rtl::Module vc_head_search(const CrossbarParams& p, bool moves);

}  // namespace hw
