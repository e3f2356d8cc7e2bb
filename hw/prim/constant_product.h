// Products by constants without a multiplier.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// `constant` times the value, modulo 2^width, as a sum of shifted copies: for constants with few bits set.
rtl::Expr times(const rtl::Expr& value, unsigned constant, int width);

}  // namespace hw
