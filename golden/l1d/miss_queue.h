// The miss queue of an L1 data cache: what is on its way to memory, in probe order.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/ecc/protected_rows.h"

namespace golden {

class MissQueue {
 public:
  struct Request {
    RequestKind kind = RequestKind::load;
    std::uint32_t mask = 0, payload = 0;
    std::uint64_t id = 0, address = 0;
    std::uint32_t pc = 0;
  };

  // A ring of two rows at least, as RAMs are.
  explicit MissQueue(int places)
      : places_(static_cast<unsigned>(places)), ring_(std::max(std::size_t{2}, std::size_t{places_})) {}

  // Its RAMs are protected.
  void protect(hw::Protection protection, unsigned request_bits, unsigned payload_bits) {
    const auto rows = static_cast<unsigned>(ring_.size());
    request_rows_.emplace(protection, request_bits, rows);
    payload_rows_.emplace(protection, payload_bits, rows);
  }
  ProtectedRows* request_rows() { return request_rows_ ? &*request_rows_ : nullptr; }
  ProtectedRows* payload_rows() { return payload_rows_ ? &*payload_rows_ : nullptr; }

  void reset() {
    head_ = count_ = 0;
    shown_ = fresh_ = false;
  }

  bool full() const { return count_ == places_; }
  bool empty() const { return count_ == 0; }
  // The oldest, where the memory can see it; null while it is still being read.
  const Request* front() const { return shown_ ? &ring_[head_] : nullptr; }
  // What is stored of it cannot be corrected: it stays for ever. Was corrected, and this is its first cycle.
  bool stuck() const {
    return shown_ && request_rows_ && (request_rows_->wrong() || (carries() && payload_rows_->wrong()));
  }
  bool corrected() const {
    return shown_ && fresh_ && request_rows_ && !stuck() &&
           (request_rows_->corrected() || (carries() && payload_rows_->corrected()));
  }
  // The payload RAM has a row of it.
  bool carries() const { return ring_[head_].kind != RequestKind::load; }
  bool fresh() const { return fresh_; }

  // Comes before this edge's request is written, which can be read in the next cycle only.
  void step(bool memory_ready) {
    const bool leaves = shown_ && memory_ready;
    if (leaves) {
      head_ = wrapped(head_ + 1);
      --count_;
    }
    if (leaves || !shown_)
      shown_ = fresh_ = count_ != 0;
    else
      fresh_ = false;
    if (!fresh_ || !request_rows_) return;
    request_rows_->read(head_);
    payload_rows_->read(head_);
  }
  void push(const Request& request) {
    const unsigned row = wrapped(head_ + count_);
    ring_[row] = request;
    ++count_;
    if (!request_rows_) return;
    request_rows_->write(row);
    if (request.kind != RequestKind::load) payload_rows_->write(row);
  }

 private:
  unsigned wrapped(unsigned place) const {
    return place < ring_.size() ? place : place - static_cast<unsigned>(ring_.size());
  }

  const unsigned places_;
  std::vector<Request> ring_;
  unsigned head_ = 0, count_ = 0;
  bool shown_ = false, fresh_ = false;
  std::optional<ProtectedRows> request_rows_, payload_rows_;
};

}  // namespace golden
