// Bar charts of an exploration: a group of bars a trace and a bar a configuration, and the loads of each set.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "gen/drawing.h"
#include "gen/explore/mesh_map.h"
#include "gen/explore/report.h"
#include "gen/explore/system_charts.h"
#include "gen/timeline.h"

namespace gen {

namespace {

constexpr int strip_height = 48;

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

// A bar each. The largest of its trace, or of all where `together`, is as wide as the plot.
Chart bars(const std::string& title, const std::vector<Named>& all, bool together,
           const std::function<double(const Named&)>& value,
           const std::function<std::string(double)>& number) {
  Chart chart(title);
  for (size_t i = 0; i < all.size(); ++i) {
    const Named& one = all[i];
    if (i == 0 || all[i - 1].trace != one.trace) {
      if (i) chart.space(10);
      chart.words(one.trace);
    }
    double most = 0;
    for (const Named& other : all)
      if (together || other.trace == one.trace) most = std::max(most, value(other));
    const double v = value(one);
    chart.bar(one.configuration, most > 0 ? v / most : 0, number(v), colour_of(one.colour));
  }
  return chart;
}

// The loads of every set, side by side; sets beyond the number of visible bars share a bar.
void add_strip(Chart& chart, const Named& one) {
  constexpr size_t most_bars = 120;
  const auto& loads = one.total.set_loads;
  const size_t together = (loads.size() + most_bars - 1) / most_bars;
  std::vector<std::uint64_t> bars;
  for (size_t i = 0; i < loads.size(); ++i) {
    if (i % together == 0) bars.push_back(0);
    bars.back() += loads[i];
  }
  const Distribution s = distribution(loads);
  chart.words(one.trace);
  chart.words(one.configuration, "#444");
  chart.words(fmt::format("{} sets: {} to {}, cv {:.3f}", loads.size(), s.min, s.max, s.variation), "#444");
  const double most = static_cast<double>(std::max<std::uint64_t>(1, *std::ranges::max_element(bars)));
  const double step = static_cast<double>(picture_area.width) / static_cast<double>(bars.size());
  std::string svg;
  for (size_t i = 0; i < bars.size(); ++i) {
    const double height = strip_height * static_cast<double>(bars[i]) / most;
    svg += fmt::format("  <rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                       picture_area.left + static_cast<double>(i) * step, chart.y() + strip_height - height,
                       step * 0.85, height, colour_of(one.colour));
  }
  chart.add(svg, strip_height + 14);
}

// The timeline of each trace on which some monitor decided.
void add_timelines(Chart& chart, const std::vector<Named>& all) {
  for (size_t first = 0, last; first < all.size(); first = last) {
    last = first;
    std::vector<TimelineRun> runs;
    bool decided = false;
    for (; last < all.size() && all[last].trace == all[first].trace; ++last) {
      const SmResult& sm = all[last].run->sms[0];
      runs.push_back(
          {all[last].configuration, colour_of(all[last].colour), &sm.timeline.parts(), &sm.histories});
      decided |= !sm.histories.empty();
    }
    if (decided) draw_timeline(chart, all[first].trace, runs);
  }
}

// Of each run on a mesh: its links the redder the more flits of both networks went over them, homes the bluer
// the more loads of other cores hit in them.
void add_mesh_maps(Chart& chart, const std::vector<Named>& all) {
  chart.note("links the redder the more flits, homes the bluer the more hits of other cores' loads");
  for (const Named& one : all) {
    if (one.run->topology->figures.links.empty()) continue;
    chart.words(one.trace);
    chart.words(one.configuration, "#444");
    draw_mesh_map(chart, *one.run->topology);
  }
}

// Calls `draw` with each trace and its runs.
template <class Draw>
void by_trace(const std::vector<Named>& all, Draw&& draw) {
  for (std::size_t first = 0, last; first < all.size(); first = last) {
    std::vector<SystemRunShown> runs;
    for (last = first; last < all.size() && all[last].trace == all[first].trace; ++last)
      runs.push_back(
          {all[last].configuration, colour_of(all[last].colour), all[last].run, all[last].total.causes});
    draw(all[first].trace, runs);
  }
}

void add_system_charts(std::vector<Chart>& charts, const std::vector<Named>& all) {
  golden::CycleCauses together;
  for (const Named& one : all) together.add(one.total.causes);
  Chart& causes = charts.emplace_back("Where the cycles of the SMs went");
  draw_cause_colours(causes, together);
  by_trace(all, [&](const std::string& trace, const auto& runs) { draw_cycle_causes(causes, trace, runs); });
  if (!std::ranges::all_of(all, [](const Named& n) { return n.run->system->memory.has_value(); })) return;
  Chart& roofline = charts.emplace_back("Instructions and bytes, and their roofs");
  roofline.note("rings: bytes between L1s and L2, discs: bytes of DRAM");
  by_trace(all, [&](const std::string& trace, const auto& runs) { draw_roofline(roofline, trace, runs); });
}

std::string plain(double value) { return fmt::format("{:.0f}", value); }
std::string with_kib(double value) { return fmt::format("{:.1f} KiB", value); }

}  // namespace

std::vector<Chart> explore_charts(const std::vector<RunResult>& results) {
  const std::vector<Named> all = named(results);
  std::vector<Chart> charts;
  const auto add = [&](const std::string& title, const std::function<double(const Named&)>& value,
                       const std::function<std::string(double)>& number, bool together = false) {
    charts.push_back(bars(title, all, together, value, number));
  };
  add(
      "Miss rate of loads", [](const Named& n) { return 100 * miss_rate(n.total.counters); },
      [](double v) { return fmt::format("{:.2f} %", v); }, true);
  if (std::ranges::any_of(results, &RunResult::timed)) {
    add(
        "Cycles", [](const Named& n) { return static_cast<double>(n.run->cycles); }, plain);
    add(
        "Cycles with a failed reservation",
        [](const Named& n) { return static_cast<double>(reservation_fails(n.total.counters)); }, plain);
  }
  if (results[0].system) add_system_charts(charts, all);
  add(
      "Traffic towards the next level",
      [](const Named& n) { return static_cast<double>(n.traffic.bytes_down) / 1024; }, with_kib);
  add(
      "Traffic from the next level",
      [](const Named& n) { return static_cast<double>(n.traffic.bytes_up) / 1024; }, with_kib);
  if (std::ranges::any_of(results, [](const RunResult& r) { return !!r.mean_replicas; }))
    add(
        "Replicas of a line in other caches (mean)",
        [](const Named& n) { return n.run->mean_replicas.value_or(0); },
        [](double v) { return fmt::format("{:.2f}", v); });
  if (std::ranges::any_of(results, [](const RunResult& r) { return r.adaptive() || r.limited(); }))
    add_timelines(charts.emplace_back("Miss rate in the course of a run" + of_first_cache(results[0])), all);
  if (std::ranges::any_of(
          results, [](const RunResult& r) { return r.topology && !r.topology->figures.links.empty(); }))
    add_mesh_maps(charts.emplace_back("Traffic of the mesh, and hits of homes"), all);
  Chart& sets = charts.emplace_back("Loads of each set");
  for (const Named& one : all) add_strip(sets, one);
  return charts;
}

std::string explore_svg(const std::vector<RunResult>& results) { return picture_of(explore_charts(results)); }

}  // namespace gen
