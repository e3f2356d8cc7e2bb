#include "gen/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "gen/share.h"

namespace gen {
namespace {

using Part = golden::Timeline::Part;

constexpr PictureArea area = picture_area;
constexpr int plot_height = 120, row_height = 15;

Part total_of(const TimelineRun& run) {
  Part total;
  for (const Part& part : *run.parts) total = total + part;
  return total;
}

bool has_limit(const TimelineRun& run) {
  return std::ranges::any_of(*run.histories, [](const auto& h) { return h.name == "limit_history"; });
}

// How much of each pixel of the plot a value holds, where it comes and goes too often for bars of its own.
class Density {
 public:
  void add(double from, double to) {
    for (auto i = static_cast<std::size_t>(from); i < shares_.size() && static_cast<double>(i) < to; ++i)
      shares_[i] += std::min(to, static_cast<double>(i + 1)) - std::max(from, static_cast<double>(i));
  }

  // Neighbours that look alike as one rectangle, darker for more.
  std::string svg(int y, int height, const char* colour) const {
    constexpr double levels = 16;
    std::string out;
    for (std::size_t first = 0, last; first < shares_.size(); first = last) {
      const double level = std::ceil(shares_[first] * levels - 0.01);
      for (last = first + 1; last < shares_.size() && std::ceil(shares_[last] * levels - 0.01) == level;)
        ++last;
      if (level > 0)
        out += fmt::format(
            "  <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" fill-opacity=\"{:.2f}\"/>\n",
            area.left + static_cast<int>(first), y, last - first, height, colour,
            std::min(1.0, level / levels));
    }
    return out;
  }

 private:
  std::array<double, area.width> shares_{};
};

class TimelineChart {
 public:
  TimelineChart(Chart& chart, const std::vector<TimelineRun>& runs)
      : chart_(chart), runs_(runs), by_time_(std::ranges::any_of(runs, has_limit)) {
    for (const TimelineRun& run : runs) by_time_ &= total_of(run).cycles > 0;
    for (const TimelineRun& run : runs) most_ = std::max(most_, extent(total_of(run)));
  }

  void rates() {
    for (const TimelineRun& run : runs_) chart_.words(run.name, run.colour);
    chart_.space(8);
    std::string svg;
    for (const int rate : {0, 50, 100}) svg += scale(rate / 100.0, fmt::format("{} %", rate));
    for (const TimelineRun& run : runs_)
      svg += line(run, [](const Part& part) { return share(part.misses, part.loads); });
    chart_.add(svg, plot_height + 8);
  }

  // Thread instructions a cycle, where a limit follows them.
  void instructions() {
    double most = 0;
    for (const TimelineRun& run : runs_)
      for (const Part& part : *run.parts) most = std::max(most, share(part.issued, part.cycles));
    if (!by_time_ || most == 0) return;
    chart_.words("thread instructions a cycle");
    chart_.space(8);
    std::string svg;
    for (const double share : {0.0, 1.0}) svg += scale(share, fmt::format("{:.1f}", most * share));
    for (const TimelineRun& run : runs_)
      svg += line(run, [most](const Part& part) { return share(part.issued, part.cycles) / most; });
    chart_.add(svg, plot_height + 8);
  }

  // A row a number that is ever in the value; a bar while it is.
  void decisions(const TimelineRun& run, const golden::History& decided) {
    constexpr std::size_t most_bars = area.width / 3;  // of a row, to be seen apart
    const auto rows = bars_of(run, decided);
    const bool dense =
        std::ranges::any_of(rows, [](const auto& row) { return row.second.size() > most_bars; });
    chart_.words(decided.title + (dense ? "; darker: for more of the time" : ""), run.colour);
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      const int y = chart_.y();
      std::string svg =
          fmt::format("  <text x=\"{}\" y=\"{}\" font-size=\"12\" fill=\"#444\">{}</text>\n",
                      area.left + area.width + 6, y + row_height - 3, escaped(decided.label(row->first)));
      if (row->second.size() > most_bars) {
        Density density;
        for (const auto& [from, to] : row->second) density.add(from, to);
        svg += density.svg(y + 1, row_height - 2, run.colour);
      } else {
        for (const auto& [from, to] : row->second)
          svg += fmt::format("  <rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n",
                             area.left + from, y + 1, std::max(to - from, 0.3), row_height - 2, run.colour);
      }
      chart_.add(svg, row_height);
    }
    chart_.space(8);
  }

