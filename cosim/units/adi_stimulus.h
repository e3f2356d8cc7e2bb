// Loads for adaptive-indexing monitors: random sequences that lead to each decision, or loads of traces.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "cosim/harness/options.h"
#include "cosim/stimulus/adi_environment.h"
#include "golden/monitors/adi_monitor.h"
#include "golden/trace/open/flat_trace.h"

namespace verif {

// Block addresses of the loads of traces. Warps alternate, an access each, inside a window of the file's
// order, as they would on a core.
class TraceLoads {
 public:
  // `window` in accesses; 1 keeps the file's order.
  TraceLoads(std::vector<std::string> files, int line_bytes, std::uint64_t block_mask, std::size_t window);
  bool next(std::uint64_t& block_address);

 private:
  bool refill();
  bool next_load(golden::Record& record);

  golden::FlatTrace records_;
  int line_bytes_, offset_bits_;
  std::uint64_t mask_;
  std::size_t window_;
  std::deque<std::uint64_t> blocks_;
};

// Inputs of one cycle. In a trace the harness says which loads miss.
struct AdiInputs {
  bool rst = false, probe_valid = false, probe_miss = false, flush_ready = false, adi_start = false;
  std::uint64_t block_address = 0;
};

class AdiStimulus {
 public:
  AdiStimulus(const CosimOptions& options, const hw::AdiMonitorParams& p);

  // False at the end. `golden`: the monitor as it is, to whose decisions the sequences lead.
  bool next(AdiInputs& in, const golden::AdiMonitor& golden);

  bool is_trace() const { return trace_ != nullptr; }
  std::int64_t total() const { return total_; }  // cycles, 0 when a trace decides
  std::string words() const;

 private:
  void open_environment(std::span<const int> sel);
  bool round_starts(golden::AdiMonitor::Step step);
  bool chance(unsigned sixteenths) { return draw_() % 16 < sixteenths; }

  const CosimOptions options_;
  const hw::AdiMonitorParams p_;
  std::unique_ptr<TraceLoads> trace_;
  std::int64_t total_ = 0, done_ = 0, environment_left_ = 0;
  std::mt19937_64 draw_;
  AdiEnvironment environment_;
  unsigned valid_rate_ = 16, miss_rate_ = 8, ready_rate_ = 16;  // in sixteenths
};

}  // namespace verif
