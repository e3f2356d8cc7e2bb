// Flipped bits of a RAM whose rows exist nowhere else, and what a read finds of them: by row and word, the
// error alone, since the codes are linear (docs/contracts/l1d-ecc.md, "Waiting loads and queued requests").
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "golden/ecc/secded.h"
#include "hw/ecc/ecc_params.h"

namespace golden {

class ProtectedRows {
 public:
  ProtectedRows(hw::Protection protection, unsigned row_bits, unsigned rows)
      : row_bits_(row_bits),
        words_((row_bits + 63) / 64),
        code_(protection == hw::Protection::parity ? hw::EccCode::parity : hw::EccCode::secded,
              static_cast<int>(std::max(4u, (row_bits + words_ - 1) / words_))),
        rows_(rows),
        flipped_(std::size_t{rows} * words_),
        read_(words_) {}

  const Secded& code() const { return code_; }
  unsigned row_bits() const { return row_bits_; }
  unsigned words() const { return words_; }
  unsigned rows() const { return rows_; }

  void write(unsigned row) { std::fill_n(&flipped_[std::size_t{row} * words_], words_, CodeWord{}); }
  void flip(unsigned row, unsigned word, const CodeWord& bits) {
    CodeWord& at = flipped_[std::size_t{row} * words_ + word];
    at = at ^ bits;
  }
  bool is_clean(unsigned row, unsigned word) const {
    return flipped_[std::size_t{row} * words_ + word] == CodeWord{};
  }

  const CodeWord& flips(unsigned row, unsigned word) const {
    return flipped_[std::size_t{row} * words_ + word];
  }

  // The edge at which the row is read; it is seen from the next cycle on.
  void read(unsigned row) {
    row_read_ = row;
    std::copy_n(&flipped_[std::size_t{row} * words_], words_, read_.begin());
  }
  unsigned row_read() const { return row_read_; }
  const CodeWord& word_read(unsigned word) const { return read_[word]; }
  // A bit of the row read last was wrong, and is corrected; cannot be.
  bool corrected() const {
    return std::ranges::any_of(read_, [&](const CodeWord& w) { return code_.decode(w).corrected; });
  }
  bool wrong() const {
    return std::ranges::any_of(read_, [&](const CodeWord& w) { return code_.decode(w).uncorrectable; });
  }
  // What is wrong, behind the correction, in so many bits of the row read last.
  std::uint64_t wrong_bits(unsigned first, unsigned bits) const {
    const auto width = static_cast<unsigned>(code_.data_bits());
    std::uint64_t all = 0;
    for (unsigned b = 0; b < bits; ++b)
      all |= (code_.decode(read_[(first + b) / width]).data >> (first + b) % width & 1) << b;
    return all;
  }

 private:
  const unsigned row_bits_, words_;  // words: of a row
  const Secded code_;
  const unsigned rows_;
  std::vector<CodeWord> flipped_, read_;  // by row and word; of the row read last
  unsigned row_read_ = 0;
};

}  // namespace golden
