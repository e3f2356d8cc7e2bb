#include "gen/explore/mesh_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace gen {
namespace {

constexpr int most_pitch = 78;

struct Colour {
  int red, green, blue;
};
constexpr Colour pale{236, 236, 236}, hot{179, 40, 30}, busy{59, 110, 165};

// From pale to the colour, the more of it the larger the share.
std::string shade(const Colour& colour, double share) {
  const auto mixed = [&](int from, int to) {
    return static_cast<int>(std::lround(from + (to - from) * share));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(pale.red, colour.red), mixed(pale.green, colour.green),
                     mixed(pale.blue, colour.blue));
}

// Both networks' flits from node to node.
std::map<std::pair<int, int>, std::uint64_t> flits_of(const TopologyResult& t) {
  std::map<std::pair<int, int>, std::uint64_t> flits;
  for (const auto& network : t.figures.links)
    for (const golden::LinkFlits& link : network) flits[{link.from, link.to}] += link.flits;
  return flits;
}

class MeshMap {
 public:
  MeshMap(const Chart& chart, const TopologyResult& t)
      : t_(t),
        pitch_(std::min(most_pitch, (picture_area.picture - 2 * picture_area.left) / t.nodes_of.width)),
        top_(chart.y()) {}

  std::string drawn() const { return links() + cores() + slices(); }
  int height() const { return t_.nodes_of.height * pitch_ + 10; }

 private:
  struct Point {
    double x, y;
  };
  Point middle(int node) const {
    const int column = node % t_.nodes_of.width, row = node / t_.nodes_of.width;
    return {picture_area.left + (column + 0.5) * pitch_, top_ + (row + 0.5) * pitch_};
  }

  // Each direction on its right side.
  std::string links() const {
    const auto flits = flits_of(t_);
    std::uint64_t most = 1;
    for (const auto& [ends, n] : flits) most = std::max(most, n);
    std::string svg;
    for (const auto& [ends, n] : flits) {
      const auto [x1, y1] = middle(ends.first);
      const auto [x2, y2] = middle(ends.second);
      const double aside = pitch_ * 0.09, across = (y1 - y2) / pitch_ * aside,
                   down = (x2 - x1) / pitch_ * aside;
      svg += fmt::format(
          "  <line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
          "stroke-width=\"{:.1f}\"><title>{} to {}: {} flits</title></line>\n",
          x1 + across, y1 + down, x2 + across, y2 + down, shade(hot, share(n, most)), pitch_ * 0.12,
          ends.first, ends.second, n);
    }
    return svg;
  }

  std::string node(int number, const std::string& fill, const std::string& name,
                   const std::string& about) const {
    const auto [x, y] = middle(number);
    const double side = pitch_ * 0.56;
    return fmt::format(
        "  <rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
        "stroke=\"#666\"><title>{}</title></rect>\n"
        "  <text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n",
        x - side / 2, y - side / 2, side, side, fill, about, x, y + pitch_ * 0.06, pitch_ * 0.18, name);
  }

  std::string cores() const {
    std::uint64_t most = 1;
    for (const golden::HomeLoads& home : t_.figures.homes) most = std::max(most, home.hits);
    std::string svg;
    for (std::size_t c = 0; c < t_.figures.homes.size(); ++c) {
      const auto [loads, hits] = t_.figures.homes[c];
      svg += node(t_.nodes_of.cores[c], shade(busy, 0.8 * share(hits, most)), fmt::format("{}", c),
                  fmt::format("core {}: {} of {} loads of others hit", c, hits, loads));
    }
    return svg;
  }

  std::string slices() const {
    std::string svg;
    for (std::size_t s = 0; s < t_.nodes_of.slices.size(); ++s)
      svg += node(t_.nodes_of.slices[s], "#fff", fmt::format("L2 {}", s),
                  fmt::format("slice {}: {} requests", s, t_.slice_requests[s]));
    return svg;
  }

  const TopologyResult& t_;
  const int pitch_, top_;
};

}  // namespace

void draw_mesh_map(Chart& chart, const TopologyResult& topology) {
  if (topology.figures.links.empty() || topology.nodes_of.width == 0) return;
  const MeshMap map(chart, topology);
  chart.add(map.drawn(), map.height());
}

}  // namespace gen
