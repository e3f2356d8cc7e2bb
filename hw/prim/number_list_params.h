// Lists of numbers among parameters: fractions, thresholds. Shared by hardware and reference models.
#pragma once
#include <array>
#include <cstddef>

namespace hw {

// Whole numbers; a plain value, so that a cache's parameters may be a template argument.
template <int longest>
struct NumberList {
  static constexpr int most = longest;
  int count = 0;
  std::array<int, longest> numbers = {};

  constexpr const int* begin() const { return numbers.data(); }
  constexpr const int* end() const { return numbers.data() + count; }
  constexpr int operator[](int n) const { return numbers[static_cast<std::size_t>(n)]; }
  bool operator==(const NumberList&) const = default;
};

// Of two terms: numerator, denominator.
using Fraction = NumberList<2>;

}  // namespace hw
