// Golden core selector without time: a request of its core is a cycle, and a list is drawn within one (DC-L1
// thesis, section 3.3.3; docs/contracts/remote-core.md).
#pragma once
#include <optional>

#include "golden/remote/core_selector.h"

namespace golden {

class UntimedSelector {
 public:
  explicit UntimedSelector(const hw::CoreSelectorParams& p) : p_(p), draw_(p) {}

  // A cycle begins.
  void begin() {
    if (!list_) draw_list();
  }
  // Of this cycle.
  const CoreList& list() const { return *list_; }
  // It ends: the list was taken; a core has sent a line.
  void edge(bool take, std::optional<int> supplier) {
    if (take) draw_list();
    if (supplier) draw_.count(*supplier);
    if (++cycle_ == p_.period) cycle_ = 0, roll_ = true;
  }
  void clear() {
    draw_.clear();
    list_.reset();
    roll_ = false;
    cycle_ = 0;
  }

 private:
  void draw_list() {
    if (roll_) {
      draw_.double_counts();
      draw_.fill_gaps();
      roll_ = false;
    }
    list_ = draw_.begun_list();
    for (int t = 0; t < p_.coverage; ++t) draw_.add_target(*list_);
  }

  hw::CoreSelectorParams p_;
  CoreDraw draw_;
  std::optional<CoreList> list_;
  bool roll_ = false;
  int cycle_ = 0;
};

}  // namespace golden
