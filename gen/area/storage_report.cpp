#include "gen/area/storage_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gen/manifest.h"

namespace gen {
namespace {

double gates_of(const std::vector<AreaPart>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double sum, const AreaPart& p) { return sum + p.gate_equivalents; });
}

std::string part_name(const AreaPart& part) { return part.name.empty() ? "(top)" : part.name; }

// Arrays of one shape whose names differ in numbers only, as one row.
struct ArrayGroup {
  std::string name;
  StorageArray one;
  std::int64_t count = 0;
};

std::string without_numbers(const std::string& name) {
  std::string pattern;
  for (const char c : name)
    if (c < '0' || c > '9')
      pattern += c;
    else if (pattern.empty() || pattern.back() != '*')
      pattern += '*';
  return pattern;
}

std::vector<ArrayGroup> grouped(const std::vector<StorageArray>& storage) {
  std::vector<ArrayGroup> groups;
  for (const StorageArray& array : storage) {
    const std::string name = without_numbers(array.name);
    auto group = std::ranges::find_if(
        groups, [&](const ArrayGroup& g) { return g.name == name && g.one.module == array.module; });
    if (group == groups.end()) group = groups.insert(groups.end(), {name, array, 0});
    ++group->count;
  }
  for (ArrayGroup& g : groups)
    if (g.count == 1) g.name = g.one.name;
  return groups;
}

std::int64_t bits_of(const std::vector<StorageArray>& storage) {
  std::int64_t bits = 0;
  for (const StorageArray& array : storage) bits += array.bits();
  return bits;
}

double macro_area(const AreaReport& report) {
  double sum = 0;
  for (const StorageArray& array : report.storage)
    if (const auto cell = report.macro_areas.find(array.module); cell != report.macro_areas.end())
      sum += cell->second;
  return sum;
}

}  // namespace

std::string account_fields(const StorageAccount& a) {
  std::string fields;
  for (const auto& [name, bits] : a.fields)
    fields += fmt::format("{}{} {}", fields.empty() ? "" : " + ", bits, name);
  return fmt::format("{} x ({})", a.entries, fields);
}

std::string aligned(const std::vector<std::vector<std::string>>& rows, bool words_last) {
  std::vector<size_t> widths(rows.at(0).size(), 0);
  for (const auto& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : rows) {
    text += fmt::format("{:<{}}", row[0], widths[0]);
    const size_t figures = row.size() - (words_last ? 1 : 0);
    for (size_t i = 1; i < figures; ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
    if (words_last) text += "  " + row.back();
    text += "\n";
  }
  return text;
}

std::string parts_table(const AreaReport& report) {
  if (report.parts.empty()) return "";
  const double sum = gates_of(report.parts);
  std::vector<std::vector<std::string>> rows = {{"part", "GE", "share", "flops"}};
  for (const AreaPart& part : report.parts)
    rows.push_back({part_name(part), fmt::format("{:.1f}", part.gate_equivalents),
                    fmt::format("{:.1f} %", sum > 0 ? 100 * part.gate_equivalents / sum : 0.0),
                    fmt::format("{}", part.flops)});
  return fmt::format("\nParts of {}, synthesized apart from each other: {:.1f} GE together\n{}",
                     report.figures.at(0).name, sum, aligned(rows));
}

std::string storage_table(const AreaReport& report) {
  std::string text = report.mapping ? mapping_table(*report.mapping) : "";
  if (!report.storage.empty() && !report.mapping) {
    text += fmt::format(
        "\nStorage in RAMs: {} bits, black boxes that count in no gates. Their outputs start paths {:g} ns\n"
        "after the clock, driven by {}; their inputs end paths like outputs, with {:.3g} fF.\n",
        bits_of(report.storage), report.ram_ns, report.inverter, report.load_ff);
    std::vector<std::vector<std::string>> rows = {{"array", "count", "rows x bits", "bits in all", "module"}};
    for (const ArrayGroup& g : grouped(report.storage))
      rows.push_back({g.name, fmt::format("{}", g.count), fmt::format("{} x {}", g.one.rows, g.one.row_bits),
                      fmt::format("{}", g.count * g.one.bits()), g.one.module});
    text += aligned(rows, true);
  }
  if (!report.macro_areas.empty()) text += fmt::format("macros: {:.0f} um^2\n", macro_area(report));
  if (report.accounts.empty()) return text;
  std::vector<std::vector<std::string>> rows = {{"account", "bits", "kB", "of"}};
  for (const StorageAccount& a : report.accounts)
    rows.push_back({a.name, fmt::format("{}", a.bits()),
                    fmt::format("{:.3f}", static_cast<double>(a.bits()) / 8192), account_fields(a)});
  return text + "\nStorage by account\n" + aligned(rows, true);
}

nlohmann::ordered_json parts_json(const AreaReport& report) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const AreaPart& part : report.parts)
    json["parts"].push_back(
        {{"name", part.name}, {"gate_equivalents", part.gate_equivalents}, {"flops", part.flops}});
  return json;
}

nlohmann::ordered_json storage_json(const AreaReport& report) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const StorageAccount& a : report.accounts) json["accounts"].push_back(manifest_entry(a));
  if (report.storage.empty()) return json;
  for (const StorageArray& a : report.storage) {
    json["storage"].push_back(manifest_entry(a));
    if (const auto cell = report.macro_areas.find(a.module); cell != report.macro_areas.end())
      json["storage"].back()["area_um2"] = cell->second;
  }
  json["storage_bits"] = bits_of(report.storage);
  if (!report.macro_areas.empty()) json["macro_area_um2"] = macro_area(report);
  json["ram_timing"] = {{"clock_to_output_ns", report.ram_ns},
                        {"driven_by", report.inverter},
                        {"input_load_ff", report.load_ff}};
  return json;
}

}  // namespace gen
