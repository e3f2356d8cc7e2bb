// Polynomials over GF(2) as bit masks: bit k is the coefficient of x^k.
#pragma once
#include <cstdint>
#include <string>

namespace hw {

int degree(std::uint64_t poly);  // -1 for the zero polynomial

// A factor of degree 1 or more below the polynomial's own, the smallest there is; 0 when it is irreducible.
std::uint32_t smallest_factor(std::uint32_t poly);

// The smallest irreducible polynomial of a degree from 1 to 16, as a number; of degree 1 it is x + 1, since x
// would select one address bit instead of mixing them.
std::uint32_t smallest_irreducible(int degree);

std::string polynomial_text(std::uint64_t poly);  // "x^5 + x^2 + 1"

}  // namespace hw
