#include "hw/remote/own_core.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit;

OwnCore::OwnCore(rtl::Module& m, int core, int cores)
    : m_(m), core_(core), cores_(cores), bits_(bits_to_number(cores)) {
  if (core == any_core) input_ = m.input("core", bits_, "number of the core; constant");
}

Expr OwnCore::number(int bits) const {
  if (!is_input()) return lit(bits, static_cast<std::uint64_t>(core_));
  return bits > bits_ ? rtl::zext(*input_, bits) : *input_;
}

void OwnCore::pass_on(std::vector<std::pair<std::string, Expr>>& pins) const {
  if (is_input()) pins.emplace_back("core", *input_);
}

Expr OwnCore::side(const std::string& name, int n, bool behind, const std::string& doc) {
  const Expr set = m_.wire(name, n, doc);
  m_.comb("Compare with each number.", [&] {
    m_.loop("other", n, [&](const Expr& k) {
      const Expr other = k.slice(bits_ - 1, 0);
      m_.set(set.at(k), behind ? *input_ < other : other < *input_);
    });
  });
  return set;
}

Expr OwnCore::behind() { return side("behind", cores_, true, "cores behind this one"); }

Expr OwnCore::below() {
  if (!below_) below_ = side("below", cores_ - 1, false, "other cores below this one");
  return *below_;
}

Expr OwnCore::without_own(const Expr& all) {
  const int others = cores_ - 1;
  if (is_input()) return (all.slice(others - 1, 0) & below()) | (all.slice(others, 1) & ~below());
  m_.unused("unused_own", all.bit(core_), "no core sends to itself");
  std::vector<Expr> parts;
  if (core_ < others) parts.push_back(all.slice(others, core_ + 1));
  if (core_ > 0) parts.push_back(all.slice(core_ - 1, 0));
  return cat(parts);
}

Expr OwnCore::with_own_out(const Expr& others) {
  const int n = cores_ - 1;
  if (is_input()) return cat({lit(1, 0), others & below()}) | cat({others & ~below(), lit(1, 0)});
  std::vector<Expr> parts;
  if (core_ < n) parts.push_back(others.slice(n - 1, core_));
  parts.push_back(lit(1, 0));
  if (core_ > 0) parts.push_back(others.slice(core_ - 1, 0));
  return cat(parts);
}

Expr OwnCore::next(int places) {
  if (!is_input()) return lit(bits_, static_cast<std::uint64_t>((core_ + places) % cores_));
  const Expr all = lit(bits_ + 1, static_cast<std::uint64_t>(cores_));
  const Expr sum = m_.let(fmt::format("core_plus{}", places),
                          rtl::zext(*input_, bits_ + 1) + lit(bits_ + 1, static_cast<std::uint64_t>(places)),
                          "before it goes around");
  const Expr around =
      m_.let(fmt::format("core_around{}", places), rtl::mux(sum < all, sum, sum - all), "and behind");
  m_.unused(fmt::format("unused_carry{}", places), around.bit(bits_), "the number is of a core");
  return around.slice(bits_ - 1, 0);
}

}  // namespace hw
