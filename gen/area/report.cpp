#include "gen/area/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/area/storage_report.h"
#include "gen/config/text.h"

namespace gen {
namespace {

double gates(const AreaResult& r) { return r.gate_equivalents; }
double area(const AreaResult& r) { return r.area; }
double delay(const AreaResult& r) { return r.path_ns; }
double mhz(const AreaResult& r) { return r.max_mhz(); }
double slack(const AreaResult& r) { return r.slack_ns; }

// One order is a figure; several are a median and, behind it, the range.
std::string cell_text(const AreaFigure& figure, double (*value)(const AreaResult&), int digits) {
  const Spread s = spread_of(figure, value);
  if (figure.orders.size() == 1) return fmt::format("{:.{}f}", s.median, digits);
  return fmt::format("{:.{}f} ({:.{}f}..{:.{}f})", s.median, digits, s.min, digits, s.max, digits);
}

// "45 % of the area", or that the line order could move it either way.
std::string share(const AreaFigure& unit, const AreaFigure& other, double (*value)(const AreaResult&),
                  std::string_view what) {
  const Spread mine = spread_of(unit, value), theirs = spread_of(other, value);
  if (theirs.median <= 0) return fmt::format("no {} to compare", what);
  const bool apart = mine.max < theirs.min || theirs.max < mine.min;
  return fmt::format("{:.0f} % of the {}{}", 100 * mine.median / theirs.median, what,
                     apart ? "" : " (no difference: the ranges overlap)");
}

nlohmann::ordered_json spread_json(const AreaFigure& figure, double (*value)(const AreaResult&)) {
  const Spread s = spread_of(figure, value);
  return {{"median", s.median}, {"min", s.min}, {"max", s.max}};
}

// The cells of each reason.
std::string unused_lines(const AreaReport& report) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [cell, why] : report.unused) by_reason[why].push_back(cell);
  std::string text;
  for (const auto& [why, cells] : by_reason)
    text += fmt::format("cells left out, {}: {}\n", why, joined(cells, ", "));
  return text;
}

std::string total_line(const AreaReport& report) {
  if (!report.mapping) return "";
  const double logic = spread_of(report.figures.at(0), area).median;
  return fmt::format("{}: {:.6g} um^2 of logic, {:.6g} um^2 of macros, {:.6g} um^2 in all; {:.2f} ns\n",
                     report.mapping->technology, logic, report.macro_um2(), logic + report.macro_um2(),
                     spread_of(report.figures[0], delay).median);
}

nlohmann::ordered_json technology_json(const AreaReport& report) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!report.unused.empty()) json["unused_cells"] = report.unused;
  if (!report.mapping) return json;
  const double logic = spread_of(report.figures.at(0), area).median;
  json.update({{"technology", report.mapping->technology},
               {"logic_um2", logic},
               {"macro_um2", report.macro_um2()},
               {"total_um2", logic + report.macro_um2()},
               {"ns", spread_of(report.figures[0], delay).median},
               {"bits_outside",
                {{"1rw", report.mapping->bits_outside(RamPorts::one_rw)},
                 {"1r1w", report.mapping->bits_outside(RamPorts::one_r1w)}}},
               {"mapping", mapping_json(*report.mapping)}});
  return json;
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t n = values.size();
  if (n == 0) return {};
  return {(values[(n - 1) / 2] + values[n / 2]) / 2, values.front(), values.back()};
}

Spread spread_of(const AreaFigure& figure, double (*value)(const AreaResult&)) {
  std::vector<double> values;
  for (const AreaResult& result : figure.orders) values.push_back(value(result));
  return spread_of(std::move(values));
}

