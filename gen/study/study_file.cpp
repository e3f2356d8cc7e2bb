#include "gen/study/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "gen/config/config.h"
#include "gen/config/suggest.h"
#include "gen/config/text.h"
#include "gen/config/toml_source.h"
#include "gen/explore/report.h"
#include "gen/files.h"
#include "gen/paths.h"
#include "gen/study/study_grid.h"
#include "gen/study/study_rules.h"
#include "golden/trace/open/trace_name.h"
#include "golden/trace/trace_source.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

struct Reader {
  Study study;
  std::string traces;  // the folder that TRACES stands for
  bool inputs_are_there = true;
  std::vector<Grid> grids;
  std::string names_place = {}, inputs_place = {};

  fs::path folder() const { return fs::path(study.path).parent_path(); }
};

// Studies of others write nothing outside of their folder.
std::string written_below(const Reader& reader, const Setting& s, const Written& w, const char* ending) {
  const fs::path docs = paths::source() / "docs", path = (reader.folder() / w.text).lexically_normal();
  const fs::path folder = lies_below(docs, reader.study.path) ? docs : reader.folder();
  if (!w.text.ends_with(ending))
    throw ConfigError(w.place, fmt::format("{} = {}: must end in {}", s.key, w.source, ending));
  if (!lies_below(folder, path))
    throw ConfigError(w.place, fmt::format("{} = {}: must lie below {}", s.key, w.source,
                                           folder.empty() ? "the study's folder" : folder.string()));
  return path.string();
}

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

Grid& grid_named(Reader& reader, const std::string& name, const std::string& place) {
  const auto found = std::ranges::find(reader.grids, name, &Grid::name);
  if (found != reader.grids.end()) return *found;
  return reader.grids.emplace_back(Grid{.name = name, .place = place});
}

void read_grid(Reader& reader, const Setting& s, const std::string& name, const std::string& key) {
  Grid& grid = grid_named(reader, name, s.key_place);
  if (key == "unit") {
    grid.unit = text_of(s, s.value);
  } else if (key == "label") {
    grid.label = text_of(s, s.value);
  } else if (key == "model_only") {
    if (s.value.type != Written::Type::boolean)
      throw ConfigError(s.value.place, fmt::format("{} = {}: must be true or false", s.key, s.value.source));
    grid.model_only = s.value.boolean;
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
    unknown(s, key, {"unit", "label", "keys", "without", "refused", "model_only"});
  }
}

// [measure.NAME], whose kind is NAME where it has no key `kind`.
void add_measure(Reader& reader, const Setting& s, const std::string& name, const std::string& kind_name) {
  auto& measures = reader.study.measures;
  if (std::ranges::find(measures, name, &Measure::name) != measures.end()) return;
  if (name == "bits" || name == "published_bits" || name == "settings" || name == "front")
    throw ConfigError(s.key_place, fmt::format("[measure.{0}]: figures call something else {0}", name));
  const auto kind = std::ranges::find(measure_kinds(), kind_name, &MeasureKind::name);
  if (kind == measure_kinds().end()) {
    std::vector<std::string> names;
    for (const MeasureKind& known : measure_kinds()) names.push_back(known.name);
    unknown(s, kind_name, names);
  }
  measures.push_back({name, s.key_place, &*kind});
}

// As the command would check its flag, which it does when all before it has been measured.
void check_measure_value(const Setting& s, const MeasureKey& key, const std::string& value) {
  if (const std::string fault = key.fault(value); !fault.empty())
    throw ConfigError(s.value.place.empty() ? s.key_place : s.value.place,
                      fmt::format("{} = {}: {}", s.key, s.value.source, fault));
}

std::string file_of_measure(const Reader& reader, const Setting& s, const std::string& name) {
  const std::string file = fs::absolute(reader.folder() / name).lexically_normal().string();
  if (std::error_code error; !fs::is_regular_file(file, error))
    throw ConfigError(s.value.place, fmt::format("{} = {}: {}: no such file", s.key, s.value.source, file));
  return file;
}

