// Charts of an exploration: its figures by trace and configuration, and what happened over the time of the runs.
// runs.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "gen/charts/bars.h"
#include "gen/charts/timeline.h"
#include "gen/cosim/port_run.h"
#include "gen/explore/mesh_map.h"
#include "gen/explore/report.h"
#include "gen/explore/system_charts.h"
#include "gen/shell_line.h"

namespace gen {

namespace {

using Json = nlohmann::ordered_json;

struct FigureOfRun : ComparedFigure {
  std::function<double(const NamedRun&)> value;
  bool same_scale = false;  // of all traces
};

std::vector<FigureOfRun> figures_for(const std::vector<RunResult>& results) {
  std::vector<FigureOfRun> figures;
  const auto add = [&](const char* name, const char* title, const char* unit, int digits,
                       std::function<double(const NamedRun&)> value) {
    figures.push_back({{.name = name, .title = title, .unit = unit, .digits = digits}, std::move(value)});
  };
  add("miss_rate", "miss rate of loads", "%", 2,
      [](const NamedRun& n) { return 100 * miss_rate(n.total.counters); });
  figures.back().same_scale = true;
  if (std::ranges::any_of(results, &RunResult::timed)) {
    add("cycles", "cycles", "", 0, [](const NamedRun& n) { return static_cast<double>(n.run->cycles); });
    add("reservation_fails", "cycles with a failed reservation", "", 0,
        [](const NamedRun& n) { return static_cast<double>(reservation_fails(n.total.counters)); });
  }
  add("bytes_down", "traffic towards the next level", "KiB", 1,
      [](const NamedRun& n) { return static_cast<double>(n.traffic.bytes_down) / 1024; });
  add("bytes_up", "traffic from the next level", "KiB", 1,
      [](const NamedRun& n) { return static_cast<double>(n.traffic.bytes_up) / 1024; });
  if (std::ranges::any_of(results, [](const RunResult& r) { return !!r.mean_replicas; }))
    add("mean_replicas", "replicas of a line in other caches (mean)", "", 2,
        [](const NamedRun& n) { return n.run->mean_replicas.value_or(0); });
  return figures;
}

std::string text_of(const ComparedFigure& figure, double value) {
  return fmt::format("{:.{}f}{}{}", value, figure.digits, figure.unit.empty() ? "" : " ", figure.unit);
}

std::string axis_of(const ComparedFigure& figure) {
  return figure.unit.empty() ? figure.title : figure.title + ", " + figure.unit;
}

// The keys in which configurations differ, as far as their values are no lists.
std::vector<std::string> differing_keys(const std::vector<Config>& configs) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : configs[0].resolved.items()) {
    const auto differs = [&](const Config& c) {
      return c.resolved.value(key, Json()) != configs[0].resolved[key];
    };
    if (value.is_primitive() && std::ranges::any_of(configs, differs)) keys.push_back(key);
  }
  return keys;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

ComparedPoint point_of(const NamedRun& run, const std::vector<Config>& configs,
                       const std::vector<std::string>& keys) {
  ComparedPoint point{.configuration = run.configuration, .command = ""};
  const auto config = std::ranges::find(configs, run.run->configuration, &Config::source);
  if (config == configs.end()) return point;
  point.command = "l1forge explore " + shell_word(config->source);
  for (const std::string& setting : given_settings(*config)) point.command += " -s " + shell_word(setting);
  point.command += (run.run->from_list ? " --requests " : " --trace ") + shell_word(run.run->trace);
  for (const std::string& key : keys)
    if (config->resolved.contains(key)) point.keys[key] = text_of(config->resolved[key]);
  return point;
}

// How many loads went to each set, as a share of the mean; neighbours share a cell where there are many.
Chart set_loads(const std::vector<NamedRun>& all) {
  constexpr std::size_t most_cells = 128;
  Json rows = Json::array(), traces = Json::array();
  for (const NamedRun& one : all) {
    if (std::ranges::find(traces, Json(one.trace)) == traces.end()) traces.push_back(one.trace);
    const auto& loads = one.total.set_loads;
    const std::size_t together = (loads.size() + most_cells - 1) / most_cells;
    const Distribution spread = distribution(loads);
    std::uint64_t sum = 0;
    for (const std::uint64_t n : loads) sum += n;
    const double mean = static_cast<double>(sum) / static_cast<double>(loads.size());
    for (std::size_t first = 0; first < loads.size(); first += together) {
      const std::size_t end = std::min(first + together, loads.size());
      std::uint64_t here = 0;
      for (std::size_t set = first; set < end; ++set) here += loads[set];
      rows.push_back(
          {{"trace", one.trace},
           {"configuration", one.configuration},
           {"set", first},
           {"end", end},
           {"loads", here},
           {"times the mean",
            mean > 0 ? static_cast<double>(here) / static_cast<double>(end - first) / mean : 0},
           {"of all sets", fmt::format("{} to {}, cv {:.3f}", spread.min, spread.max, spread.variation)}});
    }
  }
  const Json header{{"title", nullptr}, {"labelOrient", "top"}, {"labelAnchor", "start"}};
  const Json tips{{{"field", "configuration"}},
                  {{"field", "set"}},
                  {{"field", "loads"}},
                  {{"field", "times the mean"}, {"format", ".2f"}},
                  {{"field", "of all sets"}}};
  return {
      "Loads of each set",
      {{"usermeta", {{"label", "configuration"}}},
       {"data", {{"values", rows}}},
       {"facet", {{"row", {{"field", "trace"}, {"sort", traces}, {"header", header}}}}},
       {"spec",
        {{"height", {{"step", 18}}},
         {"mark", {{"type", "bar"}, {"height", {{"band", 0.95}}}}},
         {"encoding",
          {{"x",
            {{"field", "set"},
             {"type", "quantitative"},
             {"title", "set"},
             {"scale", {{"nice", false}}},
             {"axis", {{"format", "d"}, {"tickMinStep", 1}, {"labelOverlap", true}}}}},
           {"x2", {{"field", "end"}}},
           {"y",
            {{"field", "configuration"}, {"type", "nominal"}, {"sort", nullptr}, {"axis", axis_of_names()}}},
           {"color",
            {{"field", "times the mean"},
             {"type", "quantitative"},
             {"title", "loads, times the mean of all sets"},
             {"scale", {{"scheme", "viridis"}, {"domainMin", 0}}},
             {"legend",
              {{"orient", "bottom"},
               {"direction", "horizontal"},
               {"gradientLength", 200},
               {"tickCount", 4}}}}},
           {"opacity", chosen_opacity()},
           {"tooltip", tips}}}}},
       {"resolve", {{"scale", {{"y", "independent"}}}}}}};
}

// The timeline of each trace on which some monitor decided.
void add_timelines(std::vector<Chart>& charts, const std::vector<NamedRun>& all) {
  for (std::size_t first = 0, last; first < all.size(); first = last) {
    std::vector<TimelineRun> runs;
    bool decided = false;
    for (last = first; last < all.size() && all[last].trace == all[first].trace; ++last) {
      const SmResult& sm = all[last].run->sms[0];
      runs.push_back({all[last].configuration, &sm.timeline.parts(), &sm.histories});
      decided |= !sm.histories.empty();
    }
    if (decided)
      charts.push_back(timeline_chart(fmt::format("Miss rate in the course of a run{}: {}",
                                                  of_first_cache(*all[first].run), all[first].trace),
                                      runs));
  }
}

void add_system_charts(std::vector<Chart>& charts, const std::vector<NamedRun>& all) {
  std::vector<SystemRunShown> runs;
  for (const NamedRun& one : all) runs.push_back({one.trace, one.configuration, one.run, one.total.causes});
  charts.push_back(cycle_causes_chart(runs));
  if (std::ranges::all_of(all, [](const NamedRun& n) { return n.run->system->memory.has_value(); }))
    charts.push_back(roofline_chart(runs));
}

}  // namespace

