// The bytes of a whole address space, line by line, kept only where they were touched.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/gpu/next_level.h"

namespace verif {

// Byte masks of eight bytes, for each value of eight byte enables.
inline constexpr auto spread_bytes = [] {
  std::array<std::uint64_t, 256> table{};
  for (unsigned enables = 0; enables < 256; ++enables)
    for (unsigned b = 0; b < 8; ++b)
      if (enables >> b & 1) table[enables] |= std::uint64_t{0xff} << 8 * b;
  return table;
}();

// The byte enables of word `w` of a line as a mask of its bits.
inline std::uint64_t enabled_bits(const golden::ByteMask& enables, int w) {
  return spread_bytes[enables[static_cast<std::size_t>(w / 8)] >> (w % 8 * 8) & 0xff];
}

class L1dLines {
 public:
  explicit L1dLines(int line_bytes)
      : bytes_(line_bytes), shift_(std::countr_zero(static_cast<unsigned>(line_bytes))) {
    clear();
  }

  // The line of a byte address. Stays where it is until the next call.
  golden::LineData& at(std::uint64_t address) {
    const std::uint64_t key = address >> shift_;
    std::size_t slot = place(key);
    if (used_[slot] == none) {
      if (4 * lines_.size() >= used_.size() * 3) grow(), slot = place(key);
      used_[slot] = static_cast<std::uint32_t>(lines_.size());
      keys_[slot] = key;
      auto& line = lines_.emplace_back();
      for (int w = 0; w < bytes_ / 8; ++w)
        line[static_cast<std::size_t>(w)] =
            golden::NextLevel::scrambled((key << shift_) / 8 + static_cast<unsigned>(w));
    }
    return lines_[used_[slot]];
  }

  void write(std::uint64_t address, const golden::LineData& data, const golden::ByteMask& enables) {
    golden::LineData& line = at(address);
    for (int w = 0; w < bytes_ / 8; ++w) {
      const auto i = static_cast<std::size_t>(w);
      const std::uint64_t mask = enabled_bits(enables, w);
      line[i] = (line[i] & ~mask) | (data[i] & mask);
    }
  }

  // What an atomic does to memory here, as golden::NextLevel does it: adds 32-bit words, in the chunks of its
  // mask.
  void add(std::uint64_t address, const golden::LineData& data, std::uint32_t mask, int chunk_bytes) {
    golden::LineData& line = at(address);
    for (int w = 0; w < bytes_ / 8; ++w) {
      if (!(mask >> (8 * w / chunk_bytes) & 1)) continue;
      const auto i = static_cast<std::size_t>(w);
      constexpr std::uint64_t low = 0xffffffff;
      line[i] = ((line[i] + data[i]) & low) | (((line[i] & ~low) + (data[i] & ~low)) & ~low);
    }
  }

  // Everything is as in the beginning: different from line to line and from byte to byte.
  void clear() {
    used_.assign(1 << 10, none);
    keys_.assign(1 << 10, 0);
    lines_.clear();
  }

 private:
  static constexpr std::uint32_t none = ~0u;

  std::size_t place(std::uint64_t key) const {
    std::size_t slot = (key * 0x9e3779b97f4a7c15 >> 32) & (used_.size() - 1);
    while (used_[slot] != none && keys_[slot] != key) slot = (slot + 1) & (used_.size() - 1);
    return slot;
  }

  void grow() {
    const auto used = std::move(used_);
    const auto keys = std::move(keys_);
    used_.assign(2 * used.size(), none);
    keys_.assign(2 * used.size(), 0);
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (used[i] == none) continue;
      const std::size_t slot = place(keys[i]);
      used_[slot] = used[i];
      keys_[slot] = keys[i];
    }
  }

  int bytes_, shift_;
  std::vector<std::uint32_t> used_;  // numbers of lines_
  std::vector<std::uint64_t> keys_;
  std::vector<golden::LineData> lines_;
};

}  // namespace verif
