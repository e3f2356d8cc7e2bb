// A node of memory: so many bytes a second, requests one after the other, a queue that pushes back.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>

namespace golden {

class MemoryNode {
 public:
  // Gigabytes a second; `places` for requests whose bytes have not all moved.
  MemoryNode(int bandwidth, int clock_mhz, int places)
      : per_cycle_(1000 * static_cast<std::uint64_t>(bandwidth)),
        per_byte_(static_cast<std::uint64_t>(clock_mhz)),
        places_(static_cast<std::size_t>(places)) {}

  bool ready(std::uint64_t cycle) {
    while (!moving_.empty() && moving_.front() < cycle) moving_.pop_front();
    return moving_.size() < places_;
  }
  // The cycle in which the last of the bytes moves.
  std::uint64_t move(std::uint64_t cycle, int bytes) {
    free_from_ = std::max(free_from_, cycle * per_cycle_) + static_cast<std::uint64_t>(bytes) * per_byte_;
    bytes_ += static_cast<std::uint64_t>(bytes);
    moving_.push_back((free_from_ - 1) / per_cycle_);
    return moving_.back();
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  // Time in parts of a cycle, so that neither a byte nor a cycle is rounded.
  const std::uint64_t per_cycle_, per_byte_;
  const std::size_t places_;
  std::uint64_t free_from_ = 0, bytes_ = 0;
  std::deque<std::uint64_t> moving_;  // the last cycle of each request
};

}  // namespace golden