void read_measure(Reader& reader, const Setting& s, const std::string& name, const std::string& key) {
  add_measure(reader, s, name, name);
  if (key.empty() || key == "kind") return;
  Measure& measure = *std::ranges::find(reader.study.measures, name, &Measure::name);
  const std::pair<const char*, std::vector<std::string>*> lists[] = {
      {"only", &measure.only}, {"vary", &measure.vary}, {"grids", &measure.grids}};
  for (const auto& [name_of_list, list] : lists)
    if (key == name_of_list) {
      *list = texts_of(s);
      return;
    }
  const auto& flags = measure.kind->keys;
  const auto flag = std::ranges::find(flags, key, &MeasureKey::key);
  if (flag == flags.end()) {
    std::vector<std::string> keys{"kind", "grids", "only", "vary"};
    for (const MeasureKey& known : flags) keys.push_back(known.key);
    unknown(s, key, keys);
  }
  std::string value = s.value.type == Written::Type::text ? s.value.text : s.value.source;
  check_measure_value(s, *flag, value);
  const bool is_file = key == "liberty" || (key == "trace" && !value.starts_with("builtin:"));
  if (is_file || value.ends_with(".toml")) value = file_of_measure(reader, s, value);
  if (key == "memory") load_config(value);
  measure.flags.insert(measure.flags.end(), {flag->flag, value});
}

void read_check(Reader& reader, const Setting& s, const std::string& name, const std::string& key) {
  auto& checks = reader.study.checks;
  auto check = std::ranges::find(checks, name, &std::pair<std::string, Comparison>::first);
  if (check == checks.end()) check = checks.insert(checks.end(), {name, Comparison(s.key_place)});
  const auto& keys = Comparison::keys();
  if (!key.starts_with("value.") && std::ranges::find(keys, key) == keys.end()) unknown(s, key, keys);
  check->second.read(s, key);
}

void read_plot(Reader& reader, const Setting& s, const std::string& name, const std::string& key) {
  auto& plots = reader.study.plots;
  auto plot = std::ranges::find(plots, name, &ParetoPlot::name);
  if (plot == plots.end()) plot = plots.insert(plots.end(), {name, s.key_place});
  if (key == "picture") {
    text_of(s, s.value);
    plot->picture = written_below(reader, s, s.value, ".svg");
    return;
  }
  if (key != "cost" && key != "value") unknown(s, key, {"cost", "value", "picture"});
  (key == "cost" ? plot->cost : plot->value) = text_of(s, s.value);
}

void read_table(Reader& reader, const Setting& s, const std::string& name, const std::string& key) {
  auto& tables = reader.study.tables;
  auto table = std::ranges::find(tables, name, &StudyTable::name);
  if (table == tables.end()) {
    const auto plain = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
    if (!std::ranges::all_of(name, plain))  // it is the name of a file, too
      throw ConfigError(s.key_place,
                        fmt::format("table.{}: must be called by letters, digits, _ and -", shortened(name)));
    table = tables.insert(tables.end(), {name, s.key_place});
  }
  if (!read_table_key(*table, s, key)) unknown(s, key, table_keys());
  if (key == "file") table->file = written_below(reader, s, s.value, ".csv");
}

std::vector<std::string> pages_of(const Reader& reader, const Setting& s) {
  std::vector<std::string> pages = texts_of(s);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const fs::path page = written_below(reader, s, s.value.items[i], ".md");
    if (std::error_code error; !fs::is_regular_file(page, error))
      throw ConfigError(s.value.items[i].place, fmt::format("{}: {}: no such page", s.key, page.string()));
    pages[i] = page.string();
  }
  return pages;
}

// "builtin:kmeans", or a file, as it can be named from anywhere: of the folder of traces, or from the
// study's. Of a trace it may be the beginning.
std::vector<StudyInput> inputs_of(const Reader& reader, const Setting& s) {
  constexpr std::string_view foreign = "TRACES/";
  std::vector<StudyInput> inputs;
  for (const std::string& text : texts_of(s)) {
    const std::size_t i = inputs.size();
    inputs.push_back({text, text});
    if (text.starts_with("builtin:") || !reader.inputs_are_there) continue;
    const bool outside = text.starts_with(foreign);
    if (outside && reader.traces.empty())
      throw ConfigError(s.value.items[i].place,
                        fmt::format("{}: {}: lies outside of the repository; say by --traces DIR or the "
                                    "variable L1FORGE_TRACES where",
                                    s.key, text));
    const fs::path whole =
        fs::absolute(outside ? reader.traces / fs::path(text.substr(foreign.size())) : reader.folder() / text)
            .lexically_normal();
    std::string file = whole.string();
    try {
      if (s.key == "inputs.traces") file = golden::trace_name(file).file;
    } catch (const golden::TraceError& error) {
      throw ConfigError(s.value.items[i].place, fmt::format("{}: {}", s.key, error.what()));
    }
    if (std::error_code error; !fs::exists(file, error))
      throw ConfigError(s.value.items[i].place,
                        fmt::format("{}: {}: no such file in {}", s.key, text, whole.parent_path().string()));
    inputs[i].path = whole.string();
  }
  return inputs;
}

