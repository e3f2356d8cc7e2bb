// The lanes of one SM that runs a kernel's trace: resident CTAs, warps from greedy to oldest, an instruction
// a cycle. A load or an atomic blocks its warp until it is answered, a store blocks nothing, a barrier holds
// a warp until all of its CTA that have not ended have come to it. Caches are flushed behind each kernel.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/harness/trace_result.h"
#include "golden/coalescer/coalescer.h"
#include "golden/trace/trace_source.h"

namespace verif {

class LaneTrace {
 public:
  static constexpr int most_ctas = 8, most_warps = 48;

  // Throws TraceError, and std::runtime_error for an access that lanes of the parameters cannot make.
  LaneTrace(const std::string& trace, const hw::CoalescerParams& p);

  // On lane_request in this cycle; the same until it is taken.
  const std::optional<golden::LaneInstruction>& offered() const { return offered_; }
  // Every instruction of a kernel is answered, and another kernel follows or the trace ends.
  bool wants_flush() const { return wants_flush_; }
  bool done() const { return done_; }

  // `drained`: the cache has answered every request, those of stores too.
  void edge(bool taken, const golden::LaneAnswer* answer, bool flushed, bool drained);

  std::uint64_t instructions() const { return instructions_; }

 private:
  struct Warp {
    bool used = false, at_barrier = false;
    std::deque<golden::Record> left;
    int cta = 0;
    int waits_for = 0;  // answers
    std::uint64_t number = 0;
  };
  struct Cta {
    std::vector<std::size_t> warps;
  };

  void start_ctas();
  bool read_cta();
  void pass_barriers();
  void retire();
  bool ready(const Warp& w) const { return w.used && !w.left.empty() && !w.at_barrier && w.waits_for == 0; }
  void issue();
  void split(std::size_t slot);
  void offer();

  hw::CoalescerParams p_;
  std::unique_ptr<golden::TraceSource> source_;
  std::optional<golden::Record> ahead_;
  std::vector<Warp> warps_ = std::vector<Warp>(most_warps);
  std::vector<Cta> ctas_;
  std::vector<std::deque<golden::Record>> read_;  // the next CTA, by warp
  int warp_slots_ = 1;                            // warps of a CTA by the kernel
  bool kernel_over_ = true;
  std::deque<golden::LaneInstruction> parts_;  // of the instruction that is sent
  std::size_t sender_ = 0;
  std::vector<int> owner_;  // by id: the warp that waits for it, or -1 for a free one
  std::optional<golden::LaneInstruction> offered_;
  std::uint64_t started_ = 0, instructions_ = 0, stores_ = 0;
  bool wants_flush_ = false, done_ = false;
};

// What a run of it on a cache reports; `before` are the cache's counters at its beginning.
TraceResult lane_trace_result(const LaneTrace& trace, std::int64_t cycles,
                              const golden::L1dCounters& counters, const golden::L1dCounters& before);

}  // namespace verif
