// Drives a cache with a kernel's trace: through the GPU's front end on the core side, and the next level
// behind it.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "golden/gpu/front_end.h"
#include "golden/gpu/next_level.h"
#include "golden/trace/trace_source.h"
#include "hw/l1d/l1d_params.h"
#include "verif/lockstep/l1d/l1d_books.h"
#include "verif/lockstep/l1d/l1d_driver.h"

namespace verif {

class L1dTrace final : public L1dDriver {
 public:
  L1dTrace(const std::string& trace, const hw::L1dParams& params);

  bool drive(golden::L1dIn& in) override;
  void clock(const golden::L1dIn& in, const golden::L1dOut& out, const L1dSeen& seen) override;
  const Mismatch* wrong() const override { return wrong_.port.empty() ? nullptr : &wrong_; }

  // From the first cycle behind the reset to the end of the last kernel.
  std::int64_t cycles() const { return cycle_ - 1; }
  const golden::Sm::Cycles& sm_cycles() { return front_.sm(0).cycles(); }

 private:
  void offer(const golden::GpuRequest& request, golden::L1dIn& in);

  const hw::L1dParams params_;
  std::unique_ptr<golden::TraceSource> source_;
  golden::FrontEnd front_;
  golden::NextLevel memory_;
  std::int64_t cycle_ = 0, last_progress_ = 0;
  std::uint64_t stores_ = 0;  // offered so far: what they write
  bool prepared_ = false;     // the request on core_request has its data
  golden::ByteMask enables_{};
  golden::LineData data_{}, response_{};
  Mismatch wrong_;
};

}  // namespace verif
