// The area command's figures of one unit, for tests.
#pragma once
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "verif/area/figure.h"
#include "verif/run_l1forge.h"

namespace verif {

inline Figure area(const std::string& preset, const std::vector<std::string>& settings) {
  std::vector<std::string> arguments{"area", preset, "--json", "-"};
  for (const auto& setting : settings) arguments.insert(arguments.end(), {"-s", setting});
  const gen::Finished done = l1forge(arguments);
  if (!done.ok()) throw std::runtime_error(done.output);
  const auto unit = nlohmann::json::parse(done.output)["units"][0];
  const Figure f = figure_of(unit);
  fmt::print("{}: {:.1f} GE, {:.2f} ns\n", unit["name"].get<std::string>(), f.gate_equivalents, f.ns);
  return f;
}

}  // namespace verif
