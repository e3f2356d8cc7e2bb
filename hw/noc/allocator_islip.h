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

}  // namespace hw
