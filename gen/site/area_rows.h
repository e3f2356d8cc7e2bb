// The figures that synth-scripts/area.csv records of presets.
#pragma once
#include <map>
#include <string>

namespace gen {

struct AreaRow {
  double gate_equivalents = 0, path_ns = 0;
};

// By preset. Throws FileError.
std::map<std::string, AreaRow> area_rows();

}  // namespace gen
