// What a TileLink adapter owes its core, by its ports alone: each request is answered once, with its source
// and size, a read with the bytes that the cache answers; and the cache sees each request once, as it is.
#pragma once
#include <map>
#include <string>

#include "golden/client/tilelink_adapter.h"

namespace verif {

class TilelinkScoreboard {
 public:
  explicit TilelinkScoreboard(const hw::TilelinkAdapterParams& p) : p_(p) {}

  void reset() { open_.clear(), source_of_.clear(); }

  // A request is taken; `shown` is what the cache takes with it.
  std::string taken(const golden::TilelinkA& a, const golden::Message* shown) {
    if (!open_.emplace(a.source, a).second) return "a source that is not free";
    const bool for_cache = a.opcode == 4 || (a.opcode < 2 && !a.corrupt);
    if (!for_cache) return shown ? "a refused message that the cache sees" : "";
    if (!shown) return "a request that the cache does not see";
    if (!source_of_.emplace(shown->id, a.source).second) return "an id that is not free";
    return same(a, *shown);
  }

  // An answer is taken; `came` is the cache's that is taken with it.
  std::string answered(const golden::TilelinkD& d, const golden::Message* came) {
    const auto found = open_.find(d.source);
    if (found == open_.end()) return "an answer to nobody";
    const golden::TilelinkA a = found->second;
    open_.erase(found);
    if (d.size != a.size) return "another size";
    if (d.denied == (came != nullptr)) return "an answer of nobody";
    if (!came)
      return d.opcode == (a.opcode == 5 ? 2 : a.opcode == 2 || a.opcode == 3) ? "" : "another answer";
    const auto id = source_of_.find(came->id);
    if (id == source_of_.end() || id->second != d.source) return "another source";
    source_of_.erase(id);
    if (d.opcode != (a.opcode == 4)) return "another answer";
    for (int b = 0; a.opcode == 4 && b < p_.data_bytes; ++b)
      if (a.mask >> b & 1 && byte(d.data, b) != byte(came->data, in_line(a, b))) return "another byte";
    return "";
  }

 private:
  static std::uint64_t byte(const golden::LineData& data, int b) {
    return data[static_cast<std::size_t>(b / 8)] >> b % 8 * 8 & 0xff;
  }
  static bool has(const golden::ByteMask& mask, int b) {
    return mask[static_cast<std::size_t>(b / 64)] >> b % 64 & 1;
  }
  int in_line(const golden::TilelinkA& a, int b) const {
    const std::uint64_t word = a.address & ~static_cast<std::uint64_t>(p_.data_bytes - 1);
    return static_cast<int>((word + static_cast<unsigned>(b)) % static_cast<unsigned>(p_.line_bytes));
  }

  std::string same(const golden::TilelinkA& a, const golden::Message& m) const {
    const auto line = static_cast<unsigned>(p_.line_bytes);
    if (m.address / line != a.address / line) return "another line";
    if (m.mask == 0) return "a request of no sector";
    int written = 0;
    for (int b = 0; b < p_.data_bytes; ++b) {
      const int there = in_line(a, b);
      const bool meant = a.mask >> b & 1;
      if (meant && !(m.mask >> there / p_.chunk_bytes & 1)) return "a byte outside the mask";
      if (a.opcode == 4 || !meant) continue;
      ++written;
      if (!has(m.byte_enable, there) || byte(m.data, there) != byte(a.data, b)) return "another byte";
    }
    for (int b = 0; b < p_.line_bytes; ++b) written -= has(m.byte_enable, b);
    return written == 0 ? "" : "a byte that nobody writes";
  }

  hw::TilelinkAdapterParams p_;
  std::map<std::uint64_t, golden::TilelinkA> open_;   // by source
  std::map<std::uint64_t, std::uint64_t> source_of_;  // by id
};

}  // namespace verif