  void axis() {
    const int y = chart_.y() + 10;
    chart_.add(fmt::format("  <text x=\"{}\" y=\"{}\">{}</text>\n"
                           "  <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                           area.left, y, by_time_ ? "cycle 0" : "load 0", area.left + area.width, y, most_),
               26);
  }

 private:
  // From where on the plot to where the value has each number.
  using Bars = std::map<int, std::vector<std::pair<double, double>>>;
  Bars bars_of(const TimelineRun& run, const golden::History& decided) const {
    Bars bars;
    const auto& history = decided.changes;
    const std::vector<double> ends = moments(run, history);
    for (std::size_t k = 0; k < history.size(); ++k)
      for (const int bit : history[k].value) {
        auto& bar = bars[bit];
        // Kept over a change of other numbers, it is one bar.
        if (!bar.empty() && bar.back().second >= ends[k])
          bar.back().second = ends[k + 1];
        else
          bar.emplace_back(ends[k], ends[k + 1]);
      }
    return bars;
  }

  // How long something is on the axis: in cycles, or in loads.
  std::uint64_t extent(const Part& part) const { return by_time_ ? part.cycles : part.loads; }

  // Where on the plot each change lies, and the end of the run; a part's loads are spread over it evenly.
  template <class Changes>
  std::vector<double> moments(const TimelineRun& run, const Changes& changes) const {
    std::vector<double> out;
    Part before;
    auto part = run.parts->begin();
    for (const auto& change : changes) {
      for (; part != run.parts->end() && change.loads > before.loads + part->loads; ++part)
        before = before + *part;
      const double within = part == run.parts->end() ? 0
                                                     : static_cast<double>(extent(*part)) *
                                                           share(change.loads - before.loads, part->loads);
      out.push_back(x(static_cast<double>(extent(before)) + within));
    }
    out.push_back(x(static_cast<double>(extent(total_of(run)))));
    return out;
  }

  // From the left edge of the plot.
  double x(double moment) const {
    return area.width * moment / static_cast<double>(std::max<std::uint64_t>(most_, 1));
  }

  // A horizontal line at this share of the plot's height.
  std::string scale(double share, const std::string& words) const {
    const double at = chart_.y() + plot_height * (1 - share);
    return fmt::format(
        "  <line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n"
        "  <text x=\"{}\" y=\"{:.1f}\" fill=\"#444\">{}</text>\n",
        area.left, at, area.left + area.width, at, area.left + area.width + 6, at + 4, words);
  }

  // `height`: of a part, from 0 to 1.
  template <class Height>
  std::string line(const TimelineRun& run, const Height& height) const {
    std::string points;
    Part before;
    for (const Part& part : *run.parts) {
      const double at = chart_.y() + plot_height * (1 - height(part));
      for (const Part& end : {before, before + part})
        points += fmt::format("{:.1f},{:.1f} ", area.left + x(static_cast<double>(extent(end))), at);
      before = before + part;
    }
    return fmt::format("  <polyline points=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", points, run.colour);
  }

  Chart& chart_;
  const std::vector<TimelineRun>& runs_;
  bool by_time_;
  std::uint64_t most_ = 0;
};

}  // namespace

void draw_timeline(Chart& chart, const std::string& trace, const std::vector<TimelineRun>& runs) {
  TimelineChart timeline(chart, runs);
  chart.words(trace);
  timeline.rates();
  timeline.instructions();
  for (const TimelineRun& run : runs)
    for (const golden::History& history : *run.histories) timeline.decisions(run, history);
  timeline.axis();
}

}  // namespace gen
