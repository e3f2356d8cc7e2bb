// The memory behind a cache under test: applies requests in the order in which it takes them, and answers
// each once, in any order, late, and against back-pressure of its own making.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "cosim/l1d/l1d_draw.h"
#include "cosim/l1d/l1d_lines.h"
#include "golden/cache/l1d_types.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class L1dMemory {
 public:
  enum class Order { first, last, any };
  struct Manner {
    int least_latency = 1, most_latency = 1;  // cycles from a request's transfer to its answer's offer
    Order order = Order::first;               // which of the answers that are due goes first
    unsigned ready_rate = 16;                 // in sixteenths of the cycles
    int places = 1 << 20;                     // requests in it at once
    unsigned straggler_rate = 0;              // in sixteenths of the requests: so many are answered late,
    int straggler_latency = 0;                // by so many cycles more
    int direct_latency = 0;                   // of requests without an MSHR entry; 0: as of all others
  };

  explicit L1dMemory(const hw::L1dParams& params);

  void behave(const Manner& manner) { manner_ = manner; }
  // What it owes an MSHR entry is due now.
  void hurry(unsigned entry);
  // Sets the inputs of this cycle.
  void drive(golden::L1dIn& in, L1dDraw& draw);
  // What was transferred in this cycle. `request` is null when none was.
  void clock(const golden::L1dOut* request, bool response_taken);
  // Forgets requests and all that was written.
  void reset();

  // The bytes, for code that sets them before they are read.
  L1dLines& lines() { return lines_; }
  bool idle() const { return waiting_.empty() && offered_ == none; }
  bool out_of_order() const { return out_of_order_; }  // the answer offered is not the oldest
  std::int64_t now() const { return now_; }

 private:
  struct Answer {
    std::uint64_t id = 0;
    std::uint32_t mask = 0;
    golden::LineData data;
  };
  struct Waiting {
    std::int64_t due = 0;
    std::uint32_t answer = 0;
  };
  static constexpr std::uint32_t none = ~0u;

  void choose(L1dDraw& draw);
  std::uint32_t free_answer();

  int line_bytes_, chunk_bytes_;
  unsigned entry_id_bits_, entry_bits_;
  Manner manner_;
  L1dLines lines_;
  std::int64_t now_ = 0;
  std::int64_t earliest_ = 0;   // no answer is due before
  std::deque<Answer> answers_;  // they stay where they are, since the inputs point to them
  std::vector<std::uint32_t> free_;
  std::vector<Waiting> waiting_;  // in the order of the requests
  std::uint32_t offered_ = none;
  bool out_of_order_ = false;
  L1dDraw latency_draw_{1};
};

}  // namespace verif
