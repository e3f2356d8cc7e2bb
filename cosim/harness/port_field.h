// Numbers inside a port as wide as it likes, read from its bytes.
#pragma once
#include <cstdint>
#include <cstring>

namespace verif {

// Bits `low` and up of a little-endian vector, which ends 64 bits or more behind them.
inline std::uint64_t field(const std::uint8_t* bytes, unsigned low, int width) {
  const unsigned shift = low % 8;
  std::uint64_t value;
  std::memcpy(&value, bytes + low / 8, 8);
  value >>= shift;
  if (shift + static_cast<unsigned>(width) > 64) value |= std::uint64_t{bytes[low / 8 + 8]} << (64 - shift);
  return value & (~std::uint64_t{0} >> (64 - width));
}

inline std::uint64_t part(const std::uint8_t* bytes, unsigned number, int width) {
  return field(bytes, number * static_cast<unsigned>(width), width);
}

}  // namespace verif
