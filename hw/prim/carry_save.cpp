#include "hw/prim/carry_save.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr, rtl::lit, rtl::zext;

namespace {

Expr shifted(const Expr& value, int by, int width) {
  return zext(by ? rtl::cat({value, lit(by, 0)}) : value, width);
}

}  // namespace

std::vector<Expr> carry_save(rtl::Module& m, const std::string& name, std::vector<Expr> terms) {
  for (int level = 1; terms.size() > 2; ++level) {
    std::vector<Expr> fewer;
    std::size_t i = 0;
    for (; i + 3 <= terms.size(); i += 3) {
      const std::string stem = fmt::format("{}_{}_{}", name, level, i / 3);
      const Expr &a = terms[i], &b = terms[i + 1], &c = terms[i + 2];
      const int width = a.width();
      fewer.push_back(m.let(stem + "_sum", a ^ b ^ c, "three terms without their carries"));
      const Expr carries = m.let(stem + "_carry", (a & b) | (a & c) | (b & c), "and their carries");
      fewer.push_back(rtl::cat({carries.slice(width - 2, 0), lit(1, 0)}));
      m.unused("unused_" + stem, carries.bit(width - 1), "no sum is as wide");
    }
    for (; i < terms.size(); ++i) fewer.push_back(terms[i]);
    terms = std::move(fewer);
  }
  return terms;
}

std::vector<Expr> terms_of_products(rtl::Module& m, const std::string& name,
                                    const std::vector<std::pair<Expr, unsigned>>& products, int width) {
  std::vector<Expr> terms;
  for (const auto& [value, constant] : products)
    for (int by = 0; constant >> by; ++by)
      if (constant >> by & 1) terms.push_back(shifted(value, by, width));
  return carry_save(m, name, std::move(terms));
}

Expr sum_of_products(rtl::Module& m, const std::string& name,
                     const std::vector<std::pair<Expr, unsigned>>& products, int width) {
  const std::vector<Expr> terms = terms_of_products(m, name, products, width);
  if (terms.empty()) return lit(width, 0);
  return terms.size() == 1 ? terms[0] : terms[0] + terms[1];
}

}  // namespace hw
