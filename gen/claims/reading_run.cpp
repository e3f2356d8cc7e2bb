#include "gen/claims/reading_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "gen/config/catalogue.h"
#include "gen/config/error.h"
#include "gen/config/text.h"
#include "gen/files.h"
#include "gen/system/system_config.h"
#include "golden/trace/io/byte_source.h"
#include "golden/trace/open/open_trace.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

enum class Means { value, unit, system, file, trace };
using ReadingOption = std::pair<std::string, Means>;

struct ReadingCommand {
  const char* name;
  std::vector<ReadingOption> options;
};

// All that is not here is refused, so that a new option is safe until somebody says that it is.
const std::array<ReadingCommand, 5> reading_commands{{
    {"explore",
     {{"units", Means::unit},
      {"set", Means::value},
      {"trace", Means::trace},
      {"requests", Means::file},
      {"timed", Means::value},
      {"untimed", Means::value},
      {"sms", Means::value},
      {"memory", Means::unit},
      {"system", Means::system},
      {"scheduler", Means::value},
      {"memory-latency", Means::value},
      {"memory-bandwidth", Means::value},
      {"threads", Means::value}}},
    {"cosim",
     {{"unit", Means::unit},
      {"set", Means::value},
      {"random", Means::value},
      {"seed", Means::value},
      {"trace", Means::trace},
      {"replay", Means::file},
      {"scheduler", Means::value},
      {"memory-latency", Means::value},
      {"memory-bandwidth", Means::value}}},
    {"area",
     {{"unit", Means::unit},
      {"set", Means::value},
      {"liberty", Means::file},
      {"clock-ns", Means::value},
      {"orders", Means::value},
      {"parts", Means::value},
      {"alone", Means::value},
      {"ram-ns", Means::value},
      {"macro", Means::file},
      {"thesis", Means::value}}},
    {"diff",
     {{"first", Means::unit},
      {"second", Means::unit},
      {"set", Means::value},
      {"area", Means::value},
      {"orders", Means::value}}},
    {"trace",
     {{"files", Means::trace},
      {"ctas", Means::value},
      {"accesses", Means::value},
      {"line-bytes", Means::value},
      {"chunk-bytes", Means::value},
      {"profile", Means::value},
      {"sms", Means::value}}},
}};

template <class List, class Name>
std::string names_in(const List& list, Name name) {
  std::vector<std::string> names;
  for (const auto& item : list) names.push_back(name(item));
  return joined(names, ", ");
}

void check_below(const fs::path& folder, const fs::path& file, const std::string& name,
                 const std::string& place) {
  std::error_code error;
  if (!lies_below(folder, file))
    throw ConfigError(place, fmt::format("{}: {} does not lie below {}; claims name files below their "
                                         "folder, or traces of the folder of --traces as TRACES/FILE",
                                         shortened(name), file.string(), folder.string()));
  if (fs::exists(file, error) && !fs::is_regular_file(file, error))
    throw ConfigError(place, fmt::format("{}: is no regular file", shortened(name)));
}

// With all that it names in turn: the kernels of a list, the side file.
std::string trace_below(const ClaimsFolders& folders, const std::string& name, const std::string& place,
                        std::vector<std::string>& files) {
  constexpr std::string_view foreign = "TRACES/";
  if (name.starts_with("builtin:")) return name;
  const bool outside = name.starts_with(foreign);
  const fs::path folder = outside ? folders.traces : folders.own;
  const std::string path =
      fs::absolute(folder / (outside ? name.substr(foreign.size()) : name)).lexically_normal().string();
  std::vector<std::string> found;
  try {
    found = golden::files_of_trace(path);
  } catch (const golden::TraceError& error) {
    throw ConfigError(place, error.what());
  }
  for (const std::string& file : found) check_below(folder, file, name, place);
  files.insert(files.end(), found.begin(), found.end());
  return path;
}

std::string system_below(const ClaimsFolders& folders, const std::string& name, const std::string& place) {
  const auto& known = system_presets();
  return std::ranges::find(known, name, &SystemPreset::name) != known.end()
             ? name
             : file_below(folders, name, place);
}

}  // namespace

std::string file_below(const ClaimsFolders& folders, const std::string& name, const std::string& place) {
  const fs::path path = fs::absolute(folders.own / name).lexically_normal();
  check_below(folders.own, path, name, place);
  return path.string();
}

std::string unit_below(const ClaimsFolders& folders, const std::string& name, const std::string& place) {
  return find_preset(name) ? name : file_below(folders, name, place);
}

ReadingRun reading_run(const std::vector<std::string>& words, const ClaimsFolders& folders,
                       const std::string& place, CallParser parser) {
  const auto command = std::ranges::find(reading_commands, words.at(0), &ReadingCommand::name);
  if (command == reading_commands.end())
    throw ConfigError(place, fmt::format("run: {}: claims run {} alone", shortened(words[0]),
                                         names_in(reading_commands, [](const auto& c) { return c.name; })));
  ReadingRun run{{command->name}, {}};
  Call call;
  try {
    call = parser(words);
  } catch (const ConfigError& error) {
    throw ConfigError(place, fmt::format("run: {}", error.what()));
  }
  for (const Call::Option& option : call.options) {
    const auto known = std::ranges::find(command->options, option.name, &ReadingOption::first);
    if (known == command->options.end())
      throw ConfigError(
          place,
          fmt::format("run: --{}: is no option that claims may have; of {} there are {}", option.name,
                      command->name, names_in(command->options, [](const auto& o) { return o.first; })));
    for (const std::string& value : option.values) {
      std::string word = value;
      if (known->second == Means::trace) word = trace_below(folders, value, place, run.files);
      if (known->second == Means::unit) word = unit_below(folders, value, place);
      if (known->second == Means::system) word = system_below(folders, value, place);
      if (known->second == Means::file) word = file_below(folders, value, place);
      if (word != value && known->second != Means::trace) run.files.push_back(word);
      run.words.push_back(option.positional ? word : fmt::format("--{}={}", option.name, word));
    }
  }
  return run;
}

}  // namespace gen
