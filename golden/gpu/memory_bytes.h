// The bytes that a memory holds, line by line, and what a cache's requests make of them.
#pragma once
#include <cstdint>
#include <functional>
#include <unordered_map>

#include "golden/cache/l1d_types.h"

namespace golden {

// Requests take effect in the order in which they are applied. A load, and a non-L1 request without byte
// enables, is answered with the chunks of its mask; a store changes the enabled bytes. An atomic adds each
// 32-bit word of its data under the mask to memory and is answered with what was there before.
class MemoryBytes {
 public:
  // The eight bytes at address 8 * n of memory that nobody has written.
  using Initial = std::function<std::uint64_t(std::uint64_t n)>;
  static std::uint64_t scrambled(std::uint64_t n);  // an initial content: a hash of n

  MemoryBytes(int line_bytes, int chunk_bytes, Initial initial);

  // What memory holds now.
  LineData& line(std::uint64_t address);
  // Applies the request that a cache drives. `answered` gets its line as it was before, unless the request
  // writes.
  void apply(const L1dOut& out, LineData* answered);

 private:
  void add(const L1dOut& out, LineData& line) const;
  void store(const L1dOut& out, LineData& line) const;

  int line_bytes_, chunk_bytes_;
  Initial initial_;
  std::unordered_map<std::uint64_t, LineData> lines_;
};

}  // namespace golden
