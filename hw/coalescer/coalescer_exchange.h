// What the request half of a coalescer says to the answer half, as ports of both.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// A request leaves; lanes wait for its answer; number and lanes of its instruction.
struct SentRequest {
  rtl::Expr valid, awaited, slot, lanes;
};

// An instruction begins: its number, and its mask, size and offsets. The same in each cycle until its first
// request is split off.
struct OpenedInstruction {
  rtl::Expr valid, slot, shape;
};

// The number of its requests, in each cycle until the first of them leaves.
struct CountedInstruction {
  rtl::Expr valid, slot, count;
};

}  // namespace hw
