#include "gen/area/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gen/charts/bars.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* gates_axis = "NAND2 equivalents (GE)";

// Of the units and their baseline designs, with the range over the orders of the lines, and of what others
// have published; a broken line marks the first unit.
Chart chart_of(const AreaReport& report, const std::string& title, const std::string& axis, int digits,
               double (*value)(const AreaResult&), double PublishedFigure::*published) {
  const auto number = [&](double figure) { return fmt::format("{:.{}f}", figure, digits); };
  std::vector<Bar> bars;
  for (const AreaFigure& f : report.figures)
    bars.push_back({.name = f.beside ? "beside: " + f.name : f.name,
                    .value = spread_of(f, value).median,
                    .text = number(spread_of(f, value).median),
                    .kind = f.beside ? "baseline design" : "unit",
                    .reference = bars.empty()});
  for (const PublishedFigure& f : report.published)
    bars.push_back({.name = "published: " + f.name,
                    .value = f.*published,
                    .text = number(f.*published),
                    .kind = "published"});
  Chart chart = bar_chart(title, {.title = axis}, bars);
  Json ranges = Json::array();
  for (std::size_t n = 0; n < report.figures.size(); ++n)
    if (const Spread s = spread_of(report.figures[n], value); s.max > s.min)
      ranges.push_back({{"name", bars[n].name}, {"value", s.min}, {"most", s.max}});
  if (ranges.empty()) return chart;
  Json y = chart.spec["layer"][0]["encoding"]["y"];
  chart.spec["layer"].push_back({{"data", {{"values", ranges}}},
                                 {"mark", {{"type", "rule"}, {"strokeWidth", 3}}},
                                 {"encoding", {{"y", y}, {"x2", {{"field", "most"}}}}}});
  return chart;
}

// Where the gates are: as in the table, and what is too small to be seen together.
Chart parts_of(const AreaReport& report) {
  constexpr double seen = 0.005;  // of the largest
  std::vector<Bar> bars;
  const double most = report.parts.front().gate_equivalents;
  const auto small = [&](const AreaPart& part) { return part.gate_equivalents < seen * most; };
  const auto add = [&](const std::string& name, double gates) {
    bars.push_back({.name = name, .value = gates, .text = fmt::format("{:.1f}", gates)});
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
  return bar_chart(fmt::format("Parts of {}", report.figures.front().name), {.title = gates_axis}, bars);
}

}  // namespace

std::vector<Chart> area_charts(const AreaReport& report) {
  std::vector<Chart> charts{
      chart_of(
          report, "Area", gates_axis, 1, [](const AreaResult& r) { return r.gate_equivalents; },
          &PublishedFigure::gate_equivalents),
      chart_of(
          report, "Longest path", "ns", 2, [](const AreaResult& r) { return r.path_ns; },
          &PublishedFigure::path_ns)};
  if (!report.parts.empty()) charts.push_back(parts_of(report));
  charts.front().note = report.library;
  if (report.figures.front().orders.size() > 1)
    charts.front().note += "; thick lines: range over the orders of the lines";
  return charts;
}

std::string area_svg(const AreaReport& report) { return picture_of(area_charts(report)); }

}  // namespace gen
