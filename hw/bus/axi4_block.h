// The smallest aligned block of chunks that holds a mask: what one AXI4 transaction reads or writes.
#pragma once
#include <optional>

#include "hw/bus/axi4_bridge_params.h"
#include "hw/rtl/module.h"

namespace hw {

struct Axi4Block {
  std::optional<rtl::Expr> offset;  // number of its first chunk, where a line has several
  rtl::Expr size;                   // log2 of the bytes of a beat
  std::optional<rtl::Expr> two;     // it needs two beats, where some does
  std::optional<rtl::Expr> holes;   // it has chunks that are not in the mask, where a line has more than two
};

// Adds the block of `mask` to `m` as named values.
Axi4Block axi4_block(rtl::Module& m, const Axi4BridgeParams& p, const rtl::Expr& mask);

}  // namespace hw
