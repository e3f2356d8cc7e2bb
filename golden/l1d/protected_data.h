// Check bits beside the data of an L1 data cache, and what reads find of flipped bits
// (docs/contracts/l1d-ecc.md).
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "golden/ecc/secded.h"
#include "golden/l1d/data_store.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

class ProtectedData {
 public:
  // What was found in the chunks that are read.
  struct Found {
    bool wrong = false;   // some word is none of the code
    bool beyond = false;  // and some word cannot be corrected
  };

  ProtectedData(const hw::L1dParams& p, const hw::EccParams& ecc)
      : code_(ecc.data == hw::Protection::parity ? hw::EccCode::parity : hw::EccCode::secded, ecc.data_bits),
        words_(static_cast<unsigned>(8 * p.chunk_bytes / ecc.data_bits)),
        slots_(static_cast<unsigned>(hw::bytes_of_set(p) / p.chunk_bytes)),
        check_(static_cast<std::size_t>(hw::sets_of(p)) * slots_ * words_) {}

  const Secded& code() const { return code_; }
  unsigned words_of_chunk() const { return words_; }
  unsigned slots() const { return slots_; }

  void write(unsigned set, const Slots& slots, std::uint32_t chunks, const LineData& line) {
    each(chunks, [&](unsigned c, unsigned w) {
      check_[at(set, slots[c], w)] = code_.encode(word(line, c, w)).check;
    });
  }
  // Of these chunks the enabled bytes, each a word.
  void write(unsigned set, const Slots& slots, std::uint32_t chunks, const LineData& line,
             const ByteMask& enables) {
    each(chunks, [&](unsigned c, unsigned w) {
      const unsigned byte = place(c, w) / 8;
      if (enables[byte / 64] >> byte % 64 & 1)
        check_[at(set, slots[c], w)] = code_.encode(word(line, c, w)).check;
    });
  }
  // Of a line as it was read, which is corrected where that is possible.
  Found check(unsigned set, const Slots& slots, std::uint32_t chunks, LineData& line) const {
    Found found;
    each(chunks, [&](unsigned c, unsigned w) {
      const std::uint64_t read = word(line, c, w);
      const Secded::Checked checked = code_.decode({read, check_[at(set, slots[c], w)]});
      found.wrong |= checked.corrected || checked.uncorrectable;
      found.beyond |= checked.uncorrectable;
      line[place(c, w) / 64] ^= (read ^ checked.data) << place(c, w) % 64;
    });
    return found;
  }
  // The word, whose data are the low bits, is one of the code.
  bool is_clean(unsigned set, unsigned slot, unsigned w, std::uint64_t data) const {
    const std::uint64_t low = data & ~std::uint64_t{0} >> (64 - code_.data_bits());
    return code_.encode(low).check == check_[at(set, slot, w)];
  }
  void flip(unsigned set, unsigned slot, unsigned w, std::uint32_t bits) { check_[at(set, slot, w)] ^= bits; }

 private:
  template <class See>
  void each(std::uint32_t chunks, const See& see) const {
    for (; chunks; chunks &= chunks - 1)
      for (unsigned w = 0; w < words_; ++w) see(static_cast<unsigned>(std::countr_zero(chunks)), w);
  }
  // Bit of the line.
  unsigned place(unsigned c, unsigned w) const {
    return (c * words_ + w) * static_cast<unsigned>(code_.data_bits());
  }
  std::uint64_t word(const LineData& line, unsigned c, unsigned w) const {
    return line[place(c, w) / 64] >> place(c, w) % 64 & ~std::uint64_t{0} >> (64 - code_.data_bits());
  }
  std::size_t at(unsigned set, unsigned slot, unsigned w) const {
    return (static_cast<std::size_t>(set) * slots_ + slot) * words_ + w;
  }

  const Secded code_;
  const unsigned words_, slots_;  // of a chunk; of a set
  std::vector<std::uint32_t> check_;
};

}  // namespace golden
