#include "golden/gpu/memory_bytes.h"

#include <utility>

#include "golden/gpu/memory_request.h"

namespace golden {

// The finisher of splitmix64.
std::uint64_t MemoryBytes::scrambled(std::uint64_t n) {
  n += 0x9E3779B97F4A7C15;
  n = (n ^ (n >> 30)) * 0xBF58476D1CE4E5B9;
  n = (n ^ (n >> 27)) * 0x94D049BB133111EB;
  return n ^ (n >> 31);
}

MemoryBytes::MemoryBytes(int line_bytes, int chunk_bytes, Initial initial)
    : line_bytes_(line_bytes), chunk_bytes_(chunk_bytes), initial_(std::move(initial)) {}

LineData& MemoryBytes::line(std::uint64_t address) {
  const std::uint64_t number = address / static_cast<std::uint64_t>(line_bytes_);
  const auto [found, added] = lines_.try_emplace(number);
  const auto words = static_cast<std::uint64_t>(line_bytes_) / 8;
  if (added)
    for (std::uint64_t i = 0; i < words; ++i) found->second[i] = initial_(number * words + i);
  return found->second;
}

void MemoryBytes::apply(const L1dOut& out, LineData* answered) {
  LineData& here = line(out.memory_request_address);
  const bool writes = is_write(out);
  if (!writes && answered) *answered = here;
  if (!out.memory_request_data) return;
  if (out.memory_request_kind == RequestKind::atomic)
    add(out, here);
  else if (writes && out.memory_request_byte_enable)
    store(out, here);
}

void MemoryBytes::add(const L1dOut& out, LineData& line) const {
  const LineData& data = *out.memory_request_data;
  const int words = chunk_bytes_ / 8;
  for (int i = 0; i < line_bytes_ / 8; ++i) {
    if (!(out.memory_request_mask >> (i / words) & 1)) continue;
    const auto at = static_cast<size_t>(i);
    const std::uint64_t low = (line[at] + data[at]) & 0xFFFFFFFF;
    line[at] = ((line[at] >> 32) + (data[at] >> 32)) << 32 | low;
  }
}

void MemoryBytes::store(const L1dOut& out, LineData& line) const {
  for (int byte = 0; byte < line_bytes_; ++byte) {
    if (!((*out.memory_request_byte_enable)[static_cast<size_t>(byte / 64)] >> (byte % 64) & 1)) continue;
    const std::uint64_t lanes = std::uint64_t{0xFF} << (8 * (byte % 8));
    auto& word = line[static_cast<size_t>(byte / 8)];
    word = (word & ~lanes) | ((*out.memory_request_data)[static_cast<size_t>(byte / 8)] & lanes);
  }
}

}  // namespace golden
