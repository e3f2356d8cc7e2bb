// The data of an L1 data cache: a chunk in each slot of each set.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "golden/cache/tag_store.h"

namespace golden {

class DataStore {
 public:
  DataStore(int sets, int slots, unsigned chunk_words)
      : slots_(static_cast<std::size_t>(slots)),
        chunk_words_(chunk_words),
        words_(static_cast<std::size_t>(sets) * slots_ * chunk_words) {}

  // These chunks of a line; the others of `line` stay as they are.
  void read(unsigned set, const Slots& slots, std::uint32_t chunks, LineData& line) const {
    for (; chunks; chunks &= chunks - 1) {
      const auto c = static_cast<unsigned>(std::countr_zero(chunks));
      std::copy_n(&words_[at(set, slots[c])], chunk_words_, &line[c * chunk_words_]);
    }
  }
  void write(unsigned set, const Slots& slots, std::uint32_t chunks, const LineData& line) {
    for (; chunks; chunks &= chunks - 1) {
      const auto c = static_cast<unsigned>(std::countr_zero(chunks));
      std::copy_n(&line[c * chunk_words_], chunk_words_, &words_[at(set, slots[c])]);
    }
  }

  // Of these chunks the enabled bytes.
  void write(unsigned set, const Slots& slots, std::uint32_t chunks, const LineData& line,
             const ByteMask& enables) {
    for (; chunks; chunks &= chunks - 1) {
      const auto c = static_cast<unsigned>(std::countr_zero(chunks));
      for (unsigned word = 0; word < chunk_words_; ++word) {
        const unsigned of_line = c * chunk_words_ + word;
        const std::uint64_t bits = bits_of(enables[of_line / 8] >> 8 * (of_line % 8) & 0xff);
        std::uint64_t& kept = words_[at(set, slots[c]) + word];
        kept = (kept & ~bits) | (line[of_line] & bits);
      }
    }
  }

  std::uint64_t word(unsigned set, unsigned slot, unsigned word) const {
    return words_[at(set, slot) + word];
  }
  void flip(unsigned set, unsigned slot, unsigned word, std::uint64_t bits) {
    words_[at(set, slot) + word] ^= bits;
  }

  // A bank holds one slot of all sets and does one thing a cycle.
  static bool share_a_bank(const Slots& a, std::uint32_t chunks_a, const Slots& b, std::uint32_t chunks_b) {
    for (; chunks_a; chunks_a &= chunks_a - 1)
      for (std::uint32_t left = chunks_b; left; left &= left - 1)
        if (a[static_cast<unsigned>(std::countr_zero(chunks_a))] ==
            b[static_cast<unsigned>(std::countr_zero(left))])
          return true;
    return false;
  }

 private:
  // All bits of the bytes that are enabled, of eight.
  static std::uint64_t bits_of(std::uint64_t bytes) {
    std::uint64_t bits = 0;
    for (unsigned b = 0; b < 8; ++b)
      if (bytes >> b & 1) bits |= std::uint64_t{0xff} << 8 * b;
    return bits;
  }
  std::size_t at(unsigned set, unsigned slot) const { return (set * slots_ + slot) * chunk_words_; }

  const std::size_t slots_;  // of a set
  const unsigned chunk_words_;
  std::vector<std::uint64_t> words_;
};

}  // namespace golden
