// Golden collector of what several checks find: the first broken rule of all
// (docs/contracts/protocol-checks.md).
#pragma once
#include <set>

#include "hw/check/check_params.h"

namespace golden {

class FirstErrors {
 public:
  using Codes = std::set<hw::ProtocolError>;

  // The edge, with the codes that all checks show in this cycle.
  void edge(Codes shown) {
    shown.erase(hw::ProtocolError::none);
    if (first_.empty()) first_ = std::move(shown);
  }
  // The lowest of the first.
  hw::ProtocolError code() const { return first_.empty() ? hw::ProtocolError::none : *first_.begin(); }
  void reset() { first_.clear(); }

 private:
  Codes first_;
};

}  // namespace golden
