// What a unit takes: bits, gates by part, and its longest path.
#include <fmt/format.h>

#include <algorithm>

#include "gen/area/storage_report.h"
#include "gen/charts/bars.h"
#include "gen/datasheet/sections.h"
#include "gen/energy/energy_picture.h"
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

// Without the folder of its file.
std::string library_name(const std::string& origin) {
  const std::size_t folder = origin.rfind('/', origin.find(' '));
  return folder == std::string::npos ? origin : origin.substr(folder + 1);
}

// The unit's area and path with the cells and macros of a technology.
std::string technology_area(const InTechnology& t) {
  std::string text = fmt::format("In {}: {:.0f} um^2 of logic", t.name, t.area["logic_um2"].get<double>());
  if (const double macros = t.area.value("macro_um2", 0.0); macros > 0)
    text += fmt::format(" and {:.0f} um^2 of RAM macros, {:.0f} um^2 in all", macros,
                        t.area["total_um2"].get<double>());
  if (const double ns = t.area.value("ns", 0.0); ns > 0)
    text += fmt::format("; the longest path takes {:.2f} ns ({:.0f} MHz)", ns, 1000 / ns);
  return paragraph(text + ".") + paragraph("To repeat: " + t.area_command);
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
                                 library_name(m.area["library"]), m.area["nand2_um2"].dump()));
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
  if (m.technology && !m.technology->area.is_null()) body += technology_area(*m.technology);
  return section("Gates", body);
}

std::string energy_section(const Sheet& sheet) {
  if (!sheet.measured.technology) return "";
  const InTechnology& t = *sheet.measured.technology;
  if (t.energy.is_null())
    return section(
        "Energy of a miss",
        paragraph(sheet.is_topology()
                      ? "Energy is counted of single units; its parts have it, such as l1d or vc_crossbar."
                      : "Energy is counted of units with one clock; this one has two."));
  const Json& pj = t.energy["pj"];
  const double volts = t.energy["volts"], clock = t.energy["clock_ns"];
  std::string body =
      paragraph(fmt::format("{} at {:.2f} V and {:g} ns, {} cycles of {}.", t.name, volts, clock,
                            t.energy["window"].dump(), t.energy["stimulus"].get<std::string>()));
  if (pj.contains("miss"))
    body += paragraph(fmt::format("A load that misses takes {:.1f} pJ: its lookup, and the fill of its line.",
                                  pj["miss"].get<double>()));
  else if (sheet.is_cache())
    body += paragraph("The window does not separate the energy of a miss from that of other accesses.");
  else
    body += paragraph("The unit has no misses; its energy is that of a cycle.");
  HtmlTable kinds{.headings = {"energy of", "pJ"}, .rows = {}, .words = 1};
  for (const auto& [kind, energy] : pj.items())
    kinds.rows.push_back(
        {kind == "cycle" ? "a cycle, on average" : kind, fmt::format("{:.2f}", energy.get<double>())});
  body += html(kinds);
  if (t.energy.contains("pj_parts")) body += html_charts({energy_chart(t.energy)});
  body += paragraph(
      fmt::format("In all {:.3f} mW, and {:.4f} mW of leakage. OpenSTA's power of the cells differs by "
                  "{:.1f} %.",
                  t.energy["mw"].get<double>(), t.energy["leakage_mw"].get<double>(),
                  100 * t.energy["cells"]["difference"].get<double>()));
  body += paragraph("RAMs without a macro have no energy here. To repeat: " + t.energy_command);
  return section("Energy of a miss", body);
}

}  // namespace gen
