#include "gen/study/pareto.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

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

// Where a figure lies between the least and the largest, on a scale of ratios.
double share(double figure, double least, double largest) {
  return largest > least && least > 0 ? std::log(figure / least) / std::log(largest / least) : 0.5;
}

constexpr int plot_height = 260;
constexpr double label_width = 20, label_height = 14;  // nearer ones would cover each other

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

Chart front_chart(const ParetoPlot& plot, const ParetoFront& front) {
  Chart chart(fmt::format("{}: {}", plot.name, title_of(front)));
  chart.note(fmt::format("{} (up) against {} (right), both on scales of ratios", plot.value, plot.cost));
  if (front.points.empty()) return chart;
  const auto [left, right] = std::ranges::minmax(front.points, {}, &ParetoPoint::cost);
  const auto [low, high] = std::ranges::minmax(front.points, {}, &ParetoPoint::value);
  const int top = chart.y() + 24;
  std::string line, others, svg;
  for (const auto& [at, figure] : {std::pair{0, high.value}, {plot_height, low.value}})
    svg += fmt::format(
        "  <line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" stroke=\"#ddd\"/>\n"
        "  <text x=\"{3}\" y=\"{4}\" fill=\"#444\">{5}</text>\n",
        picture_area.left, top + at, picture_area.left + picture_area.width,
        picture_area.left + picture_area.width + 6, top + at + (at ? 14 : 4), shown(figure));
  for (const auto& [at, anchor, figure] :
       {std::tuple{0, "start", left.cost}, {picture_area.width, "end", right.cost}})
    svg += fmt::format("  <text x=\"{}\" y=\"{}\" text-anchor=\"{}\" fill=\"#444\">{}</text>\n",
                       picture_area.left + at, top + plot_height + 18, anchor, shown(figure));
  std::size_t number = 0;
  double labelled_x = -label_width, labelled_y = 0;  // where the last number stands
  for (const ParetoPoint& p : front.points) {
    const double x = picture_area.left + picture_area.width * share(p.cost, left.cost, right.cost);
    const double y = top + plot_height * (1 - share(p.value, low.value, high.value));
    std::string& dots = p.on_front ? svg : others;
    dots +=
        fmt::format("  <circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"><title>{}</title></circle>\n",
                    x, y, p.on_front ? 4 : 2, p.on_front ? colour_of(3) : "#bbb", escaped(p.point->printed));
    if (!p.on_front) continue;
    line += fmt::format("{:.1f},{:.1f} ", x, y);
    ++number;
    if (std::abs(x - labelled_x) < label_width && std::abs(y - labelled_y) < label_height) continue;
    labelled_x = x, labelled_y = y;
    const auto ties = std::ranges::count_if(
        front.points, [&](const ParetoPoint& q) { return q.cost == p.cost && q.value == p.value; });
    const std::string numbers =
        ties > 1 ? fmt::format("{}-{}", number, number + static_cast<std::size_t>(ties) - 1)
                 : std::to_string(number);
    svg += fmt::format("  <text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 5, y - 5, numbers);
  }
  svg += fmt::format("  <polyline points=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", line, colour_of(3));
  chart.add(others + svg, plot_height + 50);
  number = 0;
  for (const ParetoPoint& p : front.points)
    if (p.on_front) chart.note(fmt::format("{} {}", ++number, p.point->printed), "#000");
  return chart;
}

HtmlTable front_table(const ParetoPlot& plot, const ParetoFront& front) {
  HtmlTable table{{"on the front", plot.cost, plot.value}, {}, 1};
  for (const ParetoPoint& p : front.points)
    if (p.on_front) table.rows.push_back({p.point->printed, shown(p.cost), shown(p.value)});
  return table;
}

}  // namespace gen
