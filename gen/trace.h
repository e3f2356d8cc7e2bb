// The command `trace`: what traces of any format hold, and conversion between formats.
#pragma once
#include <string>
#include <vector>

#include "gen/reports.h"
#include "golden/trace/open/trace_cut.h"

namespace gen {

struct TraceOptions {
  std::vector<std::string> files;
  std::string json;       // "" none, "-" standard output
  std::string converted;  // "" none
  bool list = false;      // the built-in kernels instead
  bool profile = false;   // what they do to L1 caches
  std::string html;       // of the profile; "" none
  int sms = 0;            // of the profile; 0 when not given
  int line_bytes = 128, chunk_bytes = 32;
  golden::TraceCut cut;
};

// The exit status. Throws what main prints as one line, status 2.
int trace(const TraceOptions& options, const Origin& origin);

}  // namespace gen
