// synth-scripts/area.csv beside what is measured now: a change of more than 1 % is to be a change of the
// file.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "gen/files.h"
#include "gen/paths.h"
#include "gen/with_commas.h"
#include "verif/area/figure.h"
#include "verif/run_l1forge.h"

namespace verif {

inline constexpr double ratchet_step = 0.01;

inline std::map<std::string, Figure> recorded_areas() {
  std::istringstream lines(gen::read_file(gen::paths::source() / "synth-scripts/area.csv"));
  std::map<std::string, Figure> rows;
  std::string line;
  std::getline(lines, line);  // the names of the columns
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string preset, gates, path;
    std::getline(cells, preset, ',');
    std::getline(cells, gates, ',');
    std::getline(cells, path);
    rows[preset] = {std::stod(gates), std::stod(path)};
  }
  return rows;
}

inline Figure measured_area(const std::string& preset) {
  const gen::Finished done = l1forge({"area", preset, "--alone", "--json", "-"});
  if (!done.ok()) throw std::runtime_error(done.output);
  return figure_of(nlohmann::json::parse(done.output)["units"][0]);
}

// Why the unit is no longer as the file has it; empty where it is.
inline std::string ratchet_fault(const std::string& preset, const Figure& recorded, const Figure& now) {
  const auto differs = [](double a, double b) { return std::abs(a - b) > ratchet_step * std::max(a, b); };
  if (!differs(recorded.gate_equivalents, now.gate_equivalents) && !differs(recorded.ns, now.ns)) return "";
  return fmt::format(
      "{}: {:.1f} GE and {:.2f} ns, recorded as {:.1f} GE and {:.2f} ns; where the change is meant: python3 "
      "verif/area/ratchet.py {}",
      preset, now.gate_equivalents, now.ns, recorded.gate_equivalents, recorded.ns, preset);
}

// A row of the table in docs/area.md.
inline std::string documented_row(const std::string& preset, const Figure& figure) {
  const std::string gates = gen::with_commas(
      fmt::format("{:.{}f}", figure.gate_equivalents, figure.gate_equivalents < 1000 ? 1 : 0));
  return fmt::format("| `{}` | {} | {:.2f} |", preset, gates, figure.ns);
}

}  // namespace verif
