#include "hw/iacm/change.h"

#include <fmt/ranges.h>

#include <bit>
#include <numeric>

#include "hw/prim/constant_product.h"
#include "hw/require.h"

namespace hw {

using rtl::Expr;

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

void check_change(const std::string& key, const Fraction& f) {
  const std::string written = fmt::format("[{}]", fmt::join(f.begin(), f.end(), ", "));
  const std::string remedy = "use [1, 4], the thesis'";
  require(f.count == 2, key, written, "must be two numbers, numerator and denominator", remedy);
  require(f[0] >= 0 && f[0] <= 255 && f[1] >= 1 && f[1] <= 255, key, written,
          "must be a fraction of terms up to 255, its denominator not 0", remedy);
}

}  // namespace hw