std::string area_table(const AreaReport& report) {
  std::vector<std::vector<std::string>> rows = {{"unit", "GE", "um^2", "ns", "MHz", "cells", "flops"}};
  if (report.clock_ns) rows[0].push_back("slack ns");
  std::string shares, paths;
  const AreaFigure* unit = nullptr;
  for (const AreaFigure& figure : report.figures) {
    if (!figure.beside) unit = &figure;
    const AreaResult& first = figure.orders.at(0);
    const bool timed = first.path_ns > 0 && !first.cells.empty();  // else wires only
    rows.push_back({fmt::format("{}{}", figure.beside ? "  beside: " : "", figure.name),
                    cell_text(figure, gates, 1), cell_text(figure, area, 0),
                    timed ? cell_text(figure, delay, 2) : "-", timed ? cell_text(figure, mhz, 0) : "-",
                    fmt::format("{}", first.cell_count()), fmt::format("{}", first.flops)});
    if (report.clock_ns) rows.back().push_back(timed ? cell_text(figure, slack, 2) : "-");
    if (figure.beside && unit != nullptr)
      shares += fmt::format("{}: {} and {} of {}\n", unit->name, share(*unit, figure, gates, "area"),
                            share(*unit, figure, delay, "delay"), figure.name);
    if (timed)
      paths += fmt::format("longest path of {}: {} -> {}\n", figure.name, first.path_start, first.path_end);
  }
  for (const PublishedFigure& other : report.published) {
    rows.push_back({"  published: " + other.name, fmt::format("{:.1f}", other.gate_equivalents),
                    fmt::format("{:.0f}", other.gate_equivalents * report.nand2_area),
                    fmt::format("{:.2f}", other.path_ns), fmt::format("{:.0f}", 1000 / other.path_ns), "-",
                    "-"});
    if (report.clock_ns) rows.back().push_back("-");
  }
  std::string text = fmt::format("{}{}{}", aligned(rows), shares, paths);
  text += fmt::format("library: {}; 1 GE = NAND2 = {:g} um^2\n", report.library, report.nand2_area);
  for (const AreaFix& fix : report.fixes)
    text +=
        fmt::format("corrected area: {} {:g} -> {:g} um^2\n", fix.cell, fix.liberty_area, fix.layout_area);
  text += unused_lines(report) + total_line(report) + parts_table(report) + storage_table(report);
  return text;
}

nlohmann::ordered_json area_json(const AreaReport& report) {
  nlohmann::ordered_json json = {{"library", report.library}, {"nand2_um2", report.nand2_area}};
  json["corrected_areas"] = nlohmann::ordered_json::array();
  for (const AreaFix& fix : report.fixes)
    json["corrected_areas"].push_back(
        {{"cell", fix.cell}, {"liberty", fix.liberty_area}, {"layout", fix.layout_area}});
  if (report.clock_ns) json["clock_ns"] = *report.clock_ns;
  json["units"] = nlohmann::ordered_json::array();
  for (const AreaFigure& figure : report.figures) {
    const AreaResult& first = figure.orders.at(0);
    nlohmann::ordered_json entry = {{"name", figure.name},
                                    {"beside", figure.beside},
                                    {"orders", figure.orders.size()},
                                    {"gate_equivalents", spread_json(figure, gates)},
                                    {"area_um2", spread_json(figure, area)},
                                    {"longest_path_ns", spread_json(figure, delay)},
                                    {"max_mhz", spread_json(figure, mhz)},
                                    {"path", {{"start", first.path_start}, {"end", first.path_end}}},
                                    {"gate_depth", first.gate_depth},
                                    {"flops", first.flops},
                                    {"cells", first.cells}};
    if (report.clock_ns) entry["slack_ns"] = spread_json(figure, slack);
    json["units"].push_back(std::move(entry));
  }
  for (const PublishedFigure& other : report.published)
    json["published"].push_back({{"name", other.name},
                                 {"gate_equivalents", other.gate_equivalents},
                                 {"longest_path_ns", other.path_ns}});
  json.update(technology_json(report));
  json.update(parts_json(report));
  json.update(storage_json(report));
  return json;
}

}  // namespace gen
