// Widths of numbers.
#pragma once
#include <bit>

namespace golden {

// Bits that number `things` things, of which there is at least one.
constexpr int bits_for(int things) { return std::bit_width(static_cast<unsigned>(things - 1)); }

}  // namespace golden
