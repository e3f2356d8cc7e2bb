// Drives a cache with a kernel's trace: through the GPU's front end on the core side, and the next level
// behind it.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "cosim/l1d/l1d_driver.h"
#include "cosim/l1d/l1d_scoreboard.h"
#include "cosim/l1d/make_gate.h"
#include "golden/gpu/front_end.h"
#include "golden/gpu/monitor_inputs_of_sm.h"
#include "golden/gpu/next_level.h"
#include "golden/trace/trace_source.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

// Hardware that says which warps may issue, with the model beside it.
class ComparedGate final : public golden::WarpGate {
 public:
  ComparedGate(std::unique_ptr<golden::WarpGate> hardware, const hw::LimitParams& p)
      : hardware_(std::move(hardware)), model_(p) {}
  std::uint64_t cycle(std::uint64_t launch, std::uint64_t finish, std::uint64_t waiting) override {
    const std::uint64_t got = hardware_->cycle(launch, finish, waiting),
                        want = model_.cycle(launch, finish, waiting);
    if (got != want && wrong_.port.empty())
      wrong_ = {.port = "allowed, of warp_limit", .dut = got, .golden = want};
    return got;
  }
  void limit_to(int count) override {
    hardware_->limit_to(count);
    model_.limit_to(count);
  }
  const Mismatch& wrong() const { return wrong_; }

 private:
  const std::unique_ptr<golden::WarpGate> hardware_;
  golden::LimitedWarps model_;
  Mismatch wrong_;
};

// An SM's requests on the port of its cache. A trace says which chunks a request touches: stores write all of
// them, each with other bytes.
class TraceStores {
 public:
  explicit TraceStores(const hw::L1dParams& params) : params_(params) {}

  // Until it is taken, in every cycle.
  void offer(const golden::GpuRequest& request, golden::L1dIn& in);
  void taken() { prepared_ = false; }

 private:
  const hw::L1dParams params_;
  std::uint64_t stores_ = 0;  // offered so far: what they write
  bool prepared_ = false;     // the request on core_request has its data
  golden::ByteMask enables_{};
  golden::LineData data_{};
};

class L1dTrace final : public L1dDriver {
 public:
  // Without a gate the model holds the warps that the parameters' limit holds.
  L1dTrace(const std::string& trace, const hw::L1dParams& params, const CosimOptions& options,
           const MakeGate& make_gate = {});

  bool drive(golden::L1dIn& in) override;
  void clock(const golden::L1dIn& in, const golden::L1dOut& out, const L1dSeen& seen) override;
  const Mismatch* wrong() const override { return wrong_.port.empty() ? nullptr : &wrong_; }

  // From the first cycle behind the reset to the end of the last kernel.
  std::int64_t cycles() const { return cycle_ - 1; }
  const golden::Sm::Cycles& sm_cycles() { return front_.sm(0).cycles(); }
  // Thread instructions of memory instructions.
  std::uint64_t issued() const { return issued_; }

 private:
  const hw::L1dParams params_;
  const golden::MonitorSources sources_;
  std::unique_ptr<golden::TraceSource> source_;
  golden::FrontEnd front_;
  std::unique_ptr<ComparedGate> gate_;
  golden::NextLevel memory_;
  std::int64_t cycle_ = 0, last_progress_ = 0;
  std::uint64_t issued_ = 0;
  TraceStores stores_;
  golden::LineData response_{};
  Mismatch wrong_;
};

}  // namespace verif
