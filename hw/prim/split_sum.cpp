#include "hw/prim/split_sum.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::zext;

Expr split_sum(rtl::Module& m, const std::string& name, const Expr& a, const Expr& b,
               const std::string& doc) {
  const int width = a.width(), low = width / 2, high = width - low;
  if (low == 0) return m.let(name, a + b, doc);
  const auto lower = [&](const Expr& value) { return zext(value.slice(low - 1, 0), low + 1); };
  const Expr below = m.let(name + "_low", lower(a) + lower(b), "the lower half, and its carry");
  const Expr above = a.slice(width - 1, low) + b.slice(width - 1, low);
  const Expr plain = m.let(name + "_high", above, "the upper half without that carry");
  const Expr carried = m.let(name + "_more", above + lit(high, 1), "and with it");
  return m.let(name, rtl::cat({rtl::mux(below.bit(low), carried, plain), below.slice(low - 1, 0)}), doc);
}

}  // namespace hw
