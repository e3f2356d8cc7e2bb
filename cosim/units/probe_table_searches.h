// The searches of a probe table as its ports show them: who was first, how often each entry was taken, and
// what has come.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

namespace verif {

template <unsigned entries>
class Searches {
 public:
  void begun(unsigned e) {
    broken_ = open_[e] ? "an entry is taken before it is free" : broken_;
    ++sequence_[e];
    open_[e] = true;
    asked_[e] = filled_[e] = false;
    without_list_.push_back(e);
    order_.push_back(e);
  }
  void listed(unsigned e) { std::erase(without_list_, e); }
  void asked(unsigned e) {
    asked_[e] = true;
    std::erase(without_list_, e);
    std::erase(order_, e);
  }
  void filled(unsigned e, bool by_l2) {
    broken_ = filled_[e] || !open_[e] ? "a line that comes twice" : broken_;
    filled_[e] = true;
    if (by_l2 || !asked_[e]) over(e);
  }
  // A reply of L2 that fills nothing.
  void answered(unsigned e, std::uint32_t sequence) {
    if (open_[e] && asked_[e] && filled_[e] && sequence == sequence_[e]) over(e);
  }

  std::uint32_t sequence(unsigned e) const { return sequence_[e]; }
  // The oldest that has none; but not the oldest search of all, if that has taken too long.
  bool may_take_list(unsigned e) const {
    const auto place = std::ranges::find(without_list_, e) - without_list_.begin();
    return place == 0 || (place == 1 && without_list_.size() > 1 && order_.front() == without_list_.front());
  }

  // What is wrong, if anything: the state of an entry as the table shows it.
  const char* broken(unsigned e, bool searching, bool late) const {
    if (broken_) return broken_;
    if (searching != (open_[e] && !asked_[e])) return "searching, of a line until L2 is asked or it comes";
    return late != (open_[e] && asked_[e] && filled_[e]) ? "late, of an entry that L2 owes a reply" : nullptr;
  }

 private:
  void over(unsigned e) {
    open_[e] = false;
    std::erase(without_list_, e);
    std::erase(order_, e);
  }

  std::array<bool, entries> open_ = {}, asked_ = {}, filled_ = {};
  std::array<std::uint32_t, entries> sequence_ = {};
  std::deque<unsigned> without_list_, order_;  // searches that wait for a list; without a request to L2
  const char* broken_ = nullptr;
};

}  // namespace verif
