#include "gen/explore/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "gen/explore/drawing.h"

namespace gen {
namespace {

using Part = golden::Timeline::Part;

constexpr int plot_height = 120, row_height = 9, line_height = 16;

Part total_of(const TimelineRun& run) {
  Part total;
  for (const Part& part : *run.parts) total = total + part;
  return total;
}

double share(std::uint64_t of, std::uint64_t whole) {
  return whole ? static_cast<double>(of) / static_cast<double>(whole) : 0;
}

bool has_limit(const TimelineRun& run) {
  return std::ranges::any_of(*run.histories, [](const auto& h) { return h.name == "limit_history"; });
}

class Chart {
 public:
  Chart(const std::vector<TimelineRun>& runs, int top)
      : runs_(runs), by_time_(std::ranges::any_of(runs, has_limit)), y_(top) {
    for (const TimelineRun& run : runs) by_time_ &= total_of(run).cycles > 0;
    for (const TimelineRun& run : runs) most_ = std::max(most_, extent(total_of(run)));
  }

  void rates(const std::string& trace) {
    text(area_.label, y_ + 12, trace);
    for (std::size_t i = 0; i < runs_.size(); ++i)
      text(area_.label, y_ + 12 + line_height * (static_cast<int>(i) + 1), runs_[i].name, runs_[i].colour);
    const int height = std::max(plot_height, line_height * (static_cast<int>(runs_.size()) + 1));
    for (const int rate : {0, 50, 100}) scale(rate / 100.0, fmt::format("{} %", rate));
    for (const TimelineRun& run : runs_)
      line(run, [](const Part& part) { return share(part.misses, part.loads); });
    y_ += height + 8;
  }

  // Thread instructions a cycle, where a limit follows them.
  void instructions() {
    double most = 0;
    for (const TimelineRun& run : runs_)
      for (const Part& part : *run.parts) most = std::max(most, share(part.issued, part.cycles));
    if (!by_time_ || most == 0) return;
    text(area_.label, y_ + 12, "thread instructions a cycle");
    for (const double share : {0.0, 1.0}) scale(share, fmt::format("{:.1f}", most * share));
    for (const TimelineRun& run : runs_)
      line(run, [most](const Part& part) { return share(part.issued, part.cycles) / most; });
    y_ += plot_height + 8;
  }

  // A row a number that is ever in the value; a bar while it is.
  void decisions(const TimelineRun& run, const golden::History& decided) {
    std::map<int, std::vector<std::pair<double, double>>> bars;
    const auto& history = decided.changes;
    for (std::size_t k = 0; k < history.size(); ++k) {
      const double from = x(moment(run, history[k].loads)),
                   to = x(k + 1 < history.size() ? moment(run, history[k + 1].loads)
                                                 : static_cast<double>(extent(total_of(run))));
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
    text(area_.left, y_ + 10, by_time_ ? "cycle 0" : "load 0");
    body_ += fmt::format("  <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                         area_.left + area_.width, y_ + 10, most_);
    y_ += 26;
  }

  int bottom() const { return y_; }
  const std::string& svg() const { return body_; }

 private:
  // How long something is on the axis: in cycles, or in loads.
  std::uint64_t extent(const Part& part) const { return by_time_ ? part.cycles : part.loads; }

  // Where on the axis so many loads had been served; a part's loads are spread over it evenly.
  double moment(const TimelineRun& run, std::uint64_t loads) const {
    Part before;
    for (const Part& part : *run.parts) {
      if (loads <= before.loads + part.loads)
        return static_cast<double>(extent(before)) +
               static_cast<double>(extent(part)) * share(loads - before.loads, part.loads);
      before = before + part;
    }
    return static_cast<double>(extent(before));
  }

  double x(double moment) const {
    return area_.left + area_.width * moment / static_cast<double>(std::max<std::uint64_t>(most_, 1));
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
    Part before;
    for (const Part& part : *run.parts) {
      const double at = y_ + plot_height * (1 - height(part));
      for (const Part& end : {before, before + part})
        points += fmt::format("{:.1f},{:.1f} ", x(static_cast<double>(extent(end))), at);
      before = before + part;
    }
    body_ += fmt::format("  <polyline points=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", points, run.colour);
  }

  const std::vector<TimelineRun>& runs_;
  static constexpr PictureArea area_ = picture_area;
  bool by_time_;
  int y_;
  std::uint64_t most_ = 0;
  std::string body_;
};

}  // namespace

std::string timeline_chart(const std::string& trace, const std::vector<TimelineRun>& runs, int& y) {
  Chart chart(runs, y);
  chart.rates(trace);
  chart.instructions();
  for (const TimelineRun& run : runs)
    for (const golden::History& history : *run.histories) chart.decisions(run, history);
  chart.axis();
  y = chart.bottom();
  return chart.svg();
}

}  // namespace gen
