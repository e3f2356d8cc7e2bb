#include "hw/rtl/size.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "hw/rtl/expr.h"

namespace rtl {
namespace {

std::vector<std::string> factors_of(const std::string& product) {
  std::vector<std::string> factors;
  for (std::size_t from = 0; from <= product.size();) {
    const std::size_t to = std::min(product.find('*', from), product.size());
    factors.push_back(product.substr(from, to - from));
    from = to + 1;
  }
  return factors;
}

std::string product_of(const std::string& a, const std::string& b) {
  std::vector<std::string> factors = factors_of(a);
  for (std::string& factor : factors_of(b)) factors.push_back(std::move(factor));
  std::ranges::sort(factors);
  return fmt::format("{}", fmt::join(factors, "*"));
}

}  // namespace

Size Size::named(const std::string& name, int value) {
  Size size(value);
  size.number_ = 0;
  size.terms_[name] = 1;
  return size;
}

Size operator+(const Size& a, const Size& b) {
  Size sum = a;
  sum.value_ += b.value_;
  sum.number_ += b.number_;
  for (const auto& [product, times] : b.terms_)
    if ((sum.terms_[product] += times) == 0) sum.terms_.erase(product);
  return sum;
}

Size operator-(const Size& a, const Size& b) { return a + b * -1; }

Size operator*(const Size& a, const Size& b) {
  Size out(a.value_ * b.value_);
  out.number_ = a.number_ * b.number_;
  const auto add = [&](const std::string& product, int times) {
    if ((out.terms_[product] += times) == 0) out.terms_.erase(product);
  };
  for (const auto& [product, times] : a.terms_) add(product, times * b.number_);
  for (const auto& [product, times] : b.terms_) add(product, times * a.number_);
  for (const auto& [left, m] : a.terms_)
    for (const auto& [right, n] : b.terms_) add(product_of(left, right), m * n);
  return out;
}

// Products before single parameters, what is added before what is taken off.
std::string Size::text(bool spaced) const {
  std::vector<std::pair<std::string, int>> terms(terms_.begin(), terms_.end());
  std::ranges::stable_sort(terms, [](const auto& a, const auto& b) {
    const auto rank = [](const auto& t) {
      return std::pair(t.second < 0, -static_cast<int>(factors_of(t.first).size()));
    };
    return rank(a) < rank(b);
  });
  std::string out;
  const auto add = [&](int times, const std::string& what) {
    if (!out.empty())
      out += fmt::format(fmt::runtime(spaced ? " {} " : "{}"), times < 0 ? "-" : "+");
    else if (times < 0)
      out += "-";
    out += what;
  };
  for (const auto& [product, times] : terms) {
    std::vector<std::string> factors = factors_of(product);
    if (std::abs(times) != 1) factors.insert(factors.begin(), fmt::format("{}", std::abs(times)));
    add(times, fmt::format("{}", fmt::join(factors, spaced ? " * " : "*")));
  }
  if (number_ != 0 || out.empty()) add(number_, fmt::format("{}", std::abs(number_)));
  return out;
}

bool Size::is_simple() const {
  return terms_.empty() || (terms_.size() == 1 && number_ == 0 && terms_.begin()->second == 1 &&
                            factors_of(terms_.begin()->first).size() == 1);
}

Size divided(const Size& size, int by) {
  if (size.is_number()) return size.value() / by;
  return Size::named(fmt::format(fmt::runtime(size.is_simple() ? "{}/{}" : "({})/{}"), size.text(false), by),
                     size.value() / by);
}

Size address_bits(const Size& rows) {
  const int bits = clog2(static_cast<std::uint64_t>(rows.value()));
  if (rows.is_number()) return bits;
  return Size::named(fmt::format("$clog2({})", rows.text(false)), bits);
}

}  // namespace rtl
