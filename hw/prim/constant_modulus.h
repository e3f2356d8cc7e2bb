// Remainders and quotients by constants without a divider, for numbers that are slices of a signal.
#pragma once
#include <string>
#include <utility>

#include "hw/rtl/module.h"

namespace hw {

// Bits low + width - 1 down to low of a signal, as a number.
struct Number {
  rtl::Expr signal = {};
  int low = 0, width = 0;

  rtl::Expr slice(int high, int from) const { return signal.slice(low + high, low + from); }
  rtl::Expr bit(int b) const { return slice(b, b); }
};

// Adds named values that begin with `name` to `m`: `value` modulo `modulus`, which is at least 2, in
// ceil(log2 modulus) bits. Low bits pass where the modulus has factors of two; the rest is added up by the
// remainders of its bits.
rtl::Expr remainder_of(rtl::Module& m, const std::string& name, const Number& value, int modulus);

// The first step of it, for units that do the rest in a later cycle: a shorter number with the same
// remainder.
rtl::Expr shortened(rtl::Module& m, const std::string& name, const Number& value, int modulus);

// For a short number below `limit`: quotient by `divisor`, in as many bits as it needs, by comparing
// and subtracting. Empty where the quotient is always 0.
rtl::Expr quotient_of(rtl::Module& m, const std::string& name, const Number& value, int limit, int divisor);

}  // namespace hw
