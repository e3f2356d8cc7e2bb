// What a unit takes: bits, gates by part, and its longest path.
#include <fmt/format.h>

#include <algorithm>

#include "gen/area/storage_report.h"
#include "gen/charts/bars.h"
#include "gen/datasheet/sections.h"
#include "gen/html.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

// The parts as bars; the smallest ones together.
std::string parts_chart(const Json& parts) {
  constexpr std::size_t most = 10;
  double rest = 0;
  std::vector<Bar> bars;
  const auto add = [&](const std::string& name, double gates) {
    bars.push_back({.name = name, .value = gates, .text = fmt::format("{:.0f}", gates)});
  };
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const double gates = parts[n]["gate_equivalents"];
    const auto name = parts[n]["name"].get<std::string>();
    if (n < most)
      add(name.empty() ? "the top itself" : name, gates);
    else
      rest += gates;
  }
  if (rest > 0) add("smaller parts", rest);
  return html_charts({bar_chart("Gates by part", {.title = "NAND2 equivalents (GE)"}, bars)}) +
         paragraph("Parts are synthesized apart from each other, so that their sum may exceed the whole.");
}

// Arrays of one shape, each a RAM of the same module.
struct ArrayKind {
  StorageArray first;
  std::string last;
  std::int64_t count = 0;
};

std::vector<ArrayKind> kinds_of(const std::vector<StorageArray>& storage) {
  std::vector<ArrayKind> kinds;
  for (const StorageArray& array : storage) {
    auto kind =
        std::ranges::find_if(kinds, [&](const ArrayKind& k) { return k.first.module == array.module; });
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {array, "", 0});
    kind->last = array.name;
    ++kind->count;
  }
  return kinds;
}

std::string networks_table(const Json& topology) {
  HtmlTable table{
      .headings = {"crossbar", "count", "inputs", "outputs", "GE of one"}, .rows = {}, .words = 1};
  for (const Json& crossbar : topology["crossbars"])
    table.rows.push_back({crossbar["name"].get<std::string>(), crossbar["count"].dump(),
                          crossbar["inputs"].dump(), crossbar["outputs"].dump(),
                          fmt::format("{:.0f}", crossbar["gate_equivalents"]["sum"].get<double>())});
  return html(table);
}

std::string published_table(const Json& published) {
  HtmlTable table{
      .headings = {"published unit of this kind", "GE", "longest path, ns"}, .rows = {}, .words = 1};
  for (const Json& other : published)
    table.rows.push_back({other["name"].get<std::string>(),
                          fmt::format("{:.0f}", other["gate_equivalents"].get<double>()),
                          fmt::format("{:.2f}", other["longest_path_ns"].get<double>())});
  return html(table);
}

}  // namespace

double gates_of(const Measured& measured) {
  return measured.area.contains("topology")
             ? measured.area["topology"]["gate_equivalents"]["sum"].get<double>()
             : measured.area["units"][0]["gate_equivalents"]["median"].get<double>();
}

double path_of(const Measured& measured) {
  return measured.area.contains("units")
             ? measured.area["units"][0]["longest_path_ns"]["median"].get<double>()
             : 0;
}

std::string storage_section(const Sheet& sheet) {
  std::int64_t bits = 0;
  HtmlTable arrays{
      .headings = {"array", "module", "count", "rows x bits", "bits in all"}, .rows = {}, .words = 2};
  for (const ArrayKind& kind : kinds_of(sheet.unit.storage)) {
    arrays.rows.push_back({kind.count == 1 ? kind.last : kind.first.name + " to " + kind.last,
                           kind.first.module, fmt::format("{}", kind.count),
                           fmt::format("{} x {}", kind.first.rows, kind.first.row_bits),
                           fmt::format("{}", kind.count * kind.first.bits())});
    bits += kind.count * kind.first.bits();
  }
  std::string body =
      bits > 0 ? paragraph(fmt::format("{} bits stand in RAMs behind sram_* wrappers.", bits)) + html(arrays)
               : paragraph("The unit has no RAM: all of its state is in flops.");
  const Json& units = sheet.measured.area.value("units", Json::array());
  if (!units.empty())
    body += paragraph(fmt::format("{} flops hold the rest of its state.", units[0]["flops"].dump()));
  HtmlTable accounts{
      .headings = {"account", "entries and fields", "counted by the paper", "bits"}, .rows = {}, .words = 3};
  for (const StorageAccount& account : sheet.unit.accounts)
    accounts.rows.push_back({account.name, account_fields(account), account.published ? "yes" : "no",
                             fmt::format("{}", account.bits())});
  if (!accounts.rows.empty())
    body += paragraph("Storage by what it is for, in RAMs or flops:") + html(accounts) +
            paragraph(fmt::format("Papers count {} of these bits.", published_bits(sheet.unit.accounts)));
  return section("Bits of storage", body);
}

std::string gates_section(const Sheet& sheet) {
  const Measured& m = sheet.measured;
  std::string body;
  if (sheet.is_topology()) {
    body = paragraph(fmt::format(
               "The networks take {:.0f} GE, buffers included. Cores' units, nodes and slices are not "
               "in this figure.",
               gates_of(m))) +
           networks_table(m.area["topology"]);
  } else {
    const Json& unit = m.area["units"][0];
    body = paragraph(fmt::format("{:.1f} GE ({:.0f} um^2 of {}), without RAMs; 1 GE is a NAND2 of {} um^2.",
                                 gates_of(m), unit["area_um2"]["median"].get<double>(),
                                 m.area["library"].get<std::string>(), m.area["nand2_um2"].dump()));
    body += path_of(m) > 0
                ? paragraph(fmt::format(
                      "The longest path takes {:.2f} ns ({:.0f} MHz). It leads from {} to {}.", path_of(m),
                      unit["max_mhz"]["median"].get<double>(), unit["path"]["start"].get<std::string>(),
                      unit["path"]["end"].get<std::string>()))
                : paragraph("No path was found that a clock could time.");
    if (m.area.contains("parts") && m.area["parts"].size() > 1) body += parts_chart(m.area["parts"]);
    if (m.area.contains("published")) body += published_table(m.area["published"]);
  }
  body += paragraph("To repeat: " + m.area_command);
  return section("Gates", body);
}

}  // namespace gen
