#include "gen/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <map>
#include <optional>

#include "gen/area/report.h"
#include "gen/area/request.h"
#include "gen/area/synthesis.h"
#include "gen/energy/energy_pair.h"
#include "gen/files.h"
#include "gen/manifest.h"
#include "hw/topology/topology_params.h"

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
  if (config.params.holds<hw::TopologyParams>())
    throw ConfigError("--area", fmt::format("{} is a topology; \"l1forge area {}\" measures its networks",
                                            config.source, config.source));
}

// Of one order of the lines nobody can say whether a difference is more than the order makes.
void add_figure(Json& rows, const char* name, const Spread& a, const Spread& b, double steps,
                unsigned orders) {
  const auto rounded = [&](double value) { return std::round(steps * value) / steps; };
  const auto range = [&](const Spread& s) { return Json{rounded(s.min), rounded(s.max)}; };
  if (range(a) == range(b) && rounded(a.median) == rounded(b.median)) return;
  Json& row = rows.emplace_back(
      Json{{"of", "figure"}, {"name", name}, {"first", rounded(a.median)}, {"second", rounded(b.median)}});
  if (orders < 2) return;
  row["first_range"] = range(a);
  row["second_range"] = range(b);
  row["overlap"] = a.max >= b.min && b.max >= a.min;
  if (!row["overlap"] && a.median > 0) row["change"] = std::round(1000 * (b.median / a.median - 1)) / 10;
}

void add_areas(Json& rows, const Side& first, const Side& second, unsigned orders) {
  std::vector<AreaRequest> requests;
  for (const Side* side : {&first, &second})
    for (unsigned order = 0; order < orders; ++order)
      requests.push_back(area_request(side->unit.top.name(), side->unit.top, order));
  const auto results = synthesize_all(requests, default_liberty());
  const auto middle = results.begin() + orders;
  const AreaFigure a{.name = "", .orders = {results.begin(), middle}};
  const AreaFigure b{.name = "", .orders = {middle, results.end()}};
  const auto gates = [](const AreaResult& r) { return r.gate_equivalents; };
  const auto path = [](const AreaResult& r) { return r.path_ns; };
  add_figure(rows, "gate equivalents", spread_of(a, gates), spread_of(b, gates), 1, orders);
  add_figure(rows, "longest path, ns", spread_of(a, path), spread_of(b, path), 100, orders);
}

std::string text_of(const Json& value) {
  return value.is_null() ? "-" : value.is_string() ? value.get<std::string>() : value.dump();
}

// "53732.0 (53211.0 to 54100.0)".
std::string text_of(const Json& row, const std::string& side) {
  const auto range = row.find(side + "_range");
  const std::string value = text_of(row[side]);
  return range == row.end() ? value
                            : fmt::format("{} ({} to {})", value, text_of((*range)[0]), text_of((*range)[1]));
}

// What the shuffles of the netlist say of a figure.
std::string change_of(const Json& row) {
  if (row.contains("change")) return fmt::format("{:+} %", row["change"].get<double>());
  return row.value("overlap", false) ? "no difference: the ranges overlap" : "";
}

std::string table(const Json& rows, const std::string& first, const std::string& second) {
  if (rows.empty()) return fmt::format("{} and {} do not differ\n", first, second);
  std::vector<std::array<std::string, 5>> lines = {{"", "", first, second, ""}};
  for (const Json& row : rows)
    lines.push_back({row["of"], row["name"], text_of(row, "first"), text_of(row, "second"), change_of(row)});
  std::array<std::size_t, 4> width = {};
  for (const auto& line : lines)
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], line[i].size());
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < width.size(); ++i) text += fmt::format("{:{}}  ", line[i], width[i]);
    text += line.back();
    text.resize(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

}  // namespace

int diff(const Config& first, const Config& second, const DiffOptions& options) {
  if (options.area)
    for (const Config* config : {&first, &second}) refuse_topology(*config);
  if (options.energies) check_energies(first, second, options.energy);
  const Side a = side_of(first), b = side_of(second);
  Json rows = Json::array();
  compare(rows, "parameter", parameters_of(a.manifest), parameters_of(b.manifest));
  compare(rows, "port", ports_of(a.manifest), ports_of(b.manifest));
  compare(rows, "storage", storage_of(a.manifest), storage_of(b.manifest));
  compare(rows, "figure", figures_of(a.manifest), figures_of(b.manifest));
  if (options.area) add_areas(rows, a, b, options.orders);
  Json whole = {{"first", first.top}, {"second", second.top}, {"differences", rows}};
  std::optional<EnergyPair> energies;
  if (options.energies) {
    energies = energies_of(first, second, options.energy);
    if (!energies) return 1;
    whole["energy"] = energy_pair_json(*energies);
  }
  const std::string json = whole.dump(2) + "\n";
  if (!options.json.empty() && options.json != "-") write_file_atomically(options.json, json);
  std::cout << (options.json == "-" ? json : table(rows, first.top, second.top));
  if (options.area && options.orders < 2 && options.json != "-")
    std::cout << "Gates and paths are of one order of the lines, which alone moves them by several per cent; "
                 "--orders 5 shows ranges\n";
  if (energies && options.json != "-") std::cout << "\n" << energy_pair_table(*energies);
  return 0;
}

}  // namespace gen
