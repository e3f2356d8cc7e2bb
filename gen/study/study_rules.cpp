#include "gen/study/study_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/study/pareto.h"

namespace gen {
namespace {

void check_inputs(const Study& study, const std::string& names_place) {
  const std::size_t inputs = study.traces.size() + study.recordings.size();
  if (!study.names.empty() && study.names.size() != inputs)
    throw ConfigError(names_place,
                      fmt::format("inputs.names: has {} names of {} inputs", study.names.size(), inputs));
  const std::vector<std::string> names = study.input_names();
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (*name == mean_title)
      throw ConfigError(names_place, fmt::format("inputs: fronts call something else \"{}\"", mean_title));
    if (std::find(names.begin(), name, *name) != name)
      throw ConfigError(
          names_place, fmt::format("inputs: two are called \"{}\"; give each a name in inputs.names", *name));
  }
  for (const Measure& m : study.measures) {
    const bool traces = m.kind->inputs == MeasureInputs::traces;
    if ((traces && study.traces.empty()) ||
        (m.kind->inputs == MeasureInputs::recordings && study.recordings.empty()))
      throw ConfigError(
          m.place, fmt::format("[measure.{}]: needs inputs.{}", m.name, traces ? "traces" : "recordings"));
  }
}

void check_grids(const Study& study, const std::vector<Grid>& grids) {
  const auto has_key = [&](const std::string& key) {
    return std::ranges::any_of(
        grids, [&](const Grid& g) { return std::ranges::find(g.axes, key, &Axis::key) != g.axes.end(); });
  };
  for (const Measure& m : study.measures) {
    for (const std::string& grid : m.grids)
      if (std::ranges::find(grids, grid, &Grid::name) == grids.end())
        throw ConfigError(
            m.place, fmt::format("measure.{}.grids = \"{}\": there is no [grid.{}]", m.name, grid, grid));
    for (const std::string& key : m.vary)
      if (m.only.empty() || !has_key(key))
        throw ConfigError(m.place, fmt::format("measure.{}.vary = \"{}\": {}", m.name, key,
                                               m.only.empty() ? "needs measure." + m.name + ".only"
                                                              : "no grid has keys." + key));
  }
}

// What a plot shows must be measured, and what a measure waits for must be plotted, from other measures.
void check_plots(const Study& study) {
  const auto measured = [&](const std::string& figure) {
    const std::string name = figure.substr(0, figure.find('.'));
    return std::ranges::find(study.measures, name, &Measure::name) != study.measures.end();
  };
  for (const ParetoPlot& plot : study.plots)
    if ((plot.cost != "bits" && !measured(plot.cost)) || !measured(plot.value))
      throw ConfigError(plot.place,
                        fmt::format("[pareto.{}]: needs cost and value, each \"bits\" or a figure that is "
                                    "measured, such as \"untimed.miss_rate\"",
                                    plot.name));
  for (const Measure& m : study.measures)
    for (const std::string& only : m.only)
      if (std::ranges::find(study.plots, only, &ParetoPlot::name) == study.plots.end())
        throw ConfigError(
            m.place, fmt::format("measure.{}.only = \"{}\": there is no [pareto.{}]", m.name, only, only));
}

}  // namespace

void check_parts(const Study& study, const std::vector<Grid>& grids, const std::string& names_place) {
  check_inputs(study, names_place);
  check_plots(study);
  check_grids(study, grids);
}

}  // namespace gen
