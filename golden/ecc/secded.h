// Golden code words of protected RAMs: a word is decoded as the word of the code at distance one, if there is
// one (Hsiao, 1970; docs/contracts/secded.md).
#pragma once
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/ecc/secded_params.h"

namespace golden {

// A word of a RAM, or an error of it: bits that are 1 are flipped.
struct CodeWord {
  std::uint64_t data = 0;
  std::uint32_t check = 0;

  bool operator==(const CodeWord&) const = default;
  CodeWord operator^(const CodeWord& other) const { return {data ^ other.data, check ^ other.check}; }
  int weight() const { return std::popcount(data) + std::popcount(check); }
};

class Secded {
 public:
  struct Checked {
    std::uint64_t data = 0;
    bool corrected = false, uncorrectable = false;
  };

  Secded(hw::EccCode code, int data_bits) : code_(code), data_bits_(data_bits) {
    if (code == hw::EccCode::parity) {
      columns_.assign(static_cast<std::size_t>(data_bits), 1);
      check_bits_ = 1;
    } else {
      choose_columns();
    }
  }

  int data_bits() const { return data_bits_; }
  int check_bits() const { return check_bits_; }
  int bits() const { return data_bits_ + check_bits_; }
  // The check bits that each data bit counts in.
  const std::vector<std::uint32_t>& columns() const { return columns_; }

  CodeWord encode(std::uint64_t data) const {
    CodeWord word{data, 0};
    for (; data; data &= data - 1) word.check ^= columns_[static_cast<std::size_t>(std::countr_zero(data))];
    return word;
  }

  // The error of one bit: data bits first, check bits behind them.
  CodeWord one_bit(int n) const {
    if (n < data_bits_) return {std::uint64_t{1} << n, 0};
    return {0, 1u << (n - data_bits_)};
  }

  Checked decode(const CodeWord& read) const {
    if (is_word(read)) return {read.data};
    if (code_ == hw::EccCode::secded)
      for (int n = 0; n < bits(); ++n)
        if (const CodeWord near = read ^ one_bit(n); is_word(near)) return {near.data, true, false};
    return {read.data, false, true};
  }

 private:
  bool is_word(const CodeWord& word) const { return encode(word.data) == word; }

  // Each data bit takes, among the columns that are left, one of the least odd weight from 3 on; of those the
  // one whose rows have the fewest data bits, and the smallest number in a tie.
  void choose_columns() {
    for (check_bits_ = 3; 1 << (check_bits_ - 1) < data_bits_ + check_bits_;) ++check_bits_;
    std::vector<int> in_row(static_cast<std::size_t>(check_bits_));
    std::vector<bool> taken(std::size_t{1} << check_bits_);
    while (static_cast<int>(columns_.size()) < data_bits_) {
      std::optional<std::pair<std::pair<int, int>, std::uint32_t>> best;
      for (std::uint32_t c = 0; c < taken.size(); ++c) {
        const int weight = std::popcount(c);
        if (taken[c] || weight % 2 == 0 || weight < 3) continue;
        int crowd = 0;
        for (int row = 0; row < check_bits_; ++row)
          if (c >> row & 1) crowd += in_row[static_cast<std::size_t>(row)];
        const std::pair rank{std::pair{weight, crowd}, c};
        if (!best || rank < *best) best = rank;
      }
      const std::uint32_t column = best->second;
      taken[column] = true;
      columns_.push_back(column);
      for (int row = 0; row < check_bits_; ++row) in_row[static_cast<std::size_t>(row)] += column >> row & 1;
    }
  }

  hw::EccCode code_;
  int data_bits_, check_bits_ = 0;
  std::vector<std::uint32_t> columns_;
};

}  // namespace golden
