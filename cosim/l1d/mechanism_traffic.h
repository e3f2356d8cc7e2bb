// What traffic and watching of an L1 data cache depend on its mechanisms, beyond what any cache does: inputs
// that lead each to all its decisions, and what a lock step must come by. The table has a row for each.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cosim/l1d/axis_watch.h"

namespace verif {

class MechanismStimulus {
 public:
  virtual ~MechanismStimulus() = default;

  void aim_at(const golden::CycleL1d& cache) { cache_ = &cache; }
  virtual void restart() {}

  // Fields of the sideband that it sets in a new request on the core's side.
  virtual std::span<const std::string_view> fields() const { return {}; }
  virtual void request(golden::L1dIn&) {}
  // Of each cycle.
  virtual void cycle(golden::L1dIn&) {}

  // A phase of random traffic begins; it is one whose loads leave a trace each.
  virtual void open_phase() {}
  virtual void leave_traces() {}
  // It may have phases to itself, of so many cycles more: loads alone, of one line and of others, and it says
  // whether the next is of the one.
  virtual bool has_phase() const { return false; }
  virtual std::int64_t open_own_phase() { return 0; }
  virtual bool wants_hit() { return true; }

 protected:
  const golden::CycleL1d* cache_ = nullptr;
};

using MechanismStimuli = std::vector<std::unique_ptr<MechanismStimulus>>;

// Those of a cache's mechanisms, each with a seed of its own.
MechanismStimuli stimuli_of(const hw::L1dParams& p, const std::function<std::uint64_t()>& seed);
std::vector<std::unique_ptr<AxisWatch>> watches_of(const hw::L1dParams& p);

}  // namespace verif
