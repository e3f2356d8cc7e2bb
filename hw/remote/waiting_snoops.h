// Snoops that wait for the L1: whether it takes one is known last in a cycle, and so drives three flops
// (DC-L1 thesis, chapter 3; docs/contracts/remote-core.md).
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// Ports: streams `in` and `out` with one field `line`. `in` is ready when not both slots are taken at the
// start of the cycle.
rtl::Module waiting_snoops(int line_bits, const std::string& name);

}  // namespace hw
