// A memory of bytes behind any protocol.
#pragma once
#include <cstdint>
#include <unordered_map>

namespace verif {

// Bytes by address; unwritten ones are a mix of their address.
class ByteMemory {
 public:
  std::uint64_t word(std::uint64_t address) const {
    const auto found = words_.find(address / 8);
    if (found != words_.end()) return found->second;
    std::uint64_t x = (address / 8 + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9;
    return x ^ x >> 29;
  }

  // Writes the bytes of `enable` among the eight from `address` on, a multiple of 8.
  void write(std::uint64_t address, std::uint64_t data, unsigned enable) {
    std::uint64_t mask = 0;
    for (unsigned b = 0; b < 8; ++b)
      if (enable >> b & 1) mask |= std::uint64_t{0xff} << 8 * b;
    if (mask) words_[address / 8] = (word(address) & ~mask) | (data & mask);
  }

  void clear() { words_.clear(); }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> words_;
};

}  // namespace verif
