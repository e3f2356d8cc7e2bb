// A study as its TOML file describes it: configurations from grids of keys, inputs, and what is measured.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "gen/config/config.h"
#include "gen/study/comparison.h"
#include "gen/study/measure.h"

namespace gen {

// One configuration of a grid.
struct StudyPoint {
  std::string grid;                   // [grid.NAME]
  std::string unit;                   // a preset or a file, as the study names it
  std::vector<std::string> settings;  // key=value, as after -s
  Config config;
  std::int64_t bits = 0;  // stored in it

  // By what it differs from others of its grid: "index.kind=xor geometry.ways=8".
  std::string varied;
  std::string label() const { return varied.empty() ? grid : grid + " " + varied; }
};

// What configurations cost against what they bring, both the less the better: "bits", or a figure of a
// measure, "untimed.miss_rate".
struct ParetoPlot {
  std::string name, place, cost, value;
};

struct Study {
  std::string path, title;
  std::vector<StudyPoint> points;
  std::vector<std::string> traces, recordings;  // paths that hold from anywhere, or "builtin:NAME"
  std::vector<Measure> measures;
  std::vector<ParetoPlot> plots;
  std::vector<std::pair<std::string, Comparison>> checks;  // by name
  std::vector<std::string> notes;  // what a reader should know: combinations that were left out
};

// Files in it are relative to its folder. Throws ConfigError with line and column, also where rules leave
// nothing or an input is missing.
Study read_study(const std::string& path);

}  // namespace gen
