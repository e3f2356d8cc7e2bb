#include "hw/monitors/change.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "hw/monitors/iacm_ranges.h"
#include "hw/prim/constant_product.h"
#include "hw/prim/split_sum.h"
#include "hw/require.h"

namespace hw {

using rtl::Expr, rtl::zext;

// |now - old| > (n / d) old, as d now > (d + n) old, or d now < (d - n) old: the sides with `old` come from a
// register and are ready early.
Expr changed_by_more(rtl::Module& m, const std::string& name, const Expr& old, const Expr& now,
                     const Fraction& fraction) {
  const int shared = std::gcd(fraction[0], fraction[1]), n = fraction[0] / shared, d = fraction[1] / shared;
  const int width = old.width() + std::bit_width(static_cast<unsigned>(d + n));
  const auto product = [&](const Expr& value, int by) {
    return times(value, static_cast<unsigned>(by), width);
  };
  const Expr scaled = m.let(name + "_scaled", product(now, d), "the new value in parts of the fraction");
  const Expr most = m.let(name + "_most", product(old, d + n), "above it is a change");
  Expr changed = most < scaled;
  if (d > n) {
    const Expr least = m.let(name + "_least", product(old, d - n), "below it is a change");
    changed = changed | (scaled < least);
  }
  return m.let(name, changed, "the value has changed by more than the fraction");
}

namespace {

// A change is one above (d + n) / d of the old value or below (d - n) / d, of terms without a common part; d
// is `odd` times two to the `shift`, by which both bounds are divided before they are kept.
struct Terms {
  int n, d, shift, odd;

  explicit Terms(const Fraction& f) {
    const int shared = std::gcd(f[0], f[1]);
    n = f[0] / shared;
    d = f[1] / shared;
    shift = std::countr_zero(static_cast<unsigned>(d));
    odd = d >> shift;
  }
};

int product_bits(int bits, int by) { return bits + std::bit_width(static_cast<unsigned>(by)); }

// A product by a number of two bits set is one sum, and stands at the start of a register.
Expr scaled(rtl::Module& m, const std::string& name, const Expr& value, int by) {
  const int width = product_bits(value.width(), by);
  const auto bits = static_cast<unsigned>(by);
  const std::string doc = fmt::format("{} times the old value", by);
  if (std::popcount(bits) != 2) return m.let(name, times(value, bits, width), doc);
  const auto part = [&](const char* which, int at) {
    return m.let(name + which, zext(at ? rtl::cat({value, rtl::lit(at, 0)}) : value, width),
                 at ? fmt::format("{} times it", 1 << at) : "the old value");
  };
  return split_sum(m, name, part("_lesser", std::countr_zero(bits)),
                   part("_greater", std::bit_width(bits) - 1), doc);
}

}  // namespace

ChangeBounds change_bounds(int ipc_bits, const Fraction& fraction) {
  const Terms t(fraction);
  const auto bits = [&](int by) { return product_bits(ipc_bits, by) - t.shift; };
  return {.most = bits(t.d + t.n), .least = t.d > t.n ? bits(t.d - t.n) : 0};
}

// d now > (d + n) old, or d now < (d - n) old, which is not d now > (d - n) old - 1; both sides are divided
// by the power of two in d, rounded down.
Expr changed_by_more(rtl::Module& m, const std::string& name, const Expr& old, const IpcSum& now,
                     const Fraction& fraction) {
  const Terms t(fraction);
  const ChangeBounds bounds = change_bounds(old.width(), fraction);
  std::string words = name;
  std::ranges::replace(words, '_', ' ');
  const auto kept = [&](const std::string& what, int by, int less, int bits, const std::string& doc) {
    Expr bound = scaled(m, what, old, by);
    if (less) bound = m.let(what + "_less", bound - rtl::lit(bound.width(), 1), "one less");
    const Expr reg = m.data_reg(what + "_q", bits, doc);
    m.clocked(fmt::format("For {}, a cycle behind the value: {}.", words, doc),
              [&] { m.set(reg, bound.slice(bound.width() - 1, t.shift)); });
    if (t.shift) m.unused("unused_" + what, bound.slice(t.shift - 1, 0), "parts of one");
    return reg;
  };
  const auto above = [&](const std::string& what, const Expr& bound, const std::string& doc) {
    if (t.odd == 1 && bound.width() >= now.now().width()) return now.above(what, bound, doc);
    const int width = std::max(bound.width(), product_bits(now.now().width(), t.odd));
    return m.let(what, zext(bound, width) < times(now.now(), static_cast<unsigned>(t.odd), width), doc);
  };
  const Expr most = kept(name + "_most", t.d + t.n, 0, bounds.most, "above it is a change");
  Expr changed = above(name + "_up", most, "so much more is a change");
  if (bounds.least) {
    const Expr least = kept(name + "_least", t.d - t.n, 1, bounds.least, "up to it is a change");
    changed = changed | ~above(name + "_stays", least, "the value is not so much less");
  }
  return m.let(name, changed, "the value has changed by more than the fraction");
}

void check_change(const std::string& key, const Fraction& f) {
  const std::string written = fmt::format("[{}]", fmt::join(f.begin(), f.end(), ", "));
  const std::string remedy = "use [1, 4], the thesis'";
  require(f.count == 2, key, written, "must be two numbers, numerator and denominator", remedy);
  require(IacmRanges::term.holds(f[0]) && IacmRanges::term.holds(f[1]) && f[1] >= 1, key, written,
          fmt::format("must be a fraction of terms up to {}, its denominator not 0", IacmRanges::term.most),
          remedy);
}

}  // namespace hw
