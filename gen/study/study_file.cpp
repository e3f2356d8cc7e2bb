#include "gen/study/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "gen/config/suggest.h"
#include "gen/config/text.h"
#include "gen/config/toml_source.h"
#include "golden/trace/trace_source.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_points = 20'000;  // a slip in a grid is larger

// A key of a grid with the values that it takes in turn.
struct Axis {
  std::string key;
  std::vector<Written> values;
};

// Combinations that a grid leaves out: those that have all of these settings.
struct Rule {
  std::string place;
  std::vector<std::string> settings;
};

struct Grid {
  std::string name, place, unit = {};
  bool leave_out_refused = false;
  std::vector<Axis> axes = {};
  std::vector<Rule> without = {};
};

struct Reader {
  Study study;
  std::vector<Grid> grids;
  std::vector<std::pair<std::string, std::string>> measure_places;

  fs::path folder() const { return fs::path(study.path).parent_path(); }
};

[[noreturn]] void unknown(const Setting& s, const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest_word(word, known);
  throw ConfigError(s.key_place,
                    fmt::format("{}: no such key of a study{}; there are {}", s.key,
                                near.empty() ? "" : "; did you mean " + near + "?", joined(known, ", ")));
}

const std::string& text_of(const Setting& s, const Written& w) {
  if (w.type != Written::Type::text || w.text.empty())
    throw ConfigError(w.place.empty() ? s.key_place : w.place,
                      fmt::format("{} = {}: must be a string", s.key, w.source));
  return w.text;
}

std::vector<std::string> texts_of(const Setting& s) {
  if (s.value.type != Written::Type::list)
    throw ConfigError(s.key_place, fmt::format("{} = {}: must be a list of strings", s.key, s.value.source));
  std::vector<std::string> texts;
  for (const Written& item : s.value.items) texts.push_back(text_of(s, item));
  return texts;
}

// As it stands behind -s.
std::string flag_of(const std::string& key, const Written& value) {
  return fmt::format("{}={}", key, value.type == Written::Type::text ? value.text : value.source);
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

Grid& grid_named(Reader& reader, const std::string& name, const std::string& place) {
  const auto found = std::ranges::find(reader.grids, name, &Grid::name);
  if (found != reader.grids.end()) return *found;
  return reader.grids.emplace_back(Grid{.name = name, .place = place});
}

void read_grid(Reader& reader, const Setting& s, const std::string& name, const std::string& key) {
  Grid& grid = grid_named(reader, name, s.key_place);
  if (key == "unit") {
    grid.unit = text_of(s, s.value);
  } else if (key == "refused") {
    if (text_of(s, s.value) != "leave out" && s.value.text != "error")
      throw ConfigError(s.value.place,
                        fmt::format("{} = {}: must be \"error\" or \"leave out\"", s.key, s.value.source));
    grid.leave_out_refused = s.value.text == "leave out";
  } else if (key == "without") {
    for (const std::string& text : texts_of(s)) grid.without.push_back({s.key_place, words_of(text)});
  } else if (key.starts_with("keys.") && !s.is_table) {
    Axis axis{key.substr(5), {s.value}};
    if (s.value.type == Written::Type::list) axis.values = s.value.items;
    if (axis.values.empty())
      throw ConfigError(s.key_place, fmt::format("{} = []: must have a value at least", s.key));
    grid.axes.push_back(std::move(axis));
  } else if (!key.empty()) {
    unknown(s, key, {"unit", "keys", "without", "refused"});
  }
}

void read_measure(Reader& reader, const Setting& s, const std::string& name, const std::string& key) {
  std::vector<std::string> names;
  for (const MeasureKind& kind : measure_kinds()) names.push_back(kind.name);
  const auto kind = std::ranges::find(measure_kinds(), name, &MeasureKind::name);
  if (kind == measure_kinds().end()) unknown(s, name, names);
  auto& measures = reader.study.measures;
  auto measure = std::ranges::find(measures, &*kind, &Measure::kind);
  if (measure == measures.end()) {
    measure = measures.insert(measures.end(), Measure{&*kind, {}});
    reader.measure_places.emplace_back(name, s.key_place);
  }
  if (key.empty()) return;
  const auto flag = std::ranges::find(kind->keys, key, &std::pair<std::string, std::string>::first);
  if (flag == kind->keys.end()) {
    std::vector<std::string> keys;
    for (const auto& [known, ignored] : kind->keys) keys.push_back(known);
    unknown(s, key, keys);
  }
  std::string value = s.value.type == Written::Type::text ? s.value.text : s.value.source;
  if (key == "liberty") value = fs::absolute(reader.folder() / value).lexically_normal().string();
  measure->flags.insert(measure->flags.end(), {flag->second, value});
}

// "builtin:kmeans", or a file from the study's folder, as it can be named from anywhere.
std::vector<std::string> inputs_of(const Reader& reader, const Setting& s) {
  std::vector<std::string> inputs = texts_of(s);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].starts_with("builtin:")) continue;
    const fs::path whole = fs::absolute(reader.folder() / inputs[i]).lexically_normal();
    if (std::error_code error; !fs::exists(whole, error))
      throw ConfigError(s.value.items[i].place, fmt::format("{}: {}: no such file in {}", s.key, inputs[i],
                                                            whole.parent_path().string()));
    inputs[i] = whole.string();
  }
  return inputs;
}

// A dotted key's first part, and what is behind its dot.
std::pair<std::string, std::string> parted(const std::string& key) {
  const std::size_t dot = std::min(key.find('.'), key.size());
  return {key.substr(0, dot), key.substr(std::min(dot + 1, key.size()))};
}

