// The picture of a run's course: miss rate and IPC, and what the monitors of its cache decided, of the models
// as of the Verilog.
#pragma once
#include <string>
#include <vector>

#include "golden/l1d/history.h"
#include "golden/l1d/timeline.h"

namespace gen {

// One of the configurations that ran the same trace.
struct TimelineRun {
  std::string name;  // as it may stand in a picture
  const char* colour;
  const std::vector<golden::Timeline::Part>* parts;
  const std::vector<golden::History>* histories;
};

// In SVG: miss rates, a line a configuration, and below it what the monitors of each decided. Over the loads;
// where a limit of warps follows the time, over the cycles, and with thread instructions a cycle. Begins at
// height `y` and leaves it at its end.
std::string timeline_chart(const std::string& trace, const std::vector<TimelineRun>& runs, int& y);

}  // namespace gen
