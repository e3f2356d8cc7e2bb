// The register slice in front of an L1 data cache: two requests, which leave in order
// (docs/contracts/l1d.md).
#pragma once
#include <deque>

#include "golden/cache/l1d_types.h"

namespace golden {

class RequestSlice {
 public:
  static constexpr std::size_t most = 2;

  void reset() { waiting_.clear(); }
  bool not_full() const { return waiting_.size() < most; }
  bool empty() const { return waiting_.empty(); }

  // The oldest as the cache's input; valid until the next step.
  L1dIn front() const {
    const Waiting& oldest = waiting_.front();
    L1dIn in = oldest.in;
    in.core_request_byte_enable = in.core_request_byte_enable ? &oldest.byte_enable : nullptr;
    in.core_request_data = in.core_request_data ? &oldest.data : nullptr;
    return in;
  }

  // The edge: the oldest leaves, and one enters where `arrives` is not null.
  void step(bool leaves, const L1dIn* arrives) {
    if (leaves) waiting_.pop_front();
    if (!arrives) return;
    Waiting& last = waiting_.emplace_back();
    last.in = *arrives;
    if (arrives->core_request_byte_enable) last.byte_enable = *arrives->core_request_byte_enable;
    if (arrives->core_request_data) last.data = *arrives->core_request_data;
  }

 private:
  struct Waiting {
    L1dIn in;  // its pointers say only whether there is data
    ByteMask byte_enable{};
    LineData data{};
  };
  std::deque<Waiting> waiting_;
};

}  // namespace golden
