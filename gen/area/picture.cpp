#include "gen/area/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gen/drawing.h"

namespace gen {
namespace {

constexpr const char *own = "#3b6ea5", *plain = "#b8bfc9", *others = "#8c7355";

// Of the units and their baseline designs, with the range over the orders of the lines as a red line, and of
// what others have published; each with a bar under its name.
Chart chart_of(const AreaReport& report, const std::string& title, const char* unit, int digits,
               double (*value)(const AreaResult&), double PublishedFigure::*published) {
  double most = 0;
  for (const AreaFigure& f : report.figures) most = std::max(most, spread_of(f, value).max);
  for (const PublishedFigure& f : report.published) most = std::max(most, f.*published);
  const double scale = most > 0 ? 1 / most : 0;
  const auto number = [&](double figure) { return fmt::format("{:.{}f} {}", figure, digits, unit); };
  Chart chart(title);
  for (const AreaFigure& f : report.figures) {
    const Spread s = spread_of(f, value);
    chart.bar(f.beside ? "beside: " + f.name : f.name, s.median * scale, number(s.median),
              f.beside ? plain : own);
    if (s.max > s.min)
      chart.add(fmt::format("  <path d=\"M{:.1f} {} H{:.1f}\" stroke=\"#b3261e\" stroke-width=\"3\"/>\n",
                            picture_area.left + picture_area.width * s.min * scale, chart.y() - 5,
                            picture_area.left + picture_area.width * s.max * scale),
                4);
  }
  for (const PublishedFigure& f : report.published)
    chart.bar("published: " + f.name, f.*published * scale, number(f.*published), others);
  return chart;
}

// Where the gates are: as in the table, and what is too small to be seen together.
Chart parts_of(const AreaReport& report) {
  constexpr double seen = 0.005;  // of the largest
  Chart chart(fmt::format("Parts of {}", report.figures.front().name));
  const double most = report.parts.front().gate_equivalents;
  const auto small = [&](const AreaPart& part) { return part.gate_equivalents < seen * most; };
  const auto add = [&](const std::string& name, double gates) {
    chart.bar(name, gates / most, fmt::format("{:.1f} GE", gates), own);
  };
  const auto first_small = std::ranges::find_if(report.parts, small);
  const auto smaller = report.parts.end() - first_small;
  for (auto part = report.parts.begin(); part != (smaller > 1 ? first_small : report.parts.end()); ++part)
    add(fmt::format("{}, {} flops", part->name.empty() ? "(top)" : part->name, part->flops),
        part->gate_equivalents);
  const double rest =
      std::accumulate(first_small, report.parts.end(), 0.0,
                      [](double sum, const AreaPart& part) { return sum + part.gate_equivalents; });
  if (smaller > 1) add(fmt::format("{} smaller parts", smaller), rest);
  return chart;
}

}  // namespace

std::string area_svg(const AreaReport& report) {
  std::vector<Chart> charts{
      chart_of(
          report, "Area in NAND2 equivalents", "GE", 1,
          [](const AreaResult& r) { return r.gate_equivalents; }, &PublishedFigure::gate_equivalents),
      chart_of(
          report, "Longest path", "ns", 2, [](const AreaResult& r) { return r.path_ns; },
          &PublishedFigure::path_ns)};
  if (!report.parts.empty()) charts.push_back(parts_of(report));
  charts.back().space(8);
  charts.back().note(report.library);
  if (report.figures.front().orders.size() > 1) charts.back().note("red: range over the orders of the lines");
  return picture_of(charts);
}

}  // namespace gen
