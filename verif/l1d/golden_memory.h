// A memory that answers in any order, and what the requests of a core must find in it.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "golden/l1d/l1d_types.h"
#include "verif/l1d/golden_parameters.h"

namespace verif {

using Bytes = std::array<std::uint8_t, 256>;

inline bool enabled(const golden::ByteMask& mask, int byte) { return mask[byte / 64] >> (byte % 64) & 1; }
inline std::uint8_t byte_of(const golden::LineData& data, int byte) {
  return static_cast<std::uint8_t>(data[byte / 8] >> (8 * (byte % 8)));
}

// Lines whose first bytes are a function of their address.
class ByteLines {
 public:
  Bytes& line(std::uint64_t address) {
    const auto [at, is_new] = lines_.try_emplace(address);
    if (is_new)
      for (size_t i = 0; i < at->second.size(); ++i)
        at->second[i] = static_cast<std::uint8_t>((address / 32 + i) * 0x9e3779b97f4a7c15 >> 56);
    return at->second;
  }
  void write(std::uint64_t address, const golden::ByteMask& enable, const golden::LineData& data) {
    Bytes& bytes = line(address);
    for (int i = 0; i < 256; ++i)
      if (enabled(enable, i)) bytes[i] = byte_of(data, i);
  }

 private:
  std::map<std::uint64_t, Bytes> lines_;
};

// What a line is used for, so that everybody knows what it holds: `shared` ones are written by others, and
// each of their words is the number of the last change; `uncached` ones are for requests that pass the cache
// by.
enum class LineUse { cached, shared, uncached };
inline LineUse use_of(std::uint64_t address) {
  const auto drawn = (address / 32 + 1) * 0x9e3779b97f4a7c15 >> 60;
  return drawn < 3 ? LineUse::shared : drawn < 5 ? LineUse::uncached : LineUse::cached;
}

class OrderedMemory {
 public:
  struct Answer {
    std::uint64_t id = 0;
    std::uint32_t mask = 0;
    golden::LineData data{};
    std::uint64_t from = 0;  // cycle
  };

  // Applies the request in the order of these calls. False: its id is still in use.
  bool accept(const golden::L1dOut& out, std::uint64_t from) {
    for (const Answer& answer : answers)
      if (answer.id == out.memory_request_id) return false;
    Answer answer{.id = out.memory_request_id, .mask = out.memory_request_mask, .from = from};
    const std::uint64_t address = out.memory_request_address;
    const Bytes& bytes = lines.line(address);
    for (int i = 0; i < 256; ++i) answer.data[i / 8] |= std::uint64_t{bytes[i]} << (8 * (i % 8));
    if (use_of(address) == LineUse::shared) answer.data.fill(version);
    if (out.memory_request_kind != golden::RequestKind::load) {
      const golden::ByteMask& enable = *out.memory_request_byte_enable;
      lines.write(address, enable, *out.memory_request_data);
      const bool writes =
          out.memory_request_kind == golden::RequestKind::non_l1 && enable != golden::ByteMask{};
      if (writes || out.memory_request_kind == golden::RequestKind::store) answer.mask = 0;
    }
    answers.push_back(answer);
    return true;
  }

  ByteLines lines;
  std::vector<Answer> answers;
  std::uint64_t version = 0;
};

}  // namespace verif
