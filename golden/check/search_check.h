// Golden check of a core among cores that search each other's L1s: a line that is searched for comes as a
// reply of its search (docs/contracts/protocol-checks.md).
#pragma once
#include <optional>
#include <set>

#include "hw/check/check_params.h"

namespace golden {

class SearchCheck {
 public:
  // A line for the L1, by its MSHR entry.
  struct Fill {
    unsigned entry = 0;
    bool of_search = false;
  };

  // Only the search of the entry may bring its line.
  bool unasked(const Fill& fill) const { return !fill.of_search && searches_.contains(fill.entry); }

  // The edge: the entry whose search begins at it, what fills, and the code that the L1's own check shows.
  void edge(std::optional<unsigned> begun, const std::optional<Fill>& fill, hw::ProtocolError of_l1) {
    first_ |= found_ && of_l1 == hw::ProtocolError::none;
    found_ = fill && unasked(*fill);
    broken_ |= found_;
    if (fill) searches_.erase(fill->entry);
    if (begun) searches_.insert(*begun);
  }
  void reset() { *this = {}; }

  // With the L1's own code: the first error.
  hw::ProtocolError code(hw::ProtocolError of_l1) const {
    return first_ ? hw::ProtocolError::answer_unasked : of_l1;
  }
  // A line has come that breaks the rule.
  bool broken() const { return broken_; }

 private:
  std::set<unsigned> searches_;
  bool found_ = false, first_ = false, broken_ = false;
};

}  // namespace golden
