// A product that takes a bit of its factor in each cycle: one side of page placement's latency test.
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// Block b, from the lowest, does in each cycle what the inputs said b cycles before.
inline constexpr int blpp_product_blocks = 3;

struct BlppProductShape {
  int operand_bits, sum_bits;
  int block_bits() const { return (sum_bits + blpp_product_blocks - 1) / blpp_product_blocks; }
};

// Ports: `load`, `again`, `goes`, `factor_bit`, `first`, `second`, `addend` in; `operand`, `sum` out.
rtl::Module blpp_product(const BlppProductShape& s, const std::string& name);

}  // namespace hw
