#include "gen/cosim/timeline.h"

#include <fmt/format.h>

#include "cosim/harness/history_report.h"
#include "gen/charts/timeline.h"
#include "gen/charts/vega.h"
#include "gen/short_names.h"

namespace gen {

void check_timeline(const Config& config, const CosimRequest& request) {
  if (request.svg.empty()) return;
  if (request.svg == "-") throw ConfigError("--svg", "needs a file's name; --json - goes to standard output");
  if (!config.params.holds<hw::L1dParams>() || request.traces.empty())
    throw ConfigError("--svg", "draws how traces went on a cache; give a cache, and traces with --trace");
  check_pictures();
}

std::vector<Chart> timeline_charts(const std::string& unit, const nlohmann::ordered_json& report) {
  std::vector<std::string> traces;
  for (const auto& trace : report["traces"]) traces.push_back(trace["trace"]);
  const std::vector<std::string> names = short_names(traces);
  std::vector<Chart> charts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& trace = report["traces"][i];
    const auto parts = verif::parts_of(trace["timeline"]);
    std::vector<golden::History> histories;
    for (const auto& heading : trace.value("histories", nlohmann::ordered_json::array()))
      histories.push_back(verif::history_of(heading, trace[heading["name"].get<std::string>()]));
    const std::string name = short_names({unit})[0];
    charts.push_back(timeline_chart(fmt::format("Course of the Verilog: {}, {}", name, names[i]),
                                    {{name, &parts, &histories}}));
  }
  return charts;
}

std::string timeline_svg(const std::string& unit, const nlohmann::ordered_json& report) {
  return picture_of(timeline_charts(unit, report));
}

}  // namespace gen
