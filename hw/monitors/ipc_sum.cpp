#include "hw/monitors/ipc_sum.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::zext;

IpcSum::IpcSum(rtl::Module& m, const Expr& so_far, const Expr& issued)
    : m_(m), low_bits_(issued.width()), so_far_(so_far), issued_(issued) {
  const int low = low_bits_, high = so_far.width() - low;
  const Expr sum = m.let("ipc_low_sum", zext(so_far.slice(low - 1, 0), low + 1) + zext(issued, low + 1),
                         "the lower bits with this cycle's, and their carry");
  high_ = so_far.slice(so_far.width() - 1, low);
  more_ = m.let("ipc_more", high_ + lit(high, 1), "the upper bits with a carry");
  now_ = m.let("ipc_now", rtl::cat({mux(sum.bit(low), more_, high_), sum.slice(low - 1, 0)}),
               "the sum with this cycle's instructions");
  some_ = m.let("ipc_some", rtl::any(so_far) | rtl::any(issued), "something was issued");
}

Expr IpcSum::above(const std::string& name, const Expr& limit, const std::string& doc) const {
  const int low = low_bits_, wide = low + 2;
  const auto part = [&](const Expr& bits) { return zext(bits.slice(low - 1, 0), wide); };
  const Expr over =
      m_.let(name + "_over", part(so_far_) + zext(issued_, wide) + zext(~limit.slice(low - 1, 0), wide),
             fmt::format("the lower bits of the sum, less those of the limit, plus {}", (1 << low) - 1));
  m_.unused("unused_" + name, over.slice(low - 1, 0), "the carries decide");
  const Expr high = limit.slice(now_.width() - 1, low);
  Expr above = (high < high_) | ((high_ == high) & rtl::any(over.slice(low + 1, low))) |
               ((more_ == high) & over.bit(low + 1));
  if (const int beyond = limit.width() - now_.width(); beyond > 0) {
    const Expr more = limit.slice(limit.width() - 1, now_.width());
    above = above & ~(beyond > 1 ? rtl::any(more) : more);
  }
  return m_.let(name, above, doc);
}

}  // namespace hw
