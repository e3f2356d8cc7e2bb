#include "hw/prim/unary.h"

#include "hw/rtl/optional.h"

#include <fmt/format.h>

#include <algorithm>

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

constexpr int written_out = 3;  // sums of numbers below so many bits stand where they are needed

// The sum is k or more: so it is split between the two in some way.
Expr reaches(const Expr& a, const Expr& b, int k) {
  const auto level = [](const Expr& x, int n) { return x.width() == 1 ? x : x.bit(n - 1); };
  rtl::Optional any;
  for (int i = std::max(0, k - b.width()); i <= std::min(k, a.width()); ++i)
    any |= i == 0 ? level(b, k) : i == k ? level(a, k) : level(a, i) & level(b, k - i);
  return *any;
}

rtl::Module adder(int a_bits, int b_bits, int bits) {
  rtl::Module m(
      fmt::format("unary_sum_{}_{}_{}", a_bits, b_bits, bits),
      fmt::format("The sum of two unary numbers, up to {}: bit k - 1 says that it is k or more.", bits));
  const Expr a = m.input("a", a_bits, "one number, unary");
  const Expr b = m.input("b", b_bits, "the other one");
  const Expr sum = m.output("sum", bits, "the sum of both");
  for (int k = 1; k <= bits; ++k) m.assign(sum.bit(k - 1), reaches(a, b, k));
  return m;
}

Expr added(rtl::Module& m, const std::string& name, const Expr& a, const Expr& b, int most) {
  const int bits = std::min(most, a.width() + b.width());
  if (std::min(a.width(), b.width()) < written_out) {
    std::vector<Expr> sum;  // most significant first
    for (int k = bits; k >= 1; --k) sum.push_back(reaches(a, b, k));
    return m.let(name, rtl::cat(sum), "part of a sum");
  }
  const Expr sum = m.wire(name, bits, "part of a sum");
  m.instance(adder(a.width(), b.width(), bits), name + "_adder", {{"a", a}, {"b", b}, {"sum", sum}},
             "Sum of two unary numbers.");
  return sum;
}

}  // namespace

Expr unary_sum(rtl::Module& m, const std::string& name, std::vector<Expr> terms, int most) {
  for (int level = 1; terms.size() > 1; ++level) {
    std::vector<Expr> next;
    for (std::size_t i = 0; i + 1 < terms.size(); i += 2)
      next.push_back(added(m, fmt::format("{}_{}_{}", name, level, i / 2), terms[i], terms[i + 1], most));
    if (terms.size() % 2) next.push_back(terms.back());
    terms = next;
  }
  return terms[0].width() == most ? terms[0] : m.let(name, rtl::zext(terms[0], most), "the sum");
}

rtl::Module unary_counter(const std::string& name, int n, int most) {
  rtl::Module c(name, fmt::format("How many of {} bit{} are set, as a unary number.", n, n == 1 ? "" : "s"));
  const Expr bits = c.input("bits", n, "the bits to be counted");
  const Expr out = c.output("number", most, "bit k - 1: k are set, or more");
  std::vector<Expr> terms;
  for (int i = 0; i < n; ++i) terms.push_back(bits.bit(i));
  c.assign(out, unary_sum(c, "sum", terms, most));
  return c;
}

Expr unary_turn(const Expr& number, int most) {
  if (most == 1) return ~number;
  return rtl::cat({number.slice(most - 2, 0), lit(1, 1)}) & ~number;
}

}  // namespace hw
