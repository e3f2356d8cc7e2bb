// iSLIP: outputs offer to one input each, inputs accept one offer each, both in turn (McKeown, "The iSLIP
// Scheduling Algorithm for Input-Queued Switches"; DC-L1 thesis, chapter 5).
#pragma once
#include <string>

#include "hw/noc/allocator_islip_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no allocator can be built from the parameters.
void check(const AllocatorParams& p);

// Ports: `request` in, `grant` out in the same cycle; bit i*J + j is input i and output j.
rtl::Module allocator_islip(const AllocatorParams& p, const std::string& name);

// Cycles within which a request is granted when all requests stand until they are. An output stays with the
// input at its pointer until that accepts it, after J - 1 refusals at most; but one that starts to ask nearer
// to the pointer pushes it back, and it may begin again. With d inputs from the pointer to the one that
// waits, that is refused in at most T(d) = d (J - 1) + 1 + T(d - 1) cycles, T(1) = J - 1.
constexpr int longest_wait(const AllocatorParams& p) {
  return (p.outputs - 1) * p.inputs * (p.inputs + 1) / 2 + p.inputs;
}

}  // namespace hw
