#include "gen/study/pareto.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "gen/charts/scatter.h"

namespace gen {
namespace {

// Of each input that a configuration has the figure of; "bits" and areas are of no input.
using Figures = std::map<std::string, double>;

Figures figures_of_point(const StudyPoint& point, const std::string& name,
                         const std::vector<const StudyRow*>& rows) {
  if (name == "bits") return {{"", static_cast<double>(point.bits)}};
  const std::size_t dot = std::min(name.find('.'), name.size() - 1);
  Figures figures;
  for (const StudyRow* row : rows)
    if (row->measure->name == name.substr(0, dot))
      if (const auto figure = figure_of(row->figures, name.substr(dot + 1))) figures[row->input] = *figure;
  return figures;
}

double geometric_mean(const Figures& figures) {
  if (figures.size() == 1) return figures.begin()->second;
  double sum = 0;
  for (const auto& [input, figure] : figures) sum += std::log(figure);
  return std::exp(sum / static_cast<double>(figures.size()));
}

void mark_front(std::vector<ParetoPoint>& points) {
  std::ranges::stable_sort(points, [](const ParetoPoint& a, const ParetoPoint& b) {
    return std::pair(a.cost, a.value) < std::pair(b.cost, b.value);
  });
  const ParetoPoint* last = nullptr;  // on the front; points that tie with it are, too
  for (ParetoPoint& point : points)
    if (!last || point.value < last->value || (point.value == last->value && point.cost == last->cost)) {
      point.on_front = true;
      last = &point;
    }
}

}  // namespace

std::vector<ParetoFront> fronts_of(const ParetoPlot& plot, const std::vector<StudyRow>& rows) {
  std::vector<const StudyPoint*> points;
  std::map<const StudyPoint*, std::vector<const StudyRow*>> of_point;
  for (const StudyRow& row : rows) {
    if (!of_point.contains(row.point)) points.push_back(row.point);
    of_point[row.point].push_back(&row);
  }
  std::map<const StudyPoint*, std::pair<Figures, Figures>> figures;
  std::size_t inputs = 0;
  for (const StudyPoint* point : points) {
    auto& [costs, values] = figures[point];
    costs = figures_of_point(*point, plot.cost, of_point[point]);
    values = figures_of_point(*point, plot.value, of_point[point]);
    inputs = std::max(inputs, values.size());
  }
  std::vector<ParetoFront> fronts(1);
  for (const StudyPoint* point : points) {
    const auto& [costs, values] = figures[point];
    if (costs.empty() || values.size() < inputs) continue;
    fronts[0].points.push_back({point, geometric_mean(costs), geometric_mean(values)});
    std::size_t n = 1;
    for (const auto& [input, value] : values) {
      if (inputs < 2) break;
      if (fronts.size() <= n) fronts.push_back({input, {}});
      const auto own = costs.find(input);
      fronts[n++].points.push_back({point, own != costs.end() ? own->second : geometric_mean(costs), value});
    }
  }
  for (ParetoFront& front : fronts) mark_front(front.points);
  return fronts;
}

std::vector<const StudyPoint*> front_of_mean(const ParetoPlot& plot, const std::vector<StudyRow>& rows) {
  std::vector<const StudyPoint*> on_front;
  const std::vector<ParetoFront> fronts = fronts_of(plot, rows);
  for (const ParetoPoint& point : fronts[0].points)
    if (point.on_front) on_front.push_back(point.point);
  return on_front;
}

nlohmann::ordered_json counts_of(const Study& study, const ParetoFront& front) {
  const auto on_front = std::ranges::count_if(front.points, &ParetoPoint::on_front);
  std::map<std::string, std::size_t> counts;
  const auto count = [&](const StudyPoint& point, std::size_t more) {
    counts[point.grid] += more;
    for (const std::string& setting : point.settings) counts[setting] += more;
  };
  for (const StudyPoint& point : study.points) count(point, 0);
  for (const ParetoPoint& p : front.points) count(*p.point, p.on_front);
  nlohmann::ordered_json out(counts);
  out["of"] = front.points.size();
  out["on"] = on_front;
  return out;
}

std::string title_of(const ParetoFront& front) { return front.input.empty() ? mean_title : front.input; }

Chart chart_of(const ParetoPlot& plot, const ParetoFront& front) {
  std::vector<Mark> marks;
  for (const ParetoPoint& p : front.points) marks.push_back({p.point->printed, p.cost, p.value, p.on_front});
  return front_chart(fmt::format("{}: {}", plot.name, title_of(front)), plot.cost, plot.value, marks);
}

HtmlTable front_table(const ParetoPlot& plot, const ParetoFront& front) {
  HtmlTable table{{"configuration", plot.cost, plot.value}, {}, 1};
  for (const ParetoPoint& p : front.points)
    if (p.on_front) table.rows.push_back({p.point->printed, shown(p.cost), shown(p.value)});
  return table;
}

}  // namespace gen
