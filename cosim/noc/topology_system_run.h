// A trace on a topology in a system: what stands around the topology in each cycle, and what it came to.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "cosim/harness/options.h"
#include "cosim/harness/report.h"
#include "cosim/noc/dc_l1_result.h"
#include "cosim/noc/system_report.h"
#include "cosim/noc/topology_system.h"

namespace verif {

// In each cycle: drive(), then note() with what the topology shows before its edge.
class TopologySystemRun {
 public:
  // `options` have the system.
  TopologySystemRun(const hw::TopologyParams& params, const std::string& trace, const CosimOptions& options);

  void carry_bytes() { system_.carry_bytes(); }
  bool over() const { return system_.done(); }
  // The messages stay until the next call.
  const golden::TopologyIn& drive() { return system_.drive(); }
  // What moves at this edge; `topology` is as it was before it.
  std::optional<Mismatch> note(const golden::TopologyOut& shown, const golden::Topology& topology);
  DcL1Result finish(const golden::Topology& topology);
  SystemReport report() const;

 private:
  void sample(const golden::Topology& topology);

  const hw::TopologyParams params_;
  const std::string trace_;
  std::unique_ptr<golden::TraceSource> source_;
  TopologySystem system_;
  double replicas_ = 0;
  std::uint64_t samples_ = 0, next_sample_;
  std::uint64_t answered_ = 0;  // messages of cores and slices
  std::int64_t last_progress_ = 0;
};

}  // namespace verif
