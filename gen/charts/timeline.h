// The picture of a run's timeline: miss rate and IPC, and the decisions of its cache's monitors, for models
// and Verilog.
#pragma once
#include <string>
#include <vector>

#include "gen/charts/chart.h"
#include "golden/cache/history.h"
#include "golden/l1d/timeline.h"

namespace gen {

// One of the configurations that ran the same trace.
struct TimelineRun {
  std::string name;
  const std::vector<golden::Timeline::Part>* parts;
  const std::vector<golden::History>* histories;
};

// Miss rates, a line a configuration, and below it what the monitors of each decided. Over the loads; where a
// limit of warps follows the time, over the cycles, and with thread instructions a cycle.
Chart timeline_chart(const std::string& title, const std::vector<TimelineRun>& runs);

}  // namespace gen
