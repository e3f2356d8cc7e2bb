// What a kernel came to on a topology of caches, cycle by cycle: printed for people, written as JSON.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cosim/harness/options.h"
#include "cosim/harness/report.h"
#include "golden/gpu/sm.h"
#include "golden/l1d/l1d_figures.h"
#include "golden/topology/figures.h"

namespace verif {

struct DcL1Result {
  std::string trace;
  std::int64_t cycles = 0;  // of clk, from the first behind the reset to the last answer
  std::vector<golden::L1dFigures> caches;
  golden::Sm::Cycles cores;  // of all cores
  std::uint64_t instructions = 0;
  std::vector<std::uint64_t> slice_requests;
  double replicas = 0;  // valid lines / distinct valid lines - 1, mean over loads
  golden::TopologyFigures figures;
};

// Lines and JSON of a co-simulation's report.
void add_results(CosimReport& report, std::span<const DcL1Result> results, const CosimOptions& options);

// The JSON alone, where the options ask for a report: a run of the golden model by itself.
void write_results(std::span<const DcL1Result> results, const CosimOptions& options);

}  // namespace verif
