// A study as its TOML file describes it: configurations from grids of keys, inputs, and what is measured.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "gen/config/config.h"
#include "gen/study/comparison.h"
#include "gen/study/measure.h"
#include "gen/study/table.h"

namespace gen {

// One configuration of a grid.
struct StudyPoint {
  std::string grid;                   // [grid.NAME]
  std::string unit;                   // a preset or a file, as the study names it
  std::vector<std::string> settings;  // key=value, as after -s
  Config config;
  std::int64_t bits = 0;            // stored in it
  std::int64_t published_bits = 0;  // of them what the papers count

  // By what it differs from others of its grid: "index.kind=xor geometry.ways=8".
  std::string varied;
  std::string printed;  // in tables
  std::string label() const { return varied.empty() ? grid : grid + " " + varied; }
};

// What configurations cost against what they bring, both the less the better: "bits", or a figure of a
// measure, "untimed.miss_rate".
struct ParetoPlot {
  std::string name, place;
  std::string cost = {}, value = {};
  std::string picture = {};  // SVG, of the front of the mean
};

struct StudyInput {
  std::string path;     // that holds from anywhere, or "builtin:NAME"
  std::string written;  // in the study
};

struct Study {
  std::string path, title;
  std::vector<std::string> files;  // that it is read from: its own, and that of inputs.of
  std::vector<StudyPoint> points;
  std::vector<StudyInput> traces, recordings;
  std::vector<std::string> names;  // of traces and recordings in tables; empty: those of the files
  std::vector<Measure> measures;
  std::vector<ParetoPlot> plots;
  std::vector<std::pair<std::string, Comparison>> checks;  // by name
  std::vector<StudyTable> tables;
  std::vector<std::pair<std::string, std::string>> words;  // that stand for others in tables
  std::vector<std::string> pages;                          // with tables of it
  std::vector<std::string> notes;  // what a reader should know: combinations that were left out

  // Of all traces, then of all recordings, each another.
  std::vector<std::string> input_names() const;
};

// Files in it are relative to its folder, but for inputs TRACES/NAME, which lie in the folder `traces`. What
// --pages writes lies below the study's folder; of the documentation's own studies, below docs/.
// Throws ConfigError with line and column, also where rules leave nothing or an input is missing.
Study read_study(const std::string& path, const std::string& traces);

// The same, for what does not run it: inputs may be missing, and their paths are those written in the study.
Study read_study_without_inputs(const std::string& path);

}  // namespace gen
