// The 16-bit Fibonacci LFSR behind every random choice: shifts right, s0 ^ s2 ^ s3 ^ s5 enters bit 15.
#pragma once
#include "hw/rtl/module.h"

namespace hw {

inline constexpr std::uint64_t lfsr_seed = 0xACE1;

// The state after `state`, a signal of 16 bits.
rtl::Expr lfsr_next(const rtl::Expr& state);

// Adds wire `name` to `m`: the state 16 steps after `state`, which has no bit in common with it; a module has
// one such.
rtl::Expr lfsr_after_16(rtl::Module& m, const std::string& name, const rtl::Expr& state);

// Adds to `m` the remainder of `value`, a signal of 16 bits, by n from 1 to 16; empty for n = 1.
rtl::Expr remainder_of(rtl::Module& m, const rtl::Expr& value, int n);

}  // namespace hw
