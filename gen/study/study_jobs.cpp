#include "gen/study/study_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "gen/digest.h"
#include "gen/files.h"
#include "gen/generate.h"
#include "gen/study/digests.h"
#include "golden/trace/open/open_trace.h"
#include "golden/trace/open/trace_name.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

// Of all files that an input reads, those beside it if they are there, and how it is cut; what is built in
// has its name.
std::string digest_of_input(const std::string& input) {
  Digest digest;
  const std::string file = golden::trace_name(input).file;
  digest.add(input.starts_with("builtin:") ? input : input.substr(file.size()));
  for (const std::string& file : golden::files_of_trace(input))
    if (std::error_code error; fs::is_regular_file(file, error)) digest.add(read_file(file));
  return digest.text();
}

// Verilog without the heads of its files, which name the preset; or why there is none.
std::string digest_of_hardware(const Config& config) try {
  Digest digest;
  for (const auto& [name, text] : generated_files(config))
    if (name.ends_with(".v")) digest.add(text.substr(text.find("module ")));
  return digest.text();
} catch (const ConfigError& error) {
  return digest_of(error.what());
}

std::string digest_of_parameters(const Config& config) {
  Digest digest;
  digest.add(config.preset);
  digest.add(config.resolved.dump());
  return digest.text();
}

const std::vector<StudyInput>& inputs_for(const Study& study, const MeasureKind& kind) {
  static const std::vector<StudyInput> nothing;
  return kind.inputs == MeasureInputs::traces       ? study.traces
         : kind.inputs == MeasureInputs::recordings ? study.recordings
                                                    : nothing;
}

std::vector<std::string> command_of(const Study& study, const StudyPoint& point, const Measure& measure) {
  std::vector<std::string> command{measure.kind->command, point.unit};
  for (const std::string& setting : point.settings) command.insert(command.end(), {"-s", setting});
  command.insert(command.end(), measure.kind->flags.begin(), measure.kind->flags.end());
  command.insert(command.end(), measure.flags.begin(), measure.flags.end());
  if (measure.kind->input_flag.empty()) return command;
  command.push_back(measure.kind->input_flag);
  for (const StudyInput& input : inputs_for(study, *measure.kind)) command.push_back(input.path);
  return command;
}

}  // namespace

Wanted wanted_first(const Study& study) {
  Wanted wanted;
  for (const StudyPoint& point : study.points) {
    auto& of = wanted.emplace_back();
    for (const Measure& measure : study.measures)
      of.push_back(measure.only.empty() && measure.takes(point.grid));
  }
  return wanted;
}

StudyJobs jobs_of(const Study& study, const Wanted& wanted) {
  StudyJobs found;
  std::set<std::string> known;
  std::map<std::string, std::string> inputs;
  for (const auto* list : {&study.traces, &study.recordings})
    for (const StudyInput& input : *list) inputs[input.path] = digest_of_input(input.path);
  for (std::size_t p = 0; p < study.points.size(); ++p) {
    const StudyPoint& point = study.points[p];
    auto& keys = found.keys.emplace_back();
    for (std::size_t m = 0; m < study.measures.size(); ++m) {
      const Measure& measure = study.measures[m];
      if (!wanted[p][m]) {
        keys.emplace_back();
        continue;
      }
      Digest digest;
      digest.add(*measure.kind->program);
      digest.add(measure.kind->name);
      for (const std::string& flag : measure.flags)
        digest.add(fs::path(flag).is_absolute() ? read_file(flag) : flag);
      if (measure.kind->verilog) digest.add(digest_of_hardware(point.config));
      if (measure.kind->parameters) digest.add(digest_of_parameters(point.config));
      for (const StudyInput& input : inputs_for(study, *measure.kind)) digest.add(inputs.at(input.path));
      keys.push_back(digest.text());
      if (known.insert(keys.back()).second)
        found.jobs.push_back({keys.back(), fmt::format("{} of {}", measure.name, point.label()),
                              command_of(study, point, measure), measure.kind,
                              std::max(inputs_for(study, *measure.kind).size(), std::size_t{1}),
                              measure.kind->parameters ? point.config.top : ""});
    }
  }
  return found;
}

}  // namespace gen
