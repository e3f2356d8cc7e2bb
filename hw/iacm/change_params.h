// By how much a value must change to count as changed (ACI thesis, section 4.2), shared by the hardware and
// its golden twin.
#pragma once
#include <array>

namespace hw {

// A fraction of the older value: numerator, denominator. A change of exactly that much is none.
struct ChangeFraction {
  int count = 2;
  std::array<int, 2> numbers = {1, 4};

  constexpr const int* begin() const { return numbers.data(); }
  constexpr const int* end() const { return numbers.data() + count; }
  constexpr int operator[](int n) const { return numbers[static_cast<std::size_t>(n)]; }
  bool operator==(const ChangeFraction&) const = default;
};

}  // namespace hw
