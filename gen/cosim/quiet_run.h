// A lock step whose report is read by a command.
#pragma once
#include <nlohmann/json.hpp>

#include "gen/cosim/cosim.h"

namespace gen {

// The report of the run, of which nothing is printed; throws ToolError if there is none.
nlohmann::ordered_json quiet_run(const Config& config, const CosimRequest& request);

}  // namespace gen
