// Area and delay of an index unit and of its baseline design, by the recipe in synth-scripts/, three orders
// of lines.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "verif/area/figure.h"
#include "verif/run_l1forge.h"

namespace verif {

// The unit and its baseline design, in one run.
inline std::pair<Figure, Figure> index_area(const std::string& preset, int sets) {
  const gen::Finished done =
      l1forge({"area", preset, "-s", fmt::format("index.sets={}", sets), "--orders", "3", "--json", "-"});
  if (!done.ok()) throw std::runtime_error(done.output);
  const auto units = nlohmann::json::parse(done.output)["units"];
  const std::pair figures(figure_of(units[0]), figure_of(units[1]));
  fmt::print("{} at {} sets: {:.1f} GE, {:.2f} ns; plain form {:.1f} GE, {:.2f} ns\n", preset, sets,
             figures.first.gate_equivalents, figures.first.ns, figures.second.gate_equivalents,
             figures.second.ns);
  return figures;
}

}  // namespace verif
