// Charts of runs in a system: where the cycles went, and how near to its roofs a run came.
#pragma once
#include <string>
#include <vector>

#include "gen/charts/chart.h"
#include "gen/explore/result.h"

namespace gen {

struct SystemRunShown {
  std::string trace, configuration;
  const RunResult* run;
  golden::CycleCauses causes;  // of all SMs
};

// A stacked bar a run: as long as its cycles, of which each cause has its share.
Chart cycle_causes_chart(const std::vector<SystemRunShown>& runs);
// Instructions a cycle over bytes a cycle, with the roofs of the system.
Chart roofline_chart(const std::vector<SystemRunShown>& runs);

}  // namespace gen
