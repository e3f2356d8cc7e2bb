// The addresses that a built-in kernel touches, and where its buffers are.
#pragma once
#include <set>

#include "verif/trace/kernel_run.h"

namespace verif {

inline constexpr std::uint64_t base = 0x10000000;
using Addresses = std::multiset<std::uint64_t>;

// Where the next buffer is.
inline std::uint64_t behind(std::uint64_t start, std::uint64_t bytes) {
  return (start + bytes + 255) / 256 * 256;
}

// Addresses of one kind of access between two positions.
inline Addresses touched(const std::vector<golden::Record>& records, golden::AccessKind kind,
                         std::uint64_t from = 0, std::uint64_t to = ~std::uint64_t{0}) {
  Addresses out;
  for (const golden::Record& record : records) {
    if (record.is_barrier() || record.kind != kind) continue;
    for (const std::uint64_t address : record.addresses())
      if (address >= from && address < to) out.insert(address);
  }
  return out;
}

}  // namespace verif
