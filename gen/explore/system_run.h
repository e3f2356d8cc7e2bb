// One cache configuration and one trace in a system: its SMs, their caches, and the memory below, in step.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "gen/explore/between.h"
#include "gen/explore/dueling.h"
#include "gen/explore/policy_unit.h"
#include "gen/explore/result.h"
#include "golden/gpu/system/gap_trace.h"
#include "golden/gpu/system/hit_delay.h"
#include "golden/gpu/system/line_splitter.h"
#include "golden/gpu/system/system_front_end.h"
#include "golden/gpu/system/system_memory.h"

namespace gen {

// What the system does at most, of L1s with such lines.
Roofs roofs_of(const golden::SystemParams& p, int line_bytes);

class SystemRun {
 public:
  // `trace` hands out all instructions (golden::open_instructions). `other`: a memory in the place of the
  // system's own L2 and DRAM; may be null.
  SystemRun(const hw::L1dParams& cache, const golden::SystemParams& system,
            std::unique_ptr<golden::TraceSource> trace, std::unique_ptr<golden::MemorySide> other = nullptr);

  // Fills `result`, which has an entry for each SM. `watch` is called now and then with the number of new
  // cycles of an SM, and the share of the trace that has been read.
  void run(RunResult& result, const std::function<void(std::uint64_t, double)>& watch);

 private:
  struct Core {
    Core(const hw::L1dParams& p, int number, golden::MemorySide& memory, golden::SystemSm& core, int delay)
        : sm(core), between(p, number, memory), port(core, delay) {}
    golden::SystemSm& sm;
    Between between;
    golden::HitDelay port;
    bool rests = false;          // the cache only waits
    std::uint64_t wakes_at = 0;  // the SM sleeps until then; 0: it does not
  };

  void cycle(RunResult& result, bool kernel_starts);
  void cycle_core(std::size_t i, SmResult& result, const golden::Controls& controls, bool kernel_starts);
  bool answer_waits(std::size_t i) const;
  golden::CycleCause loads_wait_for(std::size_t i) const;
  void finish(RunResult& result);
  std::vector<const golden::CycleL1d*> models() const;

  const hw::L1dParams params_;
  const golden::SystemParams system_;
  const std::unique_ptr<golden::TraceSource> source_;
  golden::SystemFrontEnd gpu_;
  const std::unique_ptr<golden::MemorySide> memory_;
  golden::SystemMemory* const own_;  // the system's memory, unless there is another
  std::vector<std::unique_ptr<Core>> cores_;
  ReplicaSamples replicas_;
  TimedDuel duel_;
  UnitForAll unit_;
  const bool sleeps_;                                      // SMs and caches that only wait are passed over
  const golden::MonitorInputs* monitor_inputs_ = nullptr;  // in this cycle, where an update unit reads them
};

}  // namespace gen
