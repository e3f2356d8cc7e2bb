// What the request half of a coalescer says to the answer half, as ports of both.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// A request leaves; lanes wait for its answer; number and lanes of its instruction.
struct SentRequest {
  rtl::Expr valid, awaited, slot, lanes;
};

// An instruction begins: its number, its mask, size and offsets, and the number of its requests.
struct OpenedInstruction {
  rtl::Expr valid, slot, shape, count;
};

}  // namespace hw
