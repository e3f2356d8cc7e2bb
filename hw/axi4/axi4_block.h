// The smallest aligned block of chunks that holds a mask: what one AXI4 transaction reads or writes.
#pragma once
#include "hw/axi4/axi4_bridge_params.h"
#include "hw/rtl/module.h"

namespace hw {

struct Axi4Block {
  rtl::Expr offset = {};  // number of its first chunk; unknown when a line is one chunk
  rtl::Expr size = {};    // log2 of the bytes of a beat
  rtl::Expr two = {};     // it needs two beats; unknown where none does
  rtl::Expr holes = {};   // it has chunks that are not in the mask; unknown when a line is two chunks or one
};

// Adds the block of `mask` to `m` as named values.
Axi4Block axi4_block(rtl::Module& m, const Axi4BridgeParams& p, const rtl::Expr& mask);

}  // namespace hw
