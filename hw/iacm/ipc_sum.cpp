#include "hw/iacm/ipc_sum.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::zext;

IpcSum::IpcSum(rtl::Module& m, const Expr& so_far, const Expr& issued) : m_(m), low_bits_(issued.width()) {
  const int low = low_bits_, high = so_far.width() - low;
  const Expr sum = m.let("ipc_low_sum", zext(so_far.slice(low - 1, 0), low + 1) + zext(issued, low + 1),
                         "the lower bits with this cycle's, and their carry");
  low_ = sum.slice(low - 1, 0);
  carry_ = sum.bit(low);
  high_ = so_far.slice(so_far.width() - 1, low);
  more_ = m.let("ipc_more", high_ + lit(high, 1), "the upper bits with a carry");
  now_ =
      m.let("ipc_now", rtl::cat({mux(carry_, more_, high_), low_}), "the sum with this cycle's instructions");
  some_ = m.let("ipc_some", rtl::any(so_far) | rtl::any(issued), "something was issued");
}

Expr IpcSum::above(const std::string& name, const Expr& limit, const std::string& doc) const {
  const Expr low_above =
      m_.let(name + "_low", limit.slice(low_bits_ - 1, 0) < low_, "the lower bits alone are above");
  const Expr high = limit.slice(now_.width() - 1, low_bits_);
  const Expr carried = m_.let(name + "_carried", (high_ >= high) | ((more_ == high) & low_above),
                              "the answer with a carry into the upper bits");
  const Expr plain =
      m_.let(name + "_plain", (high < high_) | ((high_ == high) & low_above), "the answer without one");
  Expr above = mux(carry_, carried, plain);
  if (const int beyond = limit.width() - now_.width(); beyond > 0) {
    const Expr more = limit.slice(limit.width() - 1, now_.width());
    above = above & ~(beyond > 1 ? rtl::any(more) : more);
  }
  return m_.let(name, above, doc);
}

}  // namespace hw
