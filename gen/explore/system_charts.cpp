#include "gen/explore/system_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gen {

namespace {

using golden::CycleCause;
using golden::CycleCauses;

constexpr PictureArea plot = picture_area;

// Causes that a bar does not show apart are one part of it.
struct BarPart {
  const char* name;
  const char* colour;
  std::vector<CycleCause> causes;

  std::uint64_t of(const CycleCauses& all) const {
    return std::accumulate(causes.begin(), causes.end(), std::uint64_t{0},
                           [&](std::uint64_t sum, CycleCause cause) { return sum + all[cause]; });
  }
};

// From the left of a bar to its right: from the warps down to memory.
const std::vector<BarPart>& bar_parts() {
  static const std::vector<BarPart> parts = {
      {"issued", "#5a9367", {CycleCause::issued}},
      {"no ready warp", "#8c7355", {CycleCause::result, CycleCause::barrier, CycleCause::limited}},
      {"no CTA", "#c9cdd1", {CycleCause::empty}},
      {"load-store unit", "#7d68a8", {CycleCause::lsu}},
      {"L1 itself", "#c47aa6", {CycleCause::l1}},
      {"L1 fail: no line", "#7f2f28", {CycleCause::fail_line}},
      {"L1 fail: no MSHR", "#b3564d", {CycleCause::fail_mshr}},
      {"L1 fail: no MSHR target", "#d08a83", {CycleCause::fail_merge}},
      {"L1 fail: miss queue", "#e6bab5", {CycleCause::fail_queue}},
      {"network", "#d08a2e", {CycleCause::network}},
      {"L2", "#7fa7d1", {CycleCause::l2}},
      {"DRAM", "#3b6ea5", {CycleCause::dram}},
      {"memory", "#3b6ea5", {CycleCause::below}}};
  return parts;
}

// The largest parts in words, so that nobody has to measure them.
std::string in_words(const CycleCauses& causes) {
  constexpr std::size_t most = 3;
  std::vector<std::pair<double, const char*>> shares;
  for (const BarPart& part : bar_parts())
    shares.emplace_back(100 * share(part.of(causes), causes.all()), part.name);
  std::ranges::stable_sort(shares, std::ranges::greater{}, &std::pair<double, const char*>::first);
  std::string words;
  for (std::size_t i = 0; i < most && shares[i].first >= 1; ++i)
    words += fmt::format("{}{} {:.0f} %", i ? ", " : "", shares[i].second, shares[i].first);
  return words;
}

// A plot with a decade of each figure as long as the other's.
class Roofline {
 public:
  explicit Roofline(const Roofs& roofs, const std::vector<SystemRunShown>& runs) : roofs_(roofs) {
    double least_bytes = roofs.dram_bytes, least_instructions = roofs.instructions;
    for (const SystemRunShown& one : runs) {
      const BytesPerCycle bytes = bytes_per_cycle(*one.run);
      for (const double b : {bytes.network, bytes.dram})
        if (b > 0) least_bytes = std::min(least_bytes, b);
      if (const double i = instructions_of(one); i > 0) least_instructions = std::min(least_instructions, i);
    }
    right_ = std::log10(1.2 * std::max(roofs.network_bytes, roofs.dram_bytes));
    left_ = std::min(std::floor(std::log10(least_bytes)), right_ - 2);
    top_ = std::log10(1.5 * roofs.instructions);
    bottom_ = std::min(std::floor(std::log10(least_instructions)), top_ - 1);
  }

  static double instructions_of(const SystemRunShown& one) {
    return share(one.run->system->warp_instructions, one.run->cycles);
  }

  std::string frame(int y) {
    y_ = y;
    std::string svg =
        fmt::format("  <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#ddd\"/>\n",
                    plot.left, y_, plot.width, height);
    for (double decade = std::ceil(bottom_); decade < top_; ++decade)
      svg += text(plot.left + plot.width + 6, y_of(std::pow(10, decade)) + 4, "start", number(decade));
    for (double decade = std::ceil(left_); decade < right_; ++decade)
      svg += text(std::max(x_of(std::pow(10, decade)), plot.left + 10.0), y_ + height + 14, "middle",
                  number(decade));
    const double issue = y_of(roofs_.instructions);
    const double dram = x_of(roofs_.dram_bytes), network = x_of(roofs_.network_bytes);
    svg += line(plot.left, issue, plot.left + plot.width, issue) + line(dram, issue, dram, y_ + height) +
           line(network, issue, network, y_ + height);
    svg += text(plot.left + 4, issue - 4, "start",
                fmt::format("issue: {:.0f} instructions", roofs_.instructions));
    svg += text(dram - 4, issue + 16, "end", fmt::format("DRAM: {:.0f} bytes", roofs_.dram_bytes));
    svg += text(network - 4, issue + 32, "end",
                fmt::format("L2 and network: {:.0f} bytes", roofs_.network_bytes));
    return svg;
  }