void read_setting(Reader& reader, const Setting& s);

// The inputs of another study, from whose folder its files are named.
void read_inputs_of(Reader& reader, const Setting& s) {
  Reader other;
  other.study.path = (reader.folder() / text_of(s, s.value)).lexically_normal().string();
  other.traces = reader.traces;
  other.inputs_are_there = reader.inputs_are_there;
  reader.study.files.push_back(other.study.path);
  for (const Setting& t : read_toml_file(other.study.path))
    if (t.key.starts_with("inputs.") && t.key != s.key) read_setting(other, t);
  reader.study.traces = other.study.traces;
  reader.study.recordings = other.study.recordings;
  reader.study.names = other.study.names;
  reader.names_place = reader.inputs_place = s.key_place;
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
  else if (table == "check" && !key.empty())
    read_check(reader, s, name, key);
  else if (table == "pareto" && !key.empty())
    read_plot(reader, s, name, key);
  else if (table == "table" && !key.empty())
    read_table(reader, s, name, key);
  else if (table == "let" && !name.empty() && key.empty())
    reader.study.words.emplace_back(name, text_of(s, s.value));
  else if (s.key == "pages")
    reader.study.pages = pages_of(reader, s);
  else if (s.key == "inputs.of")
    read_inputs_of(reader, s);
  else if (s.key == "inputs.names")
    reader.study.names = texts_of(s), reader.names_place = s.key_place;
  else if (s.key == "inputs.traces")
    reader.study.traces = inputs_of(reader, s), reader.inputs_place = s.key_place;
  else if (s.key == "inputs.recordings")
    reader.study.recordings = inputs_of(reader, s), reader.inputs_place = s.key_place;
  else if (!(s.key == "inputs" && s.is_table))
    unknown(s, s.key,
            {"title", "pages", "let", "grid", "inputs.traces", "inputs.recordings", "inputs.names",
             "inputs.of", "measure", "check", "pareto", "table"});
}

}  // namespace

std::vector<std::string> Study::input_names() const {
  if (!names.empty()) return names;
  std::vector<StudyInput> inputs = traces;
  inputs.insert(inputs.end(), recordings.begin(), recordings.end());
  std::vector<std::string> shorter, found;
  for (const StudyInput& input : inputs) shorter.push_back(short_names({input.path})[0]);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    found.push_back(std::ranges::count(shorter, shorter[i]) > 1 ? inputs[i].written : shorter[i]);
  return found;
}

namespace {

Study study_of(Reader reader) {
  const std::string path = reader.study.path;
  reader.study.files.push_back(path);
  reader.study.title = fs::path(path).stem().string();
  const std::vector<Setting> settings = read_toml_file(path);
  for (const Setting& s : settings)
    if (s.key.starts_with("measure.") && s.key.ends_with(".kind"))
      add_measure(reader, s, s.key.substr(8, s.key.size() - 13), text_of(s, s.value));
  for (const Setting& s : settings) read_setting(reader, s);
  if (reader.grids.empty()) throw ConfigError(path, "has no [grid.NAME], so no configurations");
  if (reader.study.measures.empty()) throw ConfigError(path, "has no [measure.NAME], so no figures");
  check_parts(reader.study, reader.grids,
              reader.study.names.empty() ? reader.inputs_place : reader.names_place);
  for (const auto& [name, check] : reader.study.checks) check.check();
  for (const Grid& grid : reader.grids)
    for (std::string& note : expand(grid, reader.folder(), reader.study.points))
      reader.study.notes.push_back(std::move(note));
  complete_tables(reader.study);
  return std::move(reader.study);
}

}  // namespace

Study read_study(const std::string& path, const std::string& traces) {
  Reader reader;
  reader.study.path = path;
  reader.traces = traces;
  return study_of(std::move(reader));
}

Study read_study_without_inputs(const std::string& path) {
  Reader reader;
  reader.study.path = path;
  reader.inputs_are_there = false;
  return study_of(std::move(reader));
}

}  // namespace gen
