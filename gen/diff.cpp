#include "gen/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <map>

#include "gen/area/request.h"
#include "gen/area/synthesis.h"
#include "gen/files.h"
#include "gen/manifest.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

// What a unit has of one kind, by name, in the manifest's order.
using Items = std::vector<std::pair<std::string, Json>>;

Items parameters_of(const Json& manifest) {
  Items items;
  for (const auto& [key, value] : manifest["parameters"].items()) items.emplace_back(key, value);
  return items;
}

Items ports_of(const Json& manifest) {
  Items items;
  for (const Json& port : manifest["ports"])
    items.emplace_back(port["name"],
                       fmt::format("{} {}", port["direction"].get<std::string>(), port["width"].get<int>()));
  return items;
}

// Arrays of one shape whose names differ in a number alone, way0 to way3, are one item.
Items storage_of(const Json& manifest) {
  std::vector<std::pair<std::string, std::string>> groups;  // name, shape
  std::map<std::pair<std::string, std::string>, int> count;
  for (const Json& array : manifest["storage"]) {
    std::string name = array["name"];
    name.resize(name.find_last_not_of("0123456789[]") + 1);
    const std::pair group{
        name, fmt::format("{} x {} bits", array["rows"].get<int>(), array["row_bits"].get<int>())};
    if (count[group]++ == 0) groups.push_back(group);
  }
  Items items;
  for (const auto& group : groups)
    items.emplace_back(group.first, fmt::format("{} of {}", count[group], group.second));
  return items;
}

Items figures_of(const Json& manifest) {
  Items items;
  for (const char* name : {"storage_bits", "published_bits", "latency", "tag_bits"})
    if (manifest.contains(name)) items.emplace_back(name, manifest[name]);
  return items;
}

Json value_in(const Items& items, const std::string& name) {
  const auto found = std::ranges::find(items, name, &Items::value_type::first);
  return found == items.end() ? Json() : found->second;
}

// A row for each name whose values differ: those of the first in its order, then what the second alone has.
void compare(Json& rows, const char* of, const Items& first, const Items& second) {
  const auto row = [&](const std::string& name, const Json& a, const Json& b) {
    if (a != b) rows.push_back({{"of", of}, {"name", name}, {"first", a}, {"second", b}});
  };
  for (const auto& [name, value] : first) row(name, value, value_in(second, name));
  for (const auto& [name, value] : second)
    if (value_in(first, name).is_null()) row(name, nullptr, value);
}

struct Side {
  Unit unit;
  Json manifest;
};

Side side_of(const Config& config) {
  Unit unit = elaborate(config);
  Json json = manifest(config, unit, {});
  return {std::move(unit), std::move(json)};
}

void refuse_topology(const Config& config) {
  if (std::holds_alternative<hw::TopologyParams>(config.params))
    throw ConfigError("--area", fmt::format("{} is a topology; \"l1forge area {}\" tells of its networks",
                                            config.source, config.source));
}

void add_areas(Json& rows, const Side& first, const Side& second) {
  const std::vector<AreaRequest> requests = {area_request("first", first.unit.top, 0),
                                             area_request("second", second.unit.top, 0)};
  const auto results = synthesize_all(requests, default_liberty());
  const auto items = [](const AreaResult& r) {
    return Items{{"gate equivalents", std::round(r.gate_equivalents)},
                 {"longest path, ns", std::round(100 * r.path_ns) / 100}};
  };
  compare(rows, "figure", items(results[0]), items(results[1]));
}

std::string text_of(const Json& value) {
  return value.is_null() ? "-" : value.is_string() ? value.get<std::string>() : value.dump();
}

std::string table(const Json& rows, const std::string& first, const std::string& second) {
  if (rows.empty()) return fmt::format("{} and {} do not differ\n", first, second);
  std::vector<std::array<std::string, 4>> lines = {{"", "", first, second}};
  for (const Json& row : rows)
    lines.push_back({row["of"], row["name"], text_of(row["first"]), text_of(row["second"])});
  std::array<std::size_t, 3> width = {};
  for (const auto& line : lines)
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], line[i].size());
  std::string text;
  for (const auto& line : lines)
    text += fmt::format("{:{}}  {:{}}  {:{}}  {}\n", line[0], width[0], line[1], width[1], line[2], width[2],
                        line[3]);
  return text;
}

}  // namespace

int diff(const Config& first, const Config& second, const DiffOptions& options) {
  if (options.area)
    for (const Config* config : {&first, &second}) refuse_topology(*config);
  const Side a = side_of(first), b = side_of(second);
  Json rows = Json::array();
  compare(rows, "parameter", parameters_of(a.manifest), parameters_of(b.manifest));
  compare(rows, "port", ports_of(a.manifest), ports_of(b.manifest));
  compare(rows, "storage", storage_of(a.manifest), storage_of(b.manifest));
  compare(rows, "figure", figures_of(a.manifest), figures_of(b.manifest));
  if (options.area) add_areas(rows, a, b);
  const Json whole = {{"first", first.top}, {"second", second.top}, {"differences", rows}};
  const std::string json = whole.dump(2) + "\n";
  if (!options.json.empty() && options.json != "-") write_file_atomically(options.json, json);
  std::cout << (options.json == "-" ? json : table(rows, first.top, second.top));
  return 0;
}

}  // namespace gen
