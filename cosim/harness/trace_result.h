// How a trace went through a unit, in the words and the JSON of its bench.
#pragma once
#include <string>
#include <vector>

#include "cosim/harness/options.h"

namespace verif {

struct TraceResult {
  std::string line;
  std::string json;  // an object
};

// A file's name without its folder.
std::string shown_file(const std::string& file, const CosimOptions& options);

// The results of all traces as JSON, each with the name of its trace.
std::string json_of_traces(const CosimOptions& options, const std::vector<TraceResult>& results);
// A trace's line in a report.
std::string line_of_trace(const CosimOptions& options, const std::string& trace, const TraceResult& result);

}  // namespace verif
