#include "hw/index/polynomials.h"

#include <fmt/format.h>

#include <bit>

namespace hw {

int degree(std::uint64_t poly) { return std::bit_width(poly) - 1; }

namespace {
std::uint32_t remainder(std::uint32_t value, std::uint32_t divisor) {
  for (int k = degree(value); k >= degree(divisor); --k)
    if (value >> k & 1) value ^= divisor << (k - degree(divisor));
  return value;
}
}  // namespace

std::uint32_t smallest_factor(std::uint32_t poly) {
  for (std::uint32_t f = 2; 2 * degree(f) <= degree(poly); ++f)
    if (remainder(poly, f) == 0) return f;
  return 0;
}

std::uint32_t smallest_irreducible(int of_degree) {
  std::uint32_t poly = (std::uint32_t{1} << of_degree) | 1;
  while (smallest_factor(poly)) poly += 2;
  return poly;
}

std::string polynomial_text(std::uint64_t poly) {
  std::string text;
  for (int k = degree(poly); k >= 0; --k)
    if (poly >> k & 1)
      text += fmt::format("{}{}", text.empty() ? "" : " + ",
                          k == 0   ? "1"
                          : k == 1 ? "x"
                                   : fmt::format("x^{}", k));
  return text.empty() ? "0" : text;
}

}  // namespace hw
