#include "hw/index/index_pli.h"

#include <fmt/format.h>

#include "hw/index/polynomials.h"
#include "hw/require.h"

namespace hw {
namespace {
std::uint32_t polynomial(const IndexParams& p) {
  return p.poly ? p.poly : smallest_irreducible(index_bits(p));
}
}  // namespace

LinearIndex index_pli(const IndexParams& p) {
  const int s = index_bits(p);
  const std::uint64_t poly = polynomial(p);
  LinearIndex map{fmt::format("Set index = block address modulo P(x) = {} over GF(2)", polynomial_text(poly)),
                  "ACI thesis, section 3.2.3", rtl::Loc::current(), std::vector<std::uint64_t>(s)};
  // Bit i of x^k mod P says whether block-address bit k is a tap of index bit i.
  std::uint64_t power = 1;
  for (int k = 0; k < block_address_bits(p); ++k) {
    if (power >> s & 1) power ^= poly;
    for (int i = 0; i < s; ++i) map.rows[i] |= (power >> i & 1) << k;
    power <<= 1;
  }
  return map;
}

void check_pli(const IndexParams& p) {
  const int s = index_bits(p);
  const std::uint32_t poly = polynomial(p);
  const std::string value = fmt::format("{:#x}", poly);
  require(degree(poly) == s, "index.poly", value,
          fmt::format("has degree {}, but {} sets need degree {}", degree(poly), p.sets, s),
          fmt::format("use {:#x}, or 0 for the default", smallest_irreducible(s)));
  const std::uint32_t factor = smallest_factor(poly);
  require(
      factor == 0 || p.allow_reducible, "index.poly", value,
      fmt::format("{} is reducible, it has the factor {}", polynomial_text(poly), polynomial_text(factor)),
      fmt::format("use {:#x}, or set index.allow_reducible = true", smallest_irreducible(s)));
}

}  // namespace hw
