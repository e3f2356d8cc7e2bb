// Bar charts of an exploration: a group of bars a trace and a bar a configuration, and the loads of each set.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "gen/explore/drawing.h"
#include "gen/explore/report.h"
#include "gen/explore/timeline.h"

namespace gen {

namespace {

constexpr int label_width = picture_area.left, plot_width = picture_area.width;
constexpr int bar_height = 16, bar_step = 20, group_gap = 14;
constexpr int strip_height = 48, strip_step = 72;

// Each configuration has a colour of its own.
struct Named : NamedRun {
  size_t colour;
};

std::vector<Named> named(const std::vector<RunResult>& results) {
  std::vector<std::string> distinct;
  std::vector<Named> out;
  for (NamedRun& run : named_runs(results)) {
    auto found = std::ranges::find(distinct, run.configuration);
    if (found == distinct.end()) found = distinct.insert(distinct.end(), run.configuration);
    const auto colour = static_cast<size_t>(found - distinct.begin());
    out.push_back({std::move(run), colour});
  }
  return out;
}

class Picture {
 public:
  void title(const std::string& text) { body_ += title_of(text, y_); }

  // A bar each. The largest of its trace, or of all where `together`, is as wide as the plot.
  void bars(const std::vector<Named>& all, bool together, const std::function<double(const Named&)>& value,
            const std::function<std::string(double)>& number) {
    for (size_t i = 0; i < all.size(); ++i) {
      const Named& one = all[i];
      if (i == 0 || all[i - 1].trace != one.trace) {
        y_ += i == 0 ? 0 : group_gap;
        body_ += fmt::format("  <text x=\"10\" y=\"{}\">{}</text>\n", y_ + 12, escaped(fitted(one.trace)));
        y_ += bar_step;
      }
      double most = 0;
      for (const Named& other : all)
        if (together || other.trace == one.trace) most = std::max(most, value(other));
      const double scale = most > 0 ? plot_width / most : 0;
      const double v = value(one);
      body_ += fmt::format(
          "  <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#444\">{}</text>\n"
          "  <rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n"
          "  <text x=\"{:.1f}\" y=\"{}\">{}</text>\n",
          label_width - 8, y_ + 12, escaped(fitted(one.configuration)), label_width, y_, v * scale,
          bar_height, colour_of(one.colour), label_width + v * scale + 6, y_ + 12, number(v));
      y_ += bar_step;
    }
  }

  // The loads of every set, side by side; sets beyond the number that can be told apart share a bar.
  void strip(const Named& one) {
    constexpr size_t most_bars = 140;
    const auto& loads = one.total.set_loads;
    const size_t together = (loads.size() + most_bars - 1) / most_bars;
    std::vector<std::uint64_t> bars;
    for (size_t i = 0; i < loads.size(); ++i) {
      if (i % together == 0) bars.push_back(0);
      bars.back() += loads[i];
    }
    const Spread s = spread(loads);
    const double most = static_cast<double>(std::max<std::uint64_t>(1, *std::ranges::max_element(bars)));
    const double step = static_cast<double>(plot_width) / static_cast<double>(bars.size());
    body_ += fmt::format(
        "  <text x=\"10\" y=\"{}\">{}</text>\n  <text x=\"10\" y=\"{}\" fill=\"#444\">{}</text>\n"
        "  <text x=\"10\" y=\"{}\" font-size=\"11\" fill=\"#444\">{} sets: {} to {}, cv {:.3f}</text>\n",
        y_ + 12, escaped(fitted(one.trace)), y_ + 28, escaped(fitted(one.configuration)), y_ + 44,
        loads.size(), s.min, s.max, s.variation);
    for (size_t i = 0; i < bars.size(); ++i) {
      const double height = strip_height * static_cast<double>(bars[i]) / most;
      body_ +=
          fmt::format("  <rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                      label_width + static_cast<double>(i) * step, y_ + strip_height - height, step * 0.85,
                      height, colour_of(one.colour));
    }
    y_ += strip_step;
  }

