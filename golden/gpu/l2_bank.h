// Lines of an L2 bank: sets of several ways, least recently used first out, written back.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace golden {

class L2Bank {
 public:
  struct Line {
    std::uint64_t number = 0;
    bool valid = false;
    std::uint32_t dirty = 0;  // chunks
    std::uint64_t there = 0;  // the cycle from which its data is in the bank
  };

  // `stride`: the bank has every so manieth line.
  L2Bank(int sets, int ways, int stride)
      : ways_(static_cast<std::size_t>(ways)),
        sets_(static_cast<std::uint64_t>(sets)),
        stride_(static_cast<std::uint64_t>(stride)),
        lines_(ways_ * static_cast<std::size_t>(sets)) {}

  // The line, which becomes the last used; null if it is not there.
  Line* find(std::uint64_t number) {
    const auto set = of(number);
    for (std::size_t w = 0; w < ways_; ++w)
      if (set[w].valid && set[w].number == number) {
        std::rotate(set, set + w, set + w + 1);
        return set;
      }
    return nullptr;
  }
  // The line to be replaced by it.
  const Line& victim(std::uint64_t number) { return of(number)[ways_ - 1]; }
  // Takes the place of the victim, as the last used.
  Line& allocate(std::uint64_t number) {
    const auto set = of(number);
    std::rotate(set, set + ways_ - 1, set + ways_);
    *set = {.number = number, .valid = true};
    return *set;
  }

 private:
  // Ways of its set, the last used first.
  Line* of(std::uint64_t number) { return &lines_[number / stride_ % sets_ * ways_]; }

  const std::size_t ways_;
  const std::uint64_t sets_, stride_;
  std::vector<Line> lines_;
};

}  // namespace golden
