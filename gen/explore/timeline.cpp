#include "gen/explore/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace gen {

void Timeline::take(const golden::L1dCounters& c) {
  constexpr std::size_t most = 256;
  const std::uint64_t misses = c.misses + c.partial_misses + c.bypasses;
  parts_.push_back(
      {c.loads - loads_, misses - misses_, std::exchange(cycles_, 0), std::exchange(issued_, 0)});
  loads_ = c.loads;
  misses_ = misses;
  if (parts_.size() < most) return;
  for (std::size_t i = 0; i < most / 2; ++i) {
    const Part &one = parts_[2 * i], &two = parts_[2 * i + 1];
    parts_[i] = {one.loads + two.loads, one.misses + two.misses, one.cycles + two.cycles,
                 one.issued + two.issued};
  }
  parts_.resize(most / 2);
  width_ *= 2;
}

namespace {

constexpr int plot_height = 120, row_height = 9, line_height = 16;

std::uint64_t loads_of(const TimelineRun& run) {
  std::uint64_t loads = 0;
  for (const Timeline::Part& part : run.timeline->parts()) loads += part.loads;
  return loads;
}

double percent(const Timeline::Part& part) {
  return part.loads ? 100 * static_cast<double>(part.misses) / static_cast<double>(part.loads) : 0;
}

double ipc(const Timeline::Part& part) {
  return part.cycles ? static_cast<double>(part.issued) / static_cast<double>(part.cycles) : 0;
}

bool has_limit(const TimelineRun& run) {
  return std::ranges::any_of(*run.histories, [](const auto& h) { return h.name == "limit_history"; });
}

class Chart {
 public:
  Chart(const std::vector<TimelineRun>& runs, const TimelineArea& area, int top)
      : runs_(runs), area_(area), y_(top) {
    for (const TimelineRun& run : runs) most_ = std::max(most_, loads_of(run));
  }

  void rates(const std::string& trace) {
    text(area_.label, y_ + 12, trace);
    for (std::size_t i = 0; i < runs_.size(); ++i)
      text(area_.label, y_ + 12 + line_height * (static_cast<int>(i) + 1), runs_[i].name, runs_[i].colour);
    const int height = std::max(plot_height, line_height * (static_cast<int>(runs_.size()) + 1));
    for (const int rate : {0, 50, 100}) scale(rate / 100.0, fmt::format("{} %", rate));
    for (const TimelineRun& run : runs_)
      line(run, [](const Timeline::Part& part) { return percent(part) / 100; });
    y_ += height + 8;
  }

  // Thread instructions a cycle, where a limit follows them.
  void instructions() {
    double most = 0;
    for (const TimelineRun& run : runs_)
      for (const Timeline::Part& part : run.timeline->parts()) most = std::max(most, ipc(part));
    if (most == 0 || std::ranges::none_of(runs_, has_limit)) return;
    text(area_.label, y_ + 12, "thread instructions a cycle");
    for (const double share : {0.0, 1.0}) scale(share, fmt::format("{:.1f}", most * share));
    for (const TimelineRun& run : runs_)
      line(run, [most](const Timeline::Part& part) { return ipc(part) / most; });
    y_ += plot_height + 8;
  }

  // A row a number that is ever in the value; a bar while it is.
  void decisions(const TimelineRun& run, const golden::History& decided) {
    std::map<int, std::vector<std::pair<double, double>>> bars;
    const auto& history = decided.changes;
    for (std::size_t k = 0; k < history.size(); ++k) {
      const double from = x(history[k].loads),
                   to = x(k + 1 < history.size() ? history[k + 1].loads : loads_of(run));
      for (const int bit : history[k].value) {
        auto& bar = bars[bit];
        // What is too near to be told apart becomes one.
        if (!bar.empty() && from - bar.back().second < 0.3)
          bar.back().second = to;
        else
          bar.emplace_back(from, to);
      }
    }
    text(area_.label, y_ + row_height, decided.title, run.colour);
    for (auto row = bars.rbegin(); row != bars.rend(); ++row, y_ += row_height) {
      body_ += fmt::format("  <text x=\"{}\" y=\"{}\" font-size=\"9\" fill=\"#444\">{}</text>\n",
                           area_.left + area_.width + 6, y_ + row_height - 1, decided.label(row->first));
      for (const auto& [from, to] : row->second)
        body_ += fmt::format("  <rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n",
                             from, y_ + 1, std::max(to - from, 0.3), row_height - 2, run.colour);
    }
    y_ += 8;
  }

  void axis() {
    text(area_.left, y_ + 10, "load 0");
    body_ += fmt::format("  <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                         area_.left + area_.width, y_ + 10, most_);
    y_ += 26;
  }

  int bottom() const { return y_; }
  const std::string& svg() const { return body_; }

 private:
  double x(std::uint64_t load) const {
    return area_.left +
           area_.width * static_cast<double>(load) / static_cast<double>(std::max<std::uint64_t>(most_, 1));
  }

  void text(int at_x, int at_y, const std::string& words, const char* colour = "#000") {
    body_ += fmt::format("  <text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", at_x, at_y, colour, words);
  }

  // A horizontal line at this share of the plot's height.
  void scale(double share, const std::string& words) {
    const double at = y_ + plot_height * (1 - share);
    body_ += fmt::format(
        "  <line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n"
        "  <text x=\"{}\" y=\"{:.1f}\" font-size=\"11\" fill=\"#444\">{}</text>\n",
        area_.left, at, area_.left + area_.width, at, area_.left + area_.width + 6, at + 4, words);
  }

  // `height`: of a part, from 0 to 1.
  template <class Height>
  void line(const TimelineRun& run, const Height& height) {
    std::string points;
    std::uint64_t load = 0;
    for (const Timeline::Part& part : run.timeline->parts()) {
      const double at = y_ + plot_height * (1 - height(part));
      points += fmt::format("{:.1f},{:.1f} ", x(load), at);
      load += part.loads;
      points += fmt::format("{:.1f},{:.1f} ", x(load), at);
    }
    body_ += fmt::format("  <polyline points=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", points, run.colour);
  }

  const std::vector<TimelineRun>& runs_;
  const TimelineArea area_;
  int y_;
  std::uint64_t most_ = 0;
  std::string body_;
};

}  // namespace

std::string timeline_chart(const std::string& trace, const std::vector<TimelineRun>& runs,
                           const TimelineArea& area, int& y) {
  Chart chart(runs, area, y);
  chart.rates(trace);
  chart.instructions();
  for (const TimelineRun& run : runs)
    for (const golden::History& history : *run.histories) chart.decisions(run, history);
  chart.axis();
  y = chart.bottom();
  return chart.svg();
}

}  // namespace gen
