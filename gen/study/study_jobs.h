// What a study has to run: a command of l1forge for each measure of each configuration, once where two are
// the same. A result's name says what it was made of: the parameters as they come out and the text of the
// Verilog, as far as they count, the inputs' bytes, the measure, and the content of what measures it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gen/study/study_file.h"

namespace gen {

struct StudyJob {
  std::string key;                   // 16 hexadecimal digits
  std::string label;                 // "untimed of plain index.kind=xor"
  std::vector<std::string> command;  // of l1forge, but for --json
  const MeasureKind* kind;
  std::size_t rows;  // of its result
  std::string top;   // that its result names; empty: units of several names have the same result
};

struct StudyJobs {
  std::vector<StudyJob> jobs;                  // each key once
  std::vector<std::vector<std::string>> keys;  // by configuration and measure; empty: not wanted
};

// Which configurations are measured how, by configuration and measure.
using Wanted = std::vector<std::vector<bool>>;

// Of all measures that wait for no front.
Wanted wanted_first(const Study& study);

StudyJobs jobs_of(const Study& study, const Wanted& wanted);

}  // namespace gen
