// A GPU's front end: kernels of a trace one after the other, CTAs dealt to SMs in turn, each SM's warps
// interleaved by its scheduler.
//
// Without time (`next`) every SM issues one instruction a round and every load is answered at once: the
// request streams depend on the trace and on GpuParams alone, not on a cache. With time (`sm`, `tick`) a
// harness moves requests and answers between each SM and its cache.
#pragma once
#include <cstddef>
#include <vector>

#include "golden/gpu/cta_assignment.h"
#include "golden/gpu/cta_reader.h"
#include "golden/gpu/sm.h"
#include "golden/gpu/trace_source.h"

namespace golden {

class FrontEnd {
 public:
  // `source` is read as CTAs are needed and must outlive the front end.
  FrontEnd(TraceSource& source, const GpuParams& params);

  // What the SMs send in some rounds of one kernel.
  struct Batch {
    bool flush = false;                          // the caches are flushed before: another kernel begins
    std::vector<std::vector<Request>> requests;  // per SM
  };
  // Fills `batch` with whole rounds, until `size` requests or more are in it or the kernel ends; false at the
  // end of the trace.
  bool next(Batch& batch, std::size_t size);

  Sm& sm(int number) { return sms_[static_cast<std::size_t>(number)]; }
  // Ends a cycle: ticks every SM, then deals CTAs; when a kernel is over, asks for flushes and goes on with
  // the next one as soon as they are done.
  void tick();
  bool done() const { return ended_; }

 private:
  bool idle() const;
  void next_kernel();
  void deal();

  GpuParams p_;
  TraceSource& source_;
  SpillFile spill_;
  CtaReader reader_;
  CtaAssignment assignment_;
  std::vector<Sm> sms_;
  Cta pending_;  // the next one of this kernel, while has_pending_
  bool has_pending_ = false;
  bool started_ = false;  // a kernel has had a CTA
  bool ended_ = false;    // no kernel is left
};

}  // namespace golden
