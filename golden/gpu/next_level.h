// The memory below an L1 data cache, cycle by cycle: latency, banks of limited bandwidth, a queue that pushes
// back, and bytes if wanted. It has the ports of the memory side of `l1d`.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/gpu/below.h"
#include "golden/gpu/memory_bytes.h"

namespace golden {

struct NextLevelParams {
  int line_bytes = 128, chunk_bytes = 32;  // of the cache above
  int latency = Below{}.latency;   // cycles from the last byte that a bank moves to the answer, at least 1
  int banks = 1;                   // lines are dealt to the banks in turn
  int bank_bytes = Below{}.bytes;  // what a bank moves in a cycle
  int queue = 32;                  // entries for requests whose bytes have not all moved
};

// A request accepted in cycle t has its bytes (the chunks of its mask, of loads and stores alike) moved by
// its line's bank in n cycles from max(t, the bank's first free cycle) on, n = bytes / bank_bytes rounded up;
// its answer is there `latency` cycles after the last of them: with an idle bank and n = 1 in cycle t +
// latency. Answers leave one a cycle, by the cycle in which they are there, then in the order of acceptance.
//
// With bytes (MemoryBytes), requests take effect in the order in which they are accepted.
class NextLevel {
 public:
  using Initial = MemoryBytes::Initial;

  explicit NextLevel(const NextLevelParams& params);          // without bytes: null data
  NextLevel(const NextLevelParams& params, Initial initial);  // with bytes
  static std::uint64_t scrambled(std::uint64_t n) { return MemoryBytes::scrambled(n); }

  // This cycle's memory_request_ready and memory_response_*; they depend on nothing that the cache drives. A
  // harness may lower ready or valid before it shows them to the cache. Data stays until edge().
  void drive(L1dIn& in) const;
  // The clock edge, with what both sides drove. Reset forgets requests and answers, not bytes.
  void edge(const L1dIn& in, const L1dOut& out);

  // Requests whose bytes have not all moved, by the sub-partition of the memory that they go to: (address >>
  // 8) modulo the number of counts. A count ends at `most`.
  void occupancy(std::span<std::uint8_t> counts, unsigned most) const;

  bool idle() const { return answers_.empty(); }  // every request accepted has been answered
  // With bytes: what memory holds now.
  const LineData& line(std::uint64_t address) { return bytes_->line(address); }

 private:
  struct Answer {
    std::uint64_t due = 0, order = 0;
    std::uint64_t id = 0;
    std::uint32_t mask = 0;
    int data = -1;  // index in data_
    bool operator>(const Answer& o) const { return due != o.due ? due > o.due : order > o.order; }
  };

  void accept(const L1dOut& out);
  std::uint64_t schedule(std::uint64_t address, std::uint32_t mask);
  int place_for_data();

  NextLevelParams p_;
  std::optional<MemoryBytes> bytes_;
  std::uint64_t cycle_ = 0, accepted_ = 0;
  std::vector<std::uint64_t> free_from_;  // per bank: its first free cycle
  // Accepted requests by the last cycle in which bytes of theirs move, a heap: those not before this cycle
  // fill the queue.
  struct Moving {
    std::uint64_t last, address;
    bool operator>(const Moving& o) const { return last > o.last; }
  };
  std::vector<Moving> moving_;
  std::priority_queue<Answer, std::vector<Answer>, std::greater<>> answers_;
  std::vector<LineData> data_;  // of answers under way
  std::vector<int> unused_;     // free entries of data_
};

}  // namespace golden
