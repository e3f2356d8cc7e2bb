// The miss queue of an L1 data cache: what is on its way to memory, in probe order.
#pragma once
#include <cstdint>
#include <vector>

#include "golden/cache/l1d_types.h"

namespace golden {

class MissQueue {
 public:
  struct Request {
    RequestKind kind = RequestKind::load;
    std::uint32_t mask = 0, payload = 0;
    std::uint64_t id = 0, address = 0;
    std::uint32_t pc = 0;
  };

  explicit MissQueue(int places) : ring_(static_cast<std::size_t>(places)) {}

  void reset() {
    head_ = count_ = 0;
    shown_ = false;
  }

  bool full() const { return count_ == ring_.size(); }
  bool empty() const { return count_ == 0; }
  // The oldest, where the memory can see it; null while it is still being read.
  const Request* front() const { return shown_ ? &ring_[head_] : nullptr; }

  // Comes before this edge's request is written, which can be read in the next cycle only.
  void step(bool memory_ready) {
    const bool leaves = shown_ && memory_ready;
    if (leaves) {
      head_ = wrapped(head_ + 1);
      --count_;
    }
    if (leaves || !shown_) shown_ = count_ != 0;
  }
  void push(const Request& request) {
    ring_[wrapped(head_ + count_)] = request;
    ++count_;
  }

 private:
  unsigned wrapped(unsigned place) const {
    return place < ring_.size() ? place : place - static_cast<unsigned>(ring_.size());
  }

  std::vector<Request> ring_;
  unsigned head_ = 0, count_ = 0;
  bool shown_ = false;
};

}  // namespace golden