  // The course of each trace on which some monitor decided.
  void timelines(const std::vector<Named>& all) {
    for (size_t first = 0, last; first < all.size(); first = last) {
      last = first;
      std::vector<TimelineRun> runs;
      bool decided = false;
      for (; last < all.size() && all[last].trace == all[first].trace; ++last) {
        const SmResult& sm = all[last].run->sms[0];
        runs.push_back({escaped(fitted(all[last].configuration)), colour_of(all[last].colour),
                        &sm.timeline.parts(), &sm.histories});
        decided |= !sm.histories.empty();
      }
      if (decided) body_ += timeline_chart(escaped(fitted(all[first].trace)), runs, y_);
    }
  }

  std::string svg() const { return framed(body_, y_); }

 private:
  int y_ = 0;
  std::string body_;
};

std::string plain(double value) { return fmt::format("{:.0f}", value); }
std::string kibibytes(double value) { return fmt::format("{:.1f} KiB", value); }

std::string counted(size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

// How many SMs or cores drive how many caches, for each size once.
std::string sizes(const std::vector<RunResult>& results) {
  std::vector<std::string> distinct;
  for (const RunResult& run : results) {
    const auto cores = static_cast<size_t>(run.topology ? run.topology->cores : 0);
    const std::string size =
        run.topology ? counted(cores, "core") + " with " + counted(run.sms.size(), "cache")
                     : counted(run.sms.size(), "SM") + (run.sms.size() > 1 ? ", a cache each" : "");
    if (std::ranges::find(distinct, size) == distinct.end()) distinct.push_back(size);
  }
  return fmt::format("{}", fmt::join(distinct, "; "));
}

}  // namespace

std::string explore_svg(const std::vector<RunResult>& results) {
  const std::vector<Named> all = named(results);
  Picture picture;
  picture.title("Miss rate of loads");
  picture.bars(
      all, true, [](const Named& n) { return 100 * miss_rate(n.total.counters); },
      [](double v) { return fmt::format("{:.2f} %", v); });
  if (std::ranges::any_of(results, &RunResult::timed)) {
    picture.title("Cycles");
    picture.bars(
        all, false, [](const Named& n) { return static_cast<double>(n.run->cycles); }, plain);
    picture.title("Cycles with a failed reservation");
    picture.bars(
        all, false, [](const Named& n) { return static_cast<double>(reservation_fails(n.total.counters)); },
        plain);
  }
  picture.title("Traffic towards the next level");
  picture.bars(
      all, false, [](const Named& n) { return static_cast<double>(n.traffic.bytes_down) / 1024; }, kibibytes);
  picture.title("Traffic from the next level");
  picture.bars(
      all, false, [](const Named& n) { return static_cast<double>(n.traffic.bytes_up) / 1024; }, kibibytes);
  if (std::ranges::any_of(results, [](const RunResult& r) { return !!r.mean_replicas; })) {
    picture.title("Replicas of a line in other caches (mean)");
    picture.bars(
        all, false, [](const Named& n) { return n.run->mean_replicas.value_or(0); },
        [](double v) { return fmt::format("{:.2f}", v); });
  }
  if (std::ranges::any_of(results, [](const RunResult& r) { return r.adaptive() || r.limited(); })) {
    picture.title("Miss rate in the course of a run" + of_first_cache(results[0]));
    picture.timelines(all);
  }
  picture.title("Loads of each set");
  for (const Named& one : all) picture.strip(one);
  return picture.svg();
}

std::string explore_html(const std::vector<RunResult>& results) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>L1Forge: caches "
      "compared</title>\n<style>body {{ font-family: sans-serif; margin: 2em; }}</style>\n</head>\n<body>\n"
      "<h1>Caches compared</h1>\n<p>{}. Hits count loads that send nothing down, also those that join a "
      "pending line; traffic counts {} bytes a message and the chunks it carries.</p>\n<pre>{}</pre>\n{}"
      "</body>\n</html>\n",
      sizes(results), Traffic::header_bytes, escaped(explore_table(results)), explore_svg(results));
}

}  // namespace gen
