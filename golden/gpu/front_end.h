// A GPU's front end: kernels of a trace one after the other, CTAs dealt to SMs in turn, each SM's warps
// interleaved by its scheduler.
//
// Without time (`round`) every SM issues one instruction a round. With time (`sm`, `tick`) a harness moves
// requests and answers between each SM and its cache.
#pragma once
#include <cstddef>
#include <vector>

#include "golden/gpu/cta_assignment.h"
#include "golden/gpu/sm.h"
#include "golden/trace/cta_reader.h"
#include "golden/trace/trace_source.h"

namespace golden {

class FrontEnd {
 public:
  // `source` is read as CTAs are needed and must outlive the front end.
  FrontEnd(TraceSource& source, const GpuParams& params);

  // Each SM issues an instruction. `caches` gets a flush() of all before the first round of a later kernel, a
  // call of kernel_starts() for it, and calls of `bool access(int sm, std::span<const Request> requests)`:
  // does one of them have to wait for the next level? False when the trace is at its end.
  template <class Caches>
  bool round(Caches&& caches) {
    if (!has_pending_ && idle()) next_kernel();
    if (ended_) return false;
    if (flushes_asked()) {
      caches.flush();
      for (Sm& sm : sms_) sm.flushed();
    }
    kernel_started_ = false;
    deal();
    if constexpr (requires { caches.kernel_starts(); })
      if (kernel_started_) caches.kernel_starts();
    for (int i = 0; i < p_.sms; ++i)
      if (const auto requests = sm(i).turn(); !requests.empty()) sm(i).served(caches.access(i, requests));
    return true;
  }

  Sm& sm(int number) { return sms_[static_cast<std::size_t>(number)]; }
  // Ends a cycle: ticks every SM, then deals CTAs; when a kernel is over, asks for flushes and goes on with
  // the next one as soon as they are done.
  void tick();
  bool done() const { return ended_; }
  // In the last tick or round the first CTA of a kernel started.
  bool kernel_started() const { return kernel_started_; }

 private:
  bool idle() const;
  bool flushes_asked() const;
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
  bool first_cta_ = false, kernel_started_ = false;
  bool ended_ = false;  // no kernel is left
};

}  // namespace golden
