#include "gen/site/configurations.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <sstream>

#include "gen/config/catalogue.h"
#include "gen/config/config.h"
#include "gen/datasheet/recorded.h"
#include "gen/files.h"
#include "gen/paths.h"
#include "gen/site/area_rows.h"
#include "gen/unit/unit.h"
#include "hw/l1d/l1d_params.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

Json point_of(const Config& config, const std::vector<std::string>& settings) {
  const Json& keys = config.resolved;
  std::string command = config.source;
  for (const std::string& setting : settings) command += " -s " + setting;
  return {{"name", command},
          {"command", "l1forge datasheet " + command + " -o DIR"},
          {"tags", keys["tags.kind"]},
          {"index", keys["index.kind"]},
          {"bypass", keys["bypass.kind"]},
          {"bytes", keys["geometry.capacity_bytes"]},
          {"ways", keys["geometry.ways"]},
          {"figures", Json::object()}};
}

// Figures of a page have commas between thousands.
double number_in(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw FileError("docs/results/pareto.md: \"" + text + "\" is no number");
  return value;
}

// "split, pli, 8192 bytes, private 5, bypass none", as docs/studies/pareto.toml labels it.
Json point_labelled(const std::string& label) {
  const std::map<std::string, std::string> presets{{"conventional", "l1d"},
                                                   {"sectored", "l1d_sectored"},
                                                   {"split", "l1d_tsc"},
                                                   {"reuse filter", "l1d_reuse_filter"},
                                                   {"decoupled", "l1d_dsc"}};
  const std::map<std::string, std::string> keys{
      {"bytes", "geometry.capacity_bytes"},       {"ways", "geometry.ways"},
      {"private", "tags.split.private_tag_bits"}, {"entries", "tags.reuse_filter.ways"},
      {"tags", "tags.decoupled.tags_per_way"},    {"bypass", "bypass.kind"}};
  std::istringstream parts(label);
  std::string tags, index, part;
  std::getline(parts, tags, ',');
  std::getline(parts >> std::ws, index, ',');
  if (!presets.contains(tags))
    throw FileError("docs/results/pareto.md: no tags of the name \"" + tags + "\"");
  std::vector<std::string> settings{"index.kind=" + index};
  while (std::getline(parts >> std::ws, part, ',')) {
    const std::size_t space = part.find(' ');
    const std::string first = part.substr(0, space), second = part.substr(space + 1);
    const bool named_last = keys.contains(second);
    settings.push_back(keys.at(named_last ? second : first) + "=" + (named_last ? first : second));
  }
  return point_of(load_config(presets.at(tags), settings), settings);
}

// Of every table whose rows are configurations; a later table may add figures to a configuration.
void add_fronts(Json& points) {
  const std::map<std::string, std::string> figures{
      {"bits", "bits stored"}, {"miss rate", "miss rate"}, {"bytes", "bytes from below"},
      {"cycles", "cycles"},    {"gates", "gates"},         {"path in ns", "longest path, ns"}};
  std::istringstream page(read_file(paths::source() / "docs/results/pareto.md"));
  std::map<std::string, Json> found;
  std::vector<std::string> order, headings;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ")) {
      headings.clear();
      continue;
    }
    const std::vector<std::string> cells = markdown_cells(line);
    if (headings.empty()) headings = cells;
    if (!headings[0].starts_with("on the front of ") || cells[0].find(", ") == std::string::npos) continue;
    if (!found.contains(cells[0])) {
      order.push_back(cells[0]);
      found[cells[0]] = point_labelled(cells[0]);
    }
    for (std::size_t n = 1; n < cells.size() && n < headings.size(); ++n)
      if (const auto figure = figures.find(headings[n]); figure != figures.end())
        found[cells[0]]["figures"][figure->second] = number_in(cells[n]);
  }
  for (const std::string& label : order) {
    found[label]["from"] = "results/pareto.html";
    points.push_back(found[label]);
  }
}

void add_catalogue(Json& points) {
  const std::map<std::string, AreaRow> areas = area_rows();
  for (const Preset& preset : presets()) {
    const Config config = load_config(preset.name);
    if (!config.params.holds<hw::L1dParams>()) continue;
    Json point = point_of(config, {});
    std::int64_t bits = 0;
    for (const StorageAccount& account : elaborate(config).accounts) bits += account.bits();
    point["figures"]["bits stored"] = bits;
    if (const auto area = areas.find(preset.name); area != areas.end()) {
      point["figures"]["gates"] = area->second.gate_equivalents;
      point["figures"]["longest path, ns"] = area->second.path_ns;
    }
    point["from"] = "index.html";
    points.push_back(point);
  }
}

}  // namespace

nlohmann::ordered_json recorded_configurations() {
  Json points = Json::array();
  add_catalogue(points);
  add_fronts(points);
  return points;
}

}  // namespace gen
