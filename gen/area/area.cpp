#include "gen/area/area.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "gen/area/picture.h"
#include "gen/area/report.h"
#include "gen/files.h"
#include "gen/ports.h"
#include "gen/print_verilog.h"
#include "gen/unit.h"
#include "gen/units/units.h"

namespace gen {
namespace {

AreaRequest request_of(const std::string& name, const rtl::Module& top, std::uint32_t order,
                       double clock_ns) {
  AreaRequest request{.name = name, .top = top.name(), .sources = {}, .clock_ns = clock_ns};
  for (const rtl::Module& m : rtl::modules_of(top))
    request.sources.push_back({m.name() + ".v", verilog(m, order)});
  for (const Port& p : ports_of(top)) {
    if (p.is_clock) request.clocks.push_back(p.name);
    if (p.is_reset) request.resets.push_back(p.name);
  }
  return request;
}

}  // namespace

int area(const Config& config, const AreaOptions& options) {
  if (options.json != "-") check_writable(options.json);
  if (options.svg == "-") throw ConfigError("--svg", "needs a file's name; --json - goes to standard output");
  if (!options.svg.empty() && options.svg == options.json)
    throw ConfigError("--svg " + options.svg, "is also the JSON report");
  check_writable(options.svg);
  const Liberty liberty = options.liberty.empty() ? default_liberty() : user_liberty(options.liberty);
  const Unit unit = elaborate(config);
  const double clock_ns = options.clock_ns.value_or(1);
  std::vector<AreaRequest> requests;
  for (int order = 0; order < options.orders; ++order)
    requests.push_back(request_of(config.top, unit.top, static_cast<std::uint32_t>(order), clock_ns));
  const auto plain =
      std::visit([&](const auto& p) { return plain_forms(p, config.top, clock_ns); }, config.params);
  requests.insert(requests.end(), plain.begin(), plain.end());

  const bool progress = isatty(STDERR_FILENO);
  const auto results =
      synthesize_all(requests, liberty, [&](std::size_t done, const AreaRequest&, const AreaResult&) {
        if (progress) fmt::print(stderr, "\r\033[K{} of {} synthesized", done, requests.size());
      });
  if (progress) fmt::print(stderr, "\r\033[K");

  AreaReport report{.library = liberty.origin,
                    .fixes = liberty.fixes,
                    .nand2_area = liberty.nand2_area(),
                    .clock_ns = options.clock_ns};
  report.figures.push_back(
      {.name = config.top, .orders = {results.begin(), results.begin() + options.orders}});
  for (std::size_t i = static_cast<std::size_t>(options.orders); i < results.size(); ++i)
    report.figures.push_back({.name = requests[i].name, .orders = {results[i]}, .beside = true});
  if (options.json == "-")
    std::cout << area_json(report).dump(2) << "\n";
  else
    fmt::print("{}", area_table(report));
  if (!options.json.empty() && options.json != "-")
    write_file_atomically(options.json, area_json(report).dump(2) + "\n");
  if (!options.svg.empty()) write_file_atomically(options.svg, area_svg(report));
  for (const AreaResult& r : results)
    if (r.latches) {
      fmt::print(stderr, "l1forge: {}: the netlist has {} latches\n", config.top, r.latches);
      return 1;
    }
  return 0;
}

}  // namespace gen
