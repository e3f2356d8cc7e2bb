// A set of numbers that mostly come in runs, such as the CTAs that a trace has passed.
#pragma once
#include <cstdint>
#include <unordered_map>

namespace golden {

class NumberSet {
 public:
  // False when the number is there already.
  bool add(std::uint64_t number) {
    std::uint64_t& word = words_[number / 64];
    const std::uint64_t bit = std::uint64_t{1} << number % 64;
    const bool fresh = !(word & bit);
    word |= bit;
    return fresh;
  }
  void clear() { words_.clear(); }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> words_;
};

}  // namespace golden
