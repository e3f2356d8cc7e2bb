#include "gen/claims/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ranges>

#include "gen/config/json_file.h"
#include "gen/config/text.h"
#include "gen/files.h"
#include "gen/generate.h"
#include "gen/process.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

// Of a line of CSV.
std::vector<std::string> cells_of(const std::string& line, const std::string& place) {
  std::vector<std::string> cells;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    std::size_t end = at;
    const auto whole = line[at] == '"' ? unquoted(line, end) : std::nullopt;
    if (!whole) end = std::min(line.find(',', at), line.size());
    if ((line[at] == '"' && !whole) || (end < line.size() && line[end] != ','))
      throw ConfigError(place, "has a quote that does not enclose a cell");
    cells.push_back(whole ? *whole : line.substr(at, end - at));
    at = end;
  }
  return cells;
}

double cell_number(const std::string& cell, const std::string& place) {
  char* end = nullptr;
  const double number = std::strtod(cell.c_str(), &end);
  if (cell.empty() || *end != '\0')
    throw ConfigError(place, fmt::format("\"{}\" is no number", shortened(cell)));
  return number;
}

// An empty cell is a figure that there is not.
Json table_of(const std::string& text, const std::string& path, std::size_t rows) {
  std::vector<std::string> lines;
  for (const auto line : std::views::split(text, '\n')) lines.emplace_back(line.begin(), line.end());
  if (!text.empty() && !text.ends_with('\n'))
    throw ConfigError(fmt::format("{}:{}", path, lines.size()),
                      "the line does not end: the file is cut short");
  if (!lines.empty()) lines.pop_back();
  if (!lines.empty() && lines.back().starts_with('#')) lines.pop_back();  // what it was made of
  if (lines.size() != rows + 1)
    throw ConfigError(fmt::format("{}:{}", path, lines.size()),
                      fmt::format("ends here, with {} rows of {}: the file is cut short",
                                  lines.empty() ? 0 : lines.size() - 1, rows));
  const std::vector<std::string> head = cells_of(lines[0], path + ":1");
  Json columns = Json::object();
  for (std::size_t n = 1; n < lines.size(); ++n) {
    const std::string place = fmt::format("{}:{}", path, n + 1);
    const std::vector<std::string> cells = cells_of(lines[n], place);
    if (cells.size() != head.size())
      throw ConfigError(place, fmt::format("has {} cells, the first line {}", cells.size(), head.size()));
    for (std::size_t c = 1; c < cells.size(); ++c)
      if (!cells[c].empty()) columns[head[c]][cells[0]] = cell_number(cells[c], place);
  }
  return columns;
}

Json manifest_of(const ResultSource& source) {
  const Config config = load_config(source.path, source.settings);
  return Json::parse(generated_files(config).at(config.top + ".json"));
}

Json json_of_run(const ResultSource& source) {
  const TempDir work("claims");
  const std::string file = work / "result.json";
  std::vector<std::string> argv{fs::read_symlink("/proc/self/exe").string()};
  argv.insert(argv.end(), source.reading.words.begin(), source.reading.words.end());
  argv.insert(argv.end(), {"--json", file});
  const Finished done = run({.argv = argv, .folder = work.path()});
  if (!done.ok())
    throw ConfigError(source.place, fmt::format("[result.{}]: l1forge {}: {}", source.name,
                                                joined(source.run, " "), log_tail(done.output, 1)));
  return json_from<Json>(read_file(file), file);
}

}  // namespace

Json figures_of(const ResultSource& source) {
  if (!source.unit.empty()) try {
      return manifest_of(source);
    } catch (const ConfigError& error) {
      throw ConfigError(source.place, fmt::format("[result.{}]: {}", source.name, error.what()));
    }
  if (!source.run.empty()) return json_of_run(source);
  const std::string& path = source.path;
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    throw ConfigError(source.place, fmt::format("[result.{}]: {}: no such file; again: {}", source.name, path,
                                                source.command));
  const std::string text = read_file(path);
  return source.file.ends_with(".csv") ? table_of(text, path, source.rows) : json_from<Json>(text, path);
}

}  // namespace gen
