// A part of a whole, as a number from 0 to 1.
#pragma once
#include <cstdint>

namespace gen {

// 0 of nothing.
inline double share(std::uint64_t part, std::uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace gen
