// What a TileLink adapter owes its core, by its ports alone: each message is answered once, with its source
// and size, in beats that follow each other, a read with the bytes that the cache answers; and the cache sees
// each message once, as one request, as it is.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "cosim/bus/tilelink_stimulus.h"

namespace verif {

class TilelinkScoreboard {
 public:
  explicit TilelinkScoreboard(const hw::TilelinkAdapterParams& p) : p_(p) {}

  void reset() { coming_.clear(), open_.clear(), source_of_.clear(), answer_ = {}; }

  // A beat is taken; `shown` is what the cache takes with it.
  std::string taken(const golden::TilelinkA& a, const golden::Message* shown) {
    coming_.push_back(a);
    if (static_cast<int>(coming_.size()) < tilelink_beats(p_, a))
      return shown ? "a request before the last beat of its message" : "";
    const Message message{std::exchange(coming_, {})};
    if (!open_.emplace(a.source, message).second) return "a source that is not free";
    if (!message.for_cache()) return shown ? "a refused message that the cache sees" : "";
    if (!shown) return "a request that the cache does not see";
    if (!source_of_.emplace(shown->id, a.source).second) return "an id that is not free";
    return same(message, *shown);
  }

  // A beat of an answer is taken, while the cache shows `came`, or nothing; `released` if that is taken, too.
  std::string answered(const golden::TilelinkD& d, const golden::Message* came, bool released) {
    if (answer_.beats == 0) {
      const auto found = open_.find(d.source);
      if (found == open_.end()) return "an answer to nobody";
      answer_ = {found->second, 0, d.source};
      open_.erase(found);
    }
    const golden::TilelinkA& a = answer_.message.first();
    if (d.source != answer_.source) return "a beat of another answer within one";
    if (d.size != a.size) return "another size";
    const bool data = a.opcode > 1 && a.opcode < 5;
    if (d.opcode != (a.opcode == 5 ? 2 : data)) return "another answer";
    const int beat = answer_.beats++;
    const bool last = answer_.beats == (data ? tilelink_words(p_, a.size) : 1);
    if (last) answer_.beats = 0;
    if (!answer_.message.for_cache()) {
      const bool hint = a.opcode == 5 && hw::most_beats(p_) > 1;
      return released ? "an answer of nobody" : d.denied == hint ? "denied, or not" : "";
    }
    if (!came || d.denied || d.corrupt) return "an answer of nobody";
    if (released != last) return "an answer of the cache that leaves before its last beat, or after it";
    const auto id = source_of_.find(came->id);
    if (id == source_of_.end() || id->second != d.source) return "another source";
    if (last) source_of_.erase(id);
    for (int b = 0; data && b < p_.data_bytes; ++b)
      if (a.mask >> b & 1 && byte(d.data, b) != byte(came->data, in_line(a, beat, b))) return "another byte";
    return "";
  }

 private:
  struct Message {
    std::vector<golden::TilelinkA> beats = {};

    const golden::TilelinkA& first() const { return beats.front(); }
    bool for_cache() const {
      if (first().opcode > 1) return first().opcode == 4;
      return std::ranges::none_of(beats, [](const golden::TilelinkA& a) { return a.corrupt; });
    }
  };
  struct Answer {
    Message message = {};
    int beats = 0;  // that have left
    std::uint64_t source = 0;
  };

  static std::uint64_t byte(const golden::LineData& data, int b) {
    return data[static_cast<std::size_t>(b / 8)] >> b % 8 * 8 & 0xff;
  }
  static bool has(const golden::ByteMask& mask, int b) {
    return mask[static_cast<std::size_t>(b / 64)] >> b % 64 & 1;
  }
  int in_line(const golden::TilelinkA& a, int beat, int b) const {
    const std::uint64_t word = a.address & ~static_cast<std::uint64_t>(p_.data_bytes - 1);
    return static_cast<int>((word + static_cast<unsigned>(beat * p_.data_bytes + b)) %
                            static_cast<unsigned>(p_.line_bytes));
  }

  std::string same(const Message& message, const golden::Message& m) const {
    const golden::TilelinkA& a = message.first();
    const auto line = static_cast<unsigned>(p_.line_bytes);
    if (m.address / line != a.address / line) return "another line";
    if (m.mask == 0) return "a request of no sector";
    std::uint32_t sectors = 0;
    const int words = tilelink_words(p_, a.size);
    for (int b = 0; b < words * p_.data_bytes; ++b) sectors |= 1u << in_line(a, 0, b) / p_.chunk_bytes;
    if (m.mask & ~sectors) return "a sector that the message does not have";
    if (a.opcode == 4 && words > 1) return m.mask == sectors ? "" : "a sector that is not read";
    int written = 0;
    for (std::size_t n = 0; n < message.beats.size(); ++n)
      for (int b = 0; b < p_.data_bytes; ++b) {
        const golden::TilelinkA& beat = message.beats[n];
        const int there = in_line(a, static_cast<int>(n), b);
        const bool meant = beat.mask >> b & 1;
        if (meant && !(m.mask >> there / p_.chunk_bytes & 1)) return "a byte outside the mask";
        if (a.opcode == 4 || !meant) continue;
        ++written;
        if (!has(m.byte_enable, there) || byte(m.data, there) != byte(beat.data, b)) return "another byte";
      }
    for (int b = 0; b < p_.line_bytes; ++b) written -= has(m.byte_enable, b);
    return written == 0 ? "" : "a byte that nobody writes";
  }

  hw::TilelinkAdapterParams p_;
  std::vector<golden::TilelinkA> coming_;             // beats of the message on channel A
  std::map<std::uint64_t, Message> open_;             // by source
  std::map<std::uint64_t, std::uint64_t> source_of_;  // by id
  Answer answer_;
};

}  // namespace verif
