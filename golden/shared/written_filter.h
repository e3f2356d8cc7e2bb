// Golden written filter: which lines a core may have stored to past their homes (DC-L1 thesis, chapter 4;
// docs/contracts/shared-l1.md).
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "golden/state.h"
#include "hw/shared/written_filter_params.h"

namespace golden {

class WrittenFilter {
 public:
  struct In {
    bool clear = false, valid = false, mark = false, odd = false;
    std::uint64_t block = 0;
  };

  explicit WrittenFilter(const hw::WrittenFilterParams& p)
      : p_(p), marked_(std::size_t{1} << p.filter_bits) {}

  bool ready() const { return left_ == 0; }
  // Says something in the cycle after a request.
  bool answers() const { return answers_; }
  bool written() const { return written_; }

  // Bit of a line: what each bit of its address above the lowest adds, one by one.
  std::size_t index(std::uint64_t block, bool odd) const {
    std::size_t fold = 0;
    for (int bit = 1; bit < 64; ++bit)
      fold ^= static_cast<std::size_t>(block >> bit & 1) << (bit - 1) % (p_.filter_bits - 1);
    return fold * 2 + odd;
  }

  void reset() { *this = WrittenFilter(p_); }

  void edge(const In& in) {
    answers_ = in.valid && ready();
    if (left_ > 0) --left_;
    if (answers_) {
      const std::size_t at = index(in.block, in.odd);
      written_ = marked_[at];
      if (in.mark) marked_[at] = true;
    }
    if (!in.clear) return;
    left_ = hw::written_rows(p_);
    marked_.assign(marked_.size(), false);
  }

  void publish(StateList& list) const {
    const auto rows = static_cast<unsigned>(hw::written_rows(p_));
    list.value("clears", 1, {}, [this](unsigned, unsigned) { return static_cast<unsigned>(left_ > 0); });
    list.value("row", state_bits(rows), {},
               [this, rows](unsigned, unsigned) { return left_ ? rows - static_cast<unsigned>(left_) : 0; });
  }

 private:
  hw::WrittenFilterParams p_;
  std::vector<bool> marked_;
  int left_ = hw::written_rows(p_);  // rows to clear
  bool answers_ = false, written_ = false;
};

}  // namespace golden
