// A request for chunks of an L1's line, in the lines and sectors of a system's L2: a part for each of its
// lines with a requested byte.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "golden/gpu/system/system_params.h"

namespace golden {

struct LinePart {
  std::uint64_t address = 0;  // of the L2's line
  std::uint32_t sectors = 0;  // of it
};

class LineParts {
 public:
  static constexpr std::size_t most = 2;  // an L1's line has at most 256 bytes

  // A request for no chunk has one part without sectors.
  LineParts(std::uint64_t address, std::uint32_t mask, int line_bytes, int chunk_bytes) {
    constexpr std::uint64_t line = L2Params::line_bytes, sector = L2Params::sector_bytes;
    const auto own = static_cast<std::uint64_t>(line_bytes), chunk = static_cast<std::uint64_t>(chunk_bytes);
    std::uint64_t byte = address / own * own;
    parts_[0].address = byte / line * line;
    for (; mask; mask >>= 1, byte += chunk)
      for (std::uint64_t at = byte; mask & 1 && at < byte + chunk; at += sector)
        add(at / line * line, at % line / sector);
    if (count_ == 0) count_ = 1;
  }

  std::span<const LinePart> all() const { return {parts_.data(), count_}; }

 private:
  void add(std::uint64_t address, std::uint64_t sector) {
    if (count_ == 0 || parts_[count_ - 1].address != address) parts_[count_++] = {.address = address};
    parts_[count_ - 1].sectors |= std::uint32_t{1} << sector;
  }

  std::array<LinePart, most> parts_;
  std::size_t count_ = 0;
};

// The L1s of a system need no parts.
constexpr bool has_lines_of_l2(int line_bytes, int chunk_bytes) {
  return line_bytes == L2Params::line_bytes && chunk_bytes == L2Params::sector_bytes;
}

}  // namespace golden
