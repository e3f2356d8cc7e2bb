// The picture of a layout: rows of cells, wires by layer, the supply's stripes.
#include <fmt/format.h>

#include <algorithm>

#include "gen/html.h"
#include "gen/layout/def_file.h"

namespace gen {
namespace {

constexpr double picture_width = 900, margin = 12, line = 18;

struct Layer {
  const char *name, *colour;
  double width_um;
};
constexpr Layer layers[] = {{"metal1", "#2563eb", 0.3}, {"metal2", "#dc2626", 0.3},
                            {"metal3", "#15803d", 0.3}, {"metal4", "#9333ea", 0.3},
                            {"metal5", "#c2410c", 0.3}, {"metal6", "#475569", 0.5}};

class Picture {
 public:
  Picture(const DefLayout& layout, const std::map<std::string, LefSize>& sizes, const std::string& title)
      : layout_(layout), sizes_(sizes), title_(title) {
    const double width = layout.right - layout.left, height = layout.top - layout.bottom;
    scale_ = (picture_width - 2 * margin) / std::max({width, height * 0.75, 1.0});
    drawn_width_ = width * scale_;
    drawn_height_ = height * scale_;
  }

  std::string svg() const {
    const double top = 3 * line, all = top + drawn_height_ + margin;
    std::string body = text(margin, line + 2, title_, "#111827") + legend();
    body += fmt::format("  <g transform=\"translate({:.1f} {:.1f})\">\n", margin, top) + rows() + wires() +
            "  </g>\n";
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1:.1f}\" width=\"{0}\" "
        "height=\"{1:.1f}\" "
        "style=\"max-width:100%;height:auto\" font-family=\"sans-serif\" role=\"img\" "
        "aria-label=\"layout\">\n"
        "  <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
        picture_width, all, body);
  }

 private:
  static std::string text(double x, double y, const std::string& words, const char* colour) {
    return fmt::format("  <text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"14\" fill=\"{}\">{}</text>\n", x, y,
                       colour, escaped(words));
  }

  static std::string legend() {
    std::string all;
    double x = margin;
    for (const Layer& layer : layers) {
      all += fmt::format("  <rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"22\" height=\"4\" fill=\"{}\"/>\n", x,
                         2 * line - 3, layer.colour) +
             text(x + 28, 2 * line + 3, layer.name, "#111827");
      x += 110;
    }
    return all;
  }

  double x(double um) const { return (um - layout_.left) * scale_; }
  double y(double um) const { return (layout_.top - um) * scale_; }

  std::string rows() const {
    std::string all = fmt::format(
        "    <rect width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#111827\" "
        "stroke-width=\"1\"/>\n",
        drawn_width_, drawn_height_);
    for (const DefCell& cell : layout_.cells) {
      const auto size = sizes_.find(cell.type);
      if (size == sizes_.end()) continue;
      const bool is_filler = cell.type == "FILL";
      all += fmt::format(
          "    <rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" "
          "stroke=\"#9ca3af\" "
          "stroke-width=\"0.4\"/>\n",
          x(cell.x), y(cell.y + size->second.height), size->second.width * scale_,
          size->second.height * scale_, is_filler ? "#ffffff" : "#e5e7eb");
    }
    return all;
  }

  std::string path(const std::vector<DefWire>& wires, const Layer& layer, double width,
                   double opacity) const {
    std::string moves;
    for (const DefWire& wire : wires)
      if (wire.layer == layer.name && wire.length() > 0)
        moves += fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", x(wire.x1), y(wire.y1), x(wire.x2), y(wire.y2));
    if (moves.empty()) return "";
    return fmt::format(
        "    <path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-opacity=\"{}\"/>\n",
        moves, layer.colour, std::max(0.4, width * scale_), opacity);
  }

  std::string wires() const {
    std::string all;
    for (const Layer& layer : layers) all += path(layout_.stripes, layer, 1.6, 0.25);
    for (const Layer& layer : layers) all += path(layout_.wires, layer, layer.width_um, 0.9);
    return all;
  }

  const DefLayout& layout_;
  const std::map<std::string, LefSize>& sizes_;
  const std::string& title_;
  double scale_ = 1, drawn_width_ = 0, drawn_height_ = 0;
};

}  // namespace

std::string layout_svg(const DefLayout& layout, const std::map<std::string, LefSize>& sizes,
                       const std::string& title) {
  return Picture(layout, sizes, title).svg();
}

}  // namespace gen