void read_setting(Reader& reader, const Setting& s) {
  const auto [table, below] = parted(s.key);
  const auto [name, key] = parted(below);
  if (s.key == "title")
    reader.study.title = text_of(s, s.value);
  else if (table == "grid" && !name.empty())
    read_grid(reader, s, name, key);
  else if (table == "measure" && !name.empty())
    read_measure(reader, s, name, key);
  else if (s.key == "inputs.traces")
    reader.study.traces = inputs_of(reader, s);
  else if (s.key == "inputs.recordings")
    reader.study.recordings = inputs_of(reader, s);
  else if (!(s.key == "inputs" && s.is_table))
    unknown(s, s.key, {"title", "grid", "inputs.traces", "inputs.recordings", "measure"});
}

// An error of a configuration at the place in the study whose value it is about.
ConfigError placed_in_study(const Grid& grid, const ConfigError& error) {
  const std::string what = error.what();
  for (const Axis& axis : grid.axes)
    for (const Written& value : axis.values) {
      const std::string flag = "-s " + flag_of(axis.key, value) + ": ";
      if (what.starts_with(flag)) return ConfigError(value.place, what.substr(flag.size()));
    }
  return ConfigError(grid.place, fmt::format("[grid.{}]: {}", grid.name, what));
}

bool left_out(const Grid& grid, const std::vector<std::string>& settings) {
  return std::ranges::any_of(grid.without, [&](const Rule& rule) {
    return std::ranges::all_of(rule.settings, [&](const std::string& wanted) {
      return std::ranges::find(settings, wanted) != settings.end();
    });
  });
}

// A rule that names no axis would silently do nothing.
void check_rules(const Grid& grid) {
  std::set<std::string> flags;
  for (const Axis& axis : grid.axes)
    for (const Written& value : axis.values) flags.insert(flag_of(axis.key, value));
  for (const Rule& rule : grid.without)
    for (const std::string& setting : rule.settings)
      if (!flags.contains(setting))
        throw ConfigError(rule.place, fmt::format("grid.{}.without: {}: is no setting of this grid",
                                                  grid.name, shortened(setting)));
}

std::string unit_from(const Reader& reader, const Grid& grid) {
  if (grid.unit.empty())
    throw ConfigError(grid.place,
                      fmt::format("[grid.{}]: needs unit = a preset's name or a TOML file", grid.name));
  if (!grid.unit.ends_with(".toml")) return grid.unit;
  return fs::absolute(reader.folder() / grid.unit).lexically_normal().string();
}

// All combinations, the last key fastest.
void expand(Reader& reader, const Grid& grid) {
  check_rules(grid);
  const std::string unit = unit_from(reader, grid);
  std::size_t combinations = 1, refused = 0, dropped = 0;
  for (const Axis& axis : grid.axes)
    if ((combinations *= axis.values.size()) > most_points)
      throw ConfigError(grid.place,
                        fmt::format("[grid.{}]: more than {} combinations", grid.name, most_points));
  for (std::size_t n = 0; n < combinations; ++n) {
    StudyPoint point{.grid = grid.name, .unit = unit, .settings = {}, .config = {}, .varied = {}};
    std::vector<std::string> varied;
    std::size_t rest = n, stride = combinations;
    for (const Axis& axis : grid.axes) {
      stride /= axis.values.size();
      point.settings.push_back(flag_of(axis.key, axis.values[rest / stride]));
      if (axis.values.size() > 1) varied.push_back(point.settings.back());
      rest %= stride;
    }
    if (left_out(grid, point.settings)) {
      ++dropped;
      continue;
    }
    point.varied = joined(varied, " ");
    try {
      point.config = load_config(unit, point.settings);
      elaborate(point.config);
    } catch (const ConfigError& error) {
      if (!grid.leave_out_refused) throw placed_in_study(grid, error);
      ++refused;
      continue;
    }
    reader.study.points.push_back(std::move(point));
  }
  if (dropped + refused == combinations)
    throw ConfigError(grid.place, fmt::format("[grid.{}]: its rules leave none of {} combinations", grid.name,
                                              combinations));
  if (dropped)
    reader.study.notes.push_back(
        fmt::format("{}: {} of {} combinations are left out by rules", grid.name, dropped, combinations));
  if (refused)
    reader.study.notes.push_back(
        fmt::format("{}: {} of {} combinations cannot be built", grid.name, refused, combinations));
}

void check_inputs(const Reader& reader) {
  for (const Measure& m : reader.study.measures) {
    const bool lacks = (m.kind->inputs == MeasureInputs::traces && reader.study.traces.empty()) ||
                       (m.kind->inputs == MeasureInputs::recordings && reader.study.recordings.empty());
    if (!lacks) continue;
    const auto place =
        std::ranges::find(reader.measure_places, m.kind->name, &std::pair<std::string, std::string>::first);
    throw ConfigError(place->second,
                      fmt::format("[measure.{}]: needs inputs.{}", m.kind->name,
                                  m.kind->inputs == MeasureInputs::traces ? "traces" : "recordings"));
  }
}

}  // namespace

Study read_study(const std::string& path) {
  Reader reader;
  reader.study.path = path;
  reader.study.title = fs::path(path).stem().string();
  for (const Setting& s : read_toml_file(path)) read_setting(reader, s);
  if (reader.grids.empty()) throw ConfigError(path, "has no [grid.NAME], so no configurations");
  if (reader.study.measures.empty()) throw ConfigError(path, "has no [measure.NAME], so no figures");
  check_inputs(reader);
  for (const Grid& grid : reader.grids) expand(reader, grid);
  return std::move(reader.study);
}

}  // namespace gen
