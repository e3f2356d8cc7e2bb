// Faults that tests inject by hand, in their own words.
#pragma once
#include "gen/verify/injector.h"

namespace verif {

using gen::Change, gen::Fault, gen::Nets, gen::Verilog;
using gen::fault_file, gen::inject_all, gen::reset_value, gen::texts_of;
using gen::high, gen::inverted, gen::low, gen::only_with, gen::other, gen::other_tie, gen::stuck;

inline Change one_more() {
  return [](const rtl::Expr& net, const Nets&) { return net + rtl::lit(net.width(), 1); };
}
inline Change without_bit(int bit) {
  return [=](const rtl::Expr& net, const Nets&) {
    return net & ~rtl::lit(net.width(), std::uint64_t{1} << bit);
  };
}

}  // namespace verif
