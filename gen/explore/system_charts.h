// Pictures of runs in a system: where the cycles went, and how near to its roofs a run came.
#pragma once
#include <string>
#include <vector>

#include "gen/drawing.h"
#include "gen/explore/result.h"

namespace gen {

struct SystemRunShown {
  std::string configuration;
  const char* colour;
  const RunResult* run;
  golden::CycleCauses causes;  // of all SMs
};

// Of one trace, a stacked bar a run: as long as its cycles, of which each cause has its share.
void draw_cycle_causes(Chart& chart, const std::string& trace, const std::vector<SystemRunShown>& runs);
// What their colours mean, of the causes that occur.
void draw_cause_colours(Chart& chart, const golden::CycleCauses& all);
// Of one trace, instructions a cycle over bytes a cycle, with the roofs of the system.
void draw_roofline(Chart& chart, const std::string& trace, const std::vector<SystemRunShown>& runs);

}  // namespace gen
