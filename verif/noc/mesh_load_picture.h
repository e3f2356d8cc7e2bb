// Throughput and latency of a mesh against its load as a picture, the bounds of X-Y routing beside them; and
// how full its links are, as a map.
#pragma once
#include <fmt/format.h>

#include <string>

#include "verif/noc/mesh_load.h"

namespace verif {

using ThesisMesh = MeshLoad<hw::MeshRouterParams{}>;

struct MeshCurve {
  MeshPattern pattern;
  const char *name, *colour;
  double most;  // load up to which it is measured
};
inline constexpr MeshCurve mesh_curves[] = {{MeshPattern::uniform, "uniform", "#3b6ea5", 0.90},
                                            {MeshPattern::transpose, "transpose", "#b3261e", 0.40},
                                            {MeshPattern::hot_spot, "hot spot", "#2e8b57", 0.24}};

// One diagram of two: axes with their numbers.
class LoadPlot {
 public:
  LoadPlot(double left, double most_y, int steps, const std::string& title) : left_(left), most_y_(most_y) {
    svg_ = fmt::format("  <text x=\"{}\" y=\"28\" font-weight=\"bold\">{}</text>\n", left, title);
    for (int k = 0; k <= steps; ++k) {
      const double value = most_y * k / steps;
      svg_ += fmt::format(
          "  <path d=\"M{0} {1:.1f} H{2}\" stroke=\"#ddd\"/>\n  <text x=\"{3}\" y=\"{4:.1f}\" "
          "text-anchor=\"end\">{5:.4g}</text>\n",
          left, y(value), left + width, left - 6, y(value) + 4, value);
    }
    for (int k = 0; k <= 4; ++k)
      svg_ += fmt::format("  <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.2f}</text>\n", x(k / 4.0),
                          top + height + 20, k / 4.0);
    svg_ += fmt::format(
        "  <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">offered, flits a node and cycle</text>\n",
        left + width / 2, top + height + 42);
  }
  void add(double load, double value) {
    path_ += fmt::format("{}{:.1f} {:.1f} ", path_.empty() ? "M" : "L", x(load), y(std::min(value, most_y_)));
  }
  void end_curve(const char* colour) {
    svg_ += fmt::format("  <path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path_, colour);
    path_.clear();
  }
  void bound(double load, const char* colour) {
    svg_ += fmt::format("  <path d=\"M{0:.1f} {1} V{2}\" stroke=\"{3}\" stroke-dasharray=\"4 4\"/>\n",
                        x(load), top, top + height, colour);
  }
  void text(int line, const std::string& what, const char* colour) {
    svg_ += fmt::format("  <text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", left_ + 120,
                        top + 18 * line + 14, colour, what);
  }
  const std::string& svg() const { return svg_; }

 private:
  static constexpr double width = 330, height = 260, top = 44;
  double x(double load) const { return left_ + width * load; }
  double y(double value) const { return top + height * (1 - value / most_y_); }

  double left_, most_y_;
  std::string svg_, path_;
};

inline std::string mesh_load_curves(int cycles) {
  LoadPlot throughput(50, 0.8, 4, "6 x 6 mesh: throughput, flits a node and cycle"),
      latency(460, 80, 4, "latency, cycles");
  int line = 0;
  for (const MeshCurve& curve : mesh_curves) {
    for (int k = 1; k <= 18; ++k) {
      const double rate = curve.most * k / 18;
      const auto got = ThesisMesh::run(curve.pattern, rate, cycles);
      throughput.add(rate, got.throughput);
      latency.add(rate, got.latency);
      if (got.latency > 400) break;
    }
    throughput.end_curve(curve.colour), latency.end_curve(curve.colour);
    const double bound = ThesisMesh::bound(curve.pattern);
    throughput.bound(bound, curve.colour), latency.bound(bound, curve.colour);
    latency.text(line++, fmt::format("{}: hottest link full at {:.3f}", curve.name, bound), curve.colour);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 820 360\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n  <rect width=\"820\" height=\"360\" fill=\"#fff\"/>\n{}{}</svg>\n",
      throughput.svg(), latency.svg());
}

}  // namespace verif
