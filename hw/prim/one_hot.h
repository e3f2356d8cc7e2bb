// One-hot vectors and numbers; a number of one thing has no bits, and stands as an empty expression.
#pragma once
#include <vector>

#include "hw/rtl/module.h"

namespace hw {

// Bits that number n things; 0 for one.
constexpr int bits_to_number(int n) { return rtl::clog2(static_cast<std::uint64_t>(n)); }

// The known ones of the parts, most significant first; an empty expression when there is none.
rtl::Expr join_known(const std::vector<rtl::Expr>& parts);

// The number of the bit that is set; empty for one bit.
rtl::Expr number_of(const rtl::Expr& one_hot);

// Adds wire `name` to `m`: the number of the bit that is set, of two or more, by an instance.
rtl::Expr number_of(rtl::Module& m, const std::string& name, const rtl::Expr& one_hot,
                    const std::string& doc);

// Adds wire `name` to `m`: bit `number` of n is set, if `when` holds or in any case.
rtl::Expr one_hot_of(rtl::Module& m, const std::string& name, const rtl::Expr& number, int n,
                     const std::string& doc);
rtl::Expr one_hot_of(rtl::Module& m, const std::string& name, const rtl::Expr& when, const rtl::Expr& number,
                     int n, const std::string& doc);

// Adds wire `name` to `m`: the lowest bit of `bits`, a signal, that is set, alone; an instance finds it where
// one statement would be long.
rtl::Expr lowest_of(rtl::Module& m, const std::string& name, const rtl::Expr& bits, const std::string& doc);

// Adds wire `name` to `m`, and an instance that drives it: for each bit, whether one is set below it in its
// group of `group` neighbours.
rtl::Expr below_in_groups(rtl::Module& m, const std::string& name, const rtl::Expr& bits, int group,
                          const std::string& doc);

// Adds wire `name` to `m`, and an instance that drives it: at least `count` bits are set, 2 or 3 of two or
// more.
rtl::Expr at_least(rtl::Module& m, const std::string& name, int count, const rtl::Expr& bits,
                   const std::string& doc);

// Part number `number` of n equal parts, the whole of one part.
rtl::Expr numbered(const rtl::Expr& vector, const rtl::Expr& number, int part_width);

// Adds wire `name` to `m`: how many bits are set, in ceil(log2(width + 1)) bits.
rtl::Expr ones_of(rtl::Module& m, const std::string& name, const rtl::Expr& bits, const std::string& doc);

// For what a unit shows of its state: expressions without a net, of registers.

// Exactly one bit is set.
rtl::Expr one_alone(const rtl::Expr& bits);

// `scale` times the number of the bit that is set.
rtl::Expr scaled_number(const rtl::Expr& one_hot, int scale, int width);

}  // namespace hw
