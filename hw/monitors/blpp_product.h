// A product that takes a bit of its factor in each cycle: one side of page placement's latency test.
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// Block b, from the lowest, does in each cycle what the inputs said b cycles before.
struct BlppProductShape {
  int operand_bits, sum_bits, blocks;
  int block_bits() const { return (sum_bits + blocks - 1) / blocks; }
};

// Ports: `load`, `again`, `goes`, `factor_bit`, `first`, `second`, `addend` in; `operand`, `sum` out.
rtl::Module blpp_product(const BlppProductShape& s, const std::string& name);

}  // namespace hw
