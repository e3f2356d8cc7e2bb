// Unary numbers: bit k - 1 says that the number is k or more; no bits beyond the needed ones are made.
#pragma once
#include <vector>

#include "hw/rtl/module.h"

namespace hw {

// The sum of unary numbers, all of them signals, in `most` bits, as named values of `m`.
rtl::Expr unary_sum(rtl::Module& m, const std::string& name, std::vector<rtl::Expr> terms, int most);

// Module of `bits` in, `number` out: how many of n bits are set, unary, `most` at most.
rtl::Module unary_counter(const std::string& name, int n, int most);

// Bit k of `most`: the unary number is k.
rtl::Expr unary_turn(const rtl::Expr& number, int most);

}  // namespace hw
