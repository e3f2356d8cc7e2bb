#include "gen/area/picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace gen {
namespace {

constexpr int bar_height = 26, row_height = 40, label_width = 260, plot_width = 420, title_height = 46;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

// One chart: a bar a figure, at `top` of the picture.
std::string chart(const AreaReport& report, const std::string& title, const std::string& unit, int top,
                  double (*value)(const AreaResult&)) {
  double most = 0;
  for (const AreaFigure& f : report.figures) most = std::max(most, spread_of(f, value).max);
  const double scale = most > 0 ? plot_width / most : 0;
  std::string out =
      fmt::format("  <text x=\"10\" y=\"{}\" font-weight=\"bold\">{}</text>\n", top + 28, title);
  int y = top + title_height;
  for (const AreaFigure& f : report.figures) {
    const Spread s = spread_of(f, value);
    const int middle = y + bar_height / 2;
    out += fmt::format("  <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", label_width - 8,
                       middle + 5, escaped(f.name));
    out += fmt::format("  <rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n",
                       label_width, y, s.median * scale, bar_height, f.beside ? "#b8bfc9" : "#3b6ea5");
    if (s.max > s.min)
      out += fmt::format("  <path d=\"M{:.1f} {} H{:.1f}\" stroke=\"#b3261e\" stroke-width=\"3\"/>\n",
                         label_width + s.min * scale, middle, label_width + s.max * scale);
    out += fmt::format("  <text x=\"{:.1f}\" y=\"{}\">{:.{}f} {}</text>\n", label_width + s.max * scale + 6,
                       middle + 5, s.median, unit == "ns" ? 2 : 1, unit);
    y += row_height;
  }
  return out;
}

}  // namespace

std::string area_svg(const AreaReport& report) {
  const int rows = static_cast<int>(report.figures.size());
  const int half = title_height + rows * row_height;
  const int height = 2 * half + 40, width = label_width + plot_width + 110;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" "
      "font-size=\"14\">\n  <rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, height);
  out += chart(report, "Area in NAND2 equivalents", "GE", 0,
               [](const AreaResult& r) { return r.gate_equivalents; });
  out += chart(report, "Longest path", "ns", half, [](const AreaResult& r) { return r.path_ns; });
  out += fmt::format(
      "  <text x=\"10\" y=\"{}\" font-size=\"12\" fill=\"#555\">{}{}</text>\n</svg>\n", height - 12,
      escaped(report.library),
      report.figures.front().orders.size() > 1 ? "; red: range over the orders of the lines" : "");
  return out;
}

}  // namespace gen
