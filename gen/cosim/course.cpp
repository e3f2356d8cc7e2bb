#include "gen/cosim/course.h"

#include "cosim/units/history_report.h"
#include "gen/short_names.h"
#include "gen/timeline.h"

namespace gen {

void check_timeline(const Config& config, const CosimRequest& request) {
  if (request.svg.empty()) return;
  if (request.svg == "-") throw ConfigError("--svg", "needs a file's name; --json - goes to standard output");
  if (!config.params.holds<hw::L1dParams>() || request.traces.empty())
    throw ConfigError("--svg", "draws how traces went on a cache; give a cache, and traces with --trace");
}

std::string timeline_svg(const std::string& unit, const nlohmann::ordered_json& report) {
  std::vector<std::string> traces;
  for (const auto& trace : report["traces"]) traces.push_back(trace["trace"]);
  const std::vector<std::string> names = short_names(traces);
  Chart chart("Course of the Verilog");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& trace = report["traces"][i];
    const auto parts = verif::parts_of(trace["timeline"]);
    std::vector<golden::History> histories;
    for (const auto& heading : trace.value("histories", nlohmann::ordered_json::array()))
      histories.push_back(verif::history_of(heading, trace[heading["name"].get<std::string>()]));
    draw_timeline(chart, names[i], {{short_names({unit})[0], colour_of(0), &parts, &histories}});
  }
  return picture_of(chart);
}

}  // namespace gen
