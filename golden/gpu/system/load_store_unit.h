// Between the schedulers of an SM and its L1: a queue of memory instructions, whose requests leave in order,
// one a cycle, through a pipeline in front of the lookup if there is one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

#include "golden/trace/warp_stream.h"

namespace golden {

class LoadStoreUnit {
 public:
  // A memory instruction of a warp; `load` is the warp's own record of it.
  struct Instruction {
    WarpAccess access;
    int slot = 0, load = -1;
  };
  struct Ahead {
    Request request;
    int load = -1;
  };

  LoadStoreUnit(int queue, int latency)
      : queue_(static_cast<std::size_t>(queue)), latency_(static_cast<std::uint64_t>(latency)) {}

  // One instruction a cycle, while the queue has a free entry.
  bool can_take() const { return !taken_ && instructions_.size() < queue_; }
  void take(Instruction&& instruction) {
    instructions_.push_back(std::move(instruction));
    taken_ = true;
  }

  // The request for the L1 in cycle `now`, or null; the same until it is sent.
  const Ahead* front(std::uint64_t now) const {
    return ahead_.empty() || ahead_.front().due > now ? nullptr : &ahead_.front().ahead;
  }
  void sent() { ahead_.pop_front(); }
  // Ends cycle `now`: the next request moves on.
  void tick(std::uint64_t now) {
    taken_ = false;
    if (instructions_.empty() || ahead_.size() > latency_) return;
    Instruction& one = instructions_.front();
    ahead_.push_back({{request_of(one.access, lines_sent_, one.slot), one.load}, now + 1 + latency_});
    if (++lines_sent_ < one.access.lines.size()) return;
    lines_sent_ = 0;
    instructions_.pop_front();
  }
  bool empty() const { return instructions_.empty() && ahead_.empty(); }

 private:
  struct Timed {
    Ahead ahead;
    std::uint64_t due;
  };

  const std::size_t queue_;
  const std::uint64_t latency_;
  std::deque<Instruction> instructions_;
  std::size_t lines_sent_ = 0;  // of the instruction in front
  std::deque<Timed> ahead_;
  bool taken_ = false;
};

}  // namespace golden
