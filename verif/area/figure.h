// What the area command says of one unit, for tests.
#pragma once
#include <nlohmann/json.hpp>

namespace verif {

struct Figure {
  double gate_equivalents = 0, ns = 0;
};

inline Figure figure_of(const nlohmann::json& unit) {
  return {unit["gate_equivalents"]["median"], unit["longest_path_ns"]["median"]};
}

}  // namespace verif