ComparisonChart explore_comparison(const std::vector<RunResult>& results,
                                   const std::vector<Config>& configs) {
  ComparisonChart out;
  const std::vector<NamedRun> all = named_runs(results);
  out.keys = differing_keys(configs);
  for (const FigureOfRun& figure : figures_for(results)) out.figures.push_back(figure);
  for (const NamedRun& run : all) {
    if (std::ranges::find(out.inputs, run.trace) == out.inputs.end()) out.inputs.push_back(run.trace);
    auto point = std::ranges::find(out.points, run.configuration, &ComparedPoint::configuration);
    if (point == out.points.end()) point = out.points.insert(point, point_of(run, configs, out.keys));
    for (const FigureOfRun& figure : figures_for(results))
      point->figures[run.trace][figure.name] = figure.value(run);
  }
  out.baseline = out.points.size() > 1 ? out.points.front().configuration : "";
  return out;
}

std::vector<Chart> explore_charts(const std::vector<RunResult>& results) {
  const std::vector<NamedRun> all = named_runs(results);
  std::vector<Chart> charts;
  if (results[0].system) add_system_charts(charts, all);
  if (std::ranges::any_of(results, [](const RunResult& r) { return r.adaptive() || r.limited(); }))
    add_timelines(charts, all);
  for (const NamedRun& one : all)
    if (one.run->topology)
      if (auto map = mesh_map(fmt::format("Mesh: {}, {}", one.trace, one.configuration), *one.run->topology))
        charts.push_back(std::move(*map));
  charts.push_back(set_loads(all));
  return charts;
}

std::string explore_svg(const std::vector<RunResult>& results, const std::vector<Config>& configs) {
  const ComparisonChart compared = explore_comparison(results, configs);
  std::vector<Chart> charts;
  for (const FigureOfRun& figure : figures_for(results)) {
    std::vector<Bar> bars;
    for (const std::string& input : compared.inputs)
      for (const ComparedPoint& point : compared.points) {
        if (!point.figures.contains(input)) continue;
        const double value = point.figures[input][figure.name];
        bars.push_back({.name = point.configuration,
                        .value = value,
                        .text = text_of(figure, value),
                        .part = input,
                        .reference = point.configuration == compared.baseline});
      }
    charts.push_back(
        bar_chart(figure.title, {.title = axis_of(figure), .same_scale = figure.same_scale}, bars));
  }
  for (Chart& chart : explore_charts(results)) charts.push_back(std::move(chart));
  return picture_of(charts);
}

}  // namespace gen