  // A ring where what the L1s and the L2 exchange puts it, a disc where the bytes of DRAM do.
  std::string run(const SystemRunShown& one) const {
    const BytesPerCycle bytes = bytes_per_cycle(*one.run);
    const double y = y_of(instructions_of(one));
    return fmt::format(
        "  <line x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n"
        "  <circle cx=\"{0:.1f}\" cy=\"{2:.1f}\" r=\"5\" fill=\"{3}\"/>\n"
        "  <circle cx=\"{1:.1f}\" cy=\"{2:.1f}\" r=\"5\" fill=\"#fff\" stroke=\"{3}\" stroke-width=\"2\"/>\n",
        x_of(bytes.dram), x_of(bytes.network), y, one.colour);
  }

  static constexpr int height = 200;

 private:
  static std::string number(double decade) { return fmt::format("{:g}", std::pow(10, decade)); }
  static std::string text(double x, double y, const char* anchor, const std::string& words) {
    return fmt::format(
        "  <text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" fill=\"#444\" text-anchor=\"{}\">{}</text>\n", x,
        y, anchor, words);
  }
  static std::string line(double x1, double y1, double x2, double y2) {
    return fmt::format("  <line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#888\"/>\n",
                       x1, y1, x2, y2);
  }
  // What is 0 lies on the edge.
  double x_of(double bytes) const {
    const double at = bytes > 0 ? std::max(std::log10(bytes), left_) : left_;
    return plot.left + plot.width * (at - left_) / (right_ - left_);
  }
  double y_of(double instructions) const {
    const double at = instructions > 0 ? std::max(std::log10(instructions), bottom_) : bottom_;
    return y_ + height * (top_ - at) / (top_ - bottom_);
  }

  const Roofs roofs_;
  double left_, right_, bottom_, top_;  // decades
  int y_ = 0;
};

}  // namespace

void draw_cause_colours(Chart& chart, const CycleCauses& all) {
  constexpr int square = 11, row = 18, columns = 2, wide = plot.width / columns + 40;
  std::string svg;
  int shown = 0;
  for (const BarPart& part : bar_parts()) {
    if (!part.of(all)) continue;
    const int x = plot.left + shown % columns * wide, y = chart.y() + shown / columns * row;
    svg += fmt::format(
        "  <rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\" fill=\"{3}\"/>\n"
        "  <text x=\"{4}\" y=\"{5}\" fill=\"#444\">{6}</text>\n",
        x, y, square, part.colour, x + square + 6, y + square, part.name);
    ++shown;
  }
  chart.add(svg, (shown + columns - 1) / columns * row + 8);
}

void draw_cycle_causes(Chart& chart, const std::string& trace, const std::vector<SystemRunShown>& runs) {
  constexpr int bar_height = 15, bar_step = 20;
  std::uint64_t most = 1;
  for (const SystemRunShown& one : runs) most = std::max(most, one.run->cycles);
  chart.words(trace);
  for (const SystemRunShown& one : runs) {
    chart.note(one.configuration, "#444");
    double x = plot.left;
    std::string svg;
    for (const BarPart& part : bar_parts()) {
      const double width =
          plot.width * share(one.run->cycles, most) * share(part.of(one.causes), one.causes.all());
      if (width > 0)
        svg += fmt::format("  <rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"/>\n", x,
                           chart.y(), width, bar_height, part.colour);
      x += width;
    }
    svg += fmt::format("  <text x=\"{:.1f}\" y=\"{}\">{}</text>\n", x + 6, chart.y() + 12, one.run->cycles);
    chart.add(svg, bar_step);
    chart.note(in_words(one.causes), "#777");
    chart.space(4);
  }
  chart.space(6);
}

void draw_roofline(Chart& chart, const std::string& trace, const std::vector<SystemRunShown>& runs) {
  chart.words(trace);
  for (const SystemRunShown& one : runs) chart.note(one.configuration, one.colour);
  chart.space(6);
  Roofline roofline(runs[0].run->system->roofs, runs);
  std::string svg = roofline.frame(chart.y());
  for (const SystemRunShown& one : runs) svg += roofline.run(one);
  chart.add(svg, Roofline::height + 24);
  chart.words("across: bytes a core cycle; up: instructions of warps", "#444");
  chart.space(8);
}

}  // namespace gen
