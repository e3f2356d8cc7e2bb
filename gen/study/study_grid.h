// A grid of a study: keys with the values that they take in turn, and the rules for what goes together.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gen/config/value.h"
#include "gen/study/study_file.h"

namespace gen {

// A key of a grid with the values that it takes in turn.
struct Axis {
  std::string key;
  std::vector<Written> values;
};

// Combinations that a grid leaves out: the ones with all of these settings.
struct Rule {
  std::string place;
  std::vector<std::string> settings;
};

struct Grid {
  std::string name, place, unit = {}, label = {};
  bool leave_out_refused = false;
  bool model_only = false;  // there is no Verilog of it
  std::vector<Axis> axes = {};
  std::vector<Rule> without = {};
};

// As it stands behind -s.
std::string flag_of(const std::string& key, const Written& value);

// Adds all combinations, the last key fastest, and says which were left out. `folder` is the study's. Throws
// ConfigError.
std::vector<std::string> expand(const Grid& grid, const std::filesystem::path& folder,
                                std::vector<StudyPoint>& points);

}  // namespace gen
