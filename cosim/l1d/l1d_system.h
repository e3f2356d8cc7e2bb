// A system around caches under test: its SMs, and the memory below them, with bytes. Each SM drives its cache
// as `explore --system` drives the model, so that a run takes as many cycles.
//
// A cycle: of each core drive(), clock() and behind(), in the order of the SMs; then end_cycle(). The first
// cycle of every run resets the caches, and does not count.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "cosim/l1d/l1d_driver.h"
#include "cosim/l1d/l1d_trace.h"
#include "golden/gpu/memory_bytes.h"
#include "golden/gpu/system/cycle_causes.h"
#include "golden/gpu/system/hit_delay.h"
#include "golden/gpu/system/line_splitter.h"
#include "golden/gpu/system/system_front_end.h"
#include "golden/gpu/system/system_memory.h"

namespace verif {

class L1dSystem;

// An SM in front of its cache. In memory it finds what it has stored itself: L1s are not coherent, and the
// checks of a cache know the stores of one SM.
class SystemCore final : public L1dDriver {
 public:
  SystemCore(L1dSystem& system, int number, const hw::L1dParams& params, int hit_delay,
             const MakeGate& make_gate);

  bool drive(golden::L1dIn& in) override;
  void clock(const golden::L1dIn& in, const golden::L1dOut& out, const L1dSeen& seen) override;
  const Mismatch* wrong() const override { return wrong_.port.empty() ? nullptr : &wrong_; }
  // Behind the edge of its cache; `model` has the lookup of the cycle.
  void behind(const golden::CycleL1d& model);

  const golden::SystemSm& sm() const { return sm_; }
  const golden::CycleCauses& causes() const { return causes_; }
  bool moved() const { return moved_; }  // a request was taken, or one answered, in the last cycle

 private:
  void offer(const golden::GpuRequest& request, bool past, golden::L1dIn& in);
  void answer_with_bytes(golden::L1dIn& in);
  void keep_bytes(const golden::L1dIn& in, const golden::L1dOut& out);
  golden::CycleCause loads_wait_for() const;

  L1dSystem& system_;
  const int number_;
  const hw::L1dParams params_;
  const golden::MonitorSources sources_;
  golden::SystemSm& sm_;
  golden::HitDelay port_;
  std::unique_ptr<ComparedGate> gate_;
  TraceStores stores_;
  golden::MemoryBytes bytes_;
  std::unordered_map<std::uint64_t, golden::LineData> read_;  // by id: what memory held
  golden::LineData response_{};
  golden::CycleCause waits_for_ = golden::CycleCause::l1;
  golden::CycleCauses causes_;
  bool reset_ = true, moved_ = false;
  Mismatch wrong_;
};

class L1dSystem {
 public:
  L1dSystem(const std::string& trace, const hw::L1dParams& params, const SystemAround& around,
            const MakeGate& make_gate);

  SystemCore& core(int n) { return *cores_[static_cast<std::size_t>(n)]; }
  bool done() const { return gpu_.done(); }
  void end_cycle();
  // Cycles without a request taken or answered; some run always has one sooner.
  bool stands_still() const { return cycles_ - last_progress_ > longest_still; }

  std::int64_t cycles() const { return cycles_; }
  const golden::SystemMemory* own_memory() const { return own_; }  // null: that of two nodes

 private:
  friend SystemCore;
  static constexpr std::int64_t longest_still = 1'000'000;

  const hw::L1dParams params_;
  std::unique_ptr<golden::TraceSource> source_;
  golden::SystemFrontEnd gpu_;
  std::unique_ptr<golden::MemorySide> memory_;
  golden::SystemMemory* own_ = nullptr;
  std::vector<std::unique_ptr<SystemCore>> cores_;
  std::int64_t cycles_ = 0, last_progress_ = 0;
};

}  // namespace verif
