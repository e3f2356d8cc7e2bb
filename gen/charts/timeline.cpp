#include "gen/charts/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "gen/share.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;
using Part = golden::Timeline::Part;

constexpr int plot_height_of_lines = 120, row_step = 16;
constexpr std::size_t cells = 360;  // of a row whose value comes and goes too often for bars of its own

Part total_of(const TimelineRun& run) {
  Part total;
  for (const Part& part : *run.parts) total = total + part;
  return total;
}

bool has_limit(const TimelineRun& run) {
  return std::ranges::any_of(*run.histories, [](const auto& h) { return h.name == "limit_history"; });
}

// How much of each cell of the axis a value holds.
class Density {
 public:
  void add(double from, double to) {
    for (auto i = static_cast<std::size_t>(from); i < shares_.size() && static_cast<double>(i) < to; ++i)
      shares_[i] += std::min(to, static_cast<double>(i + 1)) - std::max(from, static_cast<double>(i));
  }

  // Calls `bar` with the first and the last cell and the share of neighbours that look alike.
  template <class Bar>
  void bars(const Bar& bar) const {
    constexpr double levels = 16;
    for (std::size_t first = 0, last; first < shares_.size(); first = last) {
      const double level = std::ceil(shares_[first] * levels - 0.01);
      for (last = first + 1; last < shares_.size() && std::ceil(shares_[last] * levels - 0.01) == level;)
        ++last;
      if (level > 0) bar(first, last, std::min(1.0, level / levels));
    }
  }

 private:
  std::array<double, cells> shares_{};
};

class TimelineChart {
 public:
  explicit TimelineChart(const std::vector<TimelineRun>& runs)
      : runs_(runs), by_time_(std::ranges::any_of(runs, has_limit)) {
    for (const TimelineRun& run : runs) {
      by_time_ &= total_of(run).cycles > 0;
      names_.push_back(run.name);
    }
    for (const TimelineRun& run : runs) most_ = std::max(most_, extent(total_of(run)));
  }

  Json rates() const {
    return lines(
        "miss rate, %", [](const Part& part) { return 100 * share(part.misses, part.loads); }, 100);
  }

  bool has_instructions() const {
    return by_time_ && std::ranges::any_of(runs_, [](const TimelineRun& run) {
             return std::ranges::any_of(*run.parts, [](const Part& part) { return part.issued > 0; });
           });
  }
  Json instructions() const {
    return lines("thread instructions a cycle",
                 [](const Part& part) { return share(part.issued, part.cycles); });
  }

  // A row a number that is ever in the value; a bar while it is.
  Json decisions(const TimelineRun& run, const golden::History& decided) const {
    constexpr std::size_t most_bars = cells / 3;  // of a row, to be seen apart
    Json rows = Json::array(), labels = Json::array();
    bool dense = false;
    const auto bars = bars_of(run, decided);
    for (auto row = bars.rbegin(); row != bars.rend(); ++row) {
      const std::string label = decided.label(row->first);
      labels.push_back(label);
      const auto add = [&](double from, double to, double share) {
        rows.push_back(
            {{"configuration", run.name}, {"value", label}, {"from", from}, {"to", to}, {"share", share}});
      };
      if (row->second.size() > most_bars) {
        dense = true;
        const double cell = static_cast<double>(std::max<std::uint64_t>(most_, 1)) / cells;
        Density density;
        for (const auto& [from, to] : row->second) density.add(from / cell, to / cell);
        density.bars([&](std::size_t first, std::size_t last, double share) {
          add(static_cast<double>(first) * cell, static_cast<double>(last) * cell, share);
        });
      } else {
        for (const auto& [from, to] : row->second) add(from, to, 1);
      }
    }
    Json axis = axis_of_names();
    axis["grid"] = true;
    return {{"data", {{"values", rows}}},
            {"title",
             {{"text", lines_of(decided.title + (dense ? "; darker: for more of the time" : ""), 50)},
              {"fontSize", 12},
              {"fontWeight", "normal"}}},
            {"height", {{"step", row_step}}},
            {"mark", {{"type", "bar"}, {"height", row_step - 2}, {"aria", false}}},
            {"encoding",
             {{"x", x_of("from")},
              {"x2", {{"field", "to"}}},
              {"y", {{"field", "value"}, {"type", "nominal"}, {"sort", labels}, {"axis", axis}}},
              {"color", colour()},
              {"opacity",
               {{"field", "share"},
                {"type", "quantitative"},
                {"scale", {{"domain", {0, 1}}, {"range", {0, 1}}}},
                {"legend", nullptr}}},
              {"tooltip",
               {{{"field", "configuration"}},
                {{"field", "value"}},
                {{"field", "from"}, {"format", ",.0f"}},
                {{"field", "to"}, {"format", ",.0f"}}}}}}};
  }

 private:
  // From where on the axis to where the value has each number.
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

  // Where on the axis each change lies, and the end of the run; a part's loads are spread over it evenly.
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
      out.push_back(static_cast<double>(extent(before)) + within);
    }
    out.push_back(static_cast<double>(extent(total_of(run))));
    return out;
  }

  Json x_of(const char* field) const {
    return {{"field", field},
            {"type", "quantitative"},
            {"title", by_time_ ? "cycle" : "load"},
            {"scale", {{"domain", {0, std::max<std::uint64_t>(most_, 1)}}, {"nice", false}}},
            {"axis", axis_of_numbers(5)}};
  }

  // A colour a configuration; of more than there are colours, none.
  Json colour() const {
    if (names_.size() == 1 || names_.size() > most_colours) return {{"value", palette()[0]}};
    Json colours = Json::array();
    for (std::size_t i = 0; i < names_.size(); ++i) colours.push_back(palette()[i]);
    return {{"field", "configuration"},
            {"type", "nominal"},
            {"title", nullptr},
            {"scale", {{"domain", names_}, {"range", colours}}},
            {"legend", {{"orient", "top"}, {"columns", 1}}}};
  }

  // Each part of a run as high as `height`.
  template <class Height>
  Json lines(const char* title, const Height& height, double top = 0) const {
    Json rows = Json::array();
    for (const TimelineRun& run : runs_) {
      Part before;
      double last = 0;
      const auto add = [&](double value) {
        rows.push_back({{"configuration", run.name}, {"at", extent(before)}, {"value", value}});
      };
      for (const Part& part : *run.parts) {
        add(last = height(part));
        before = before + part;
      }
      add(last);
    }
    Json y{{"field", "value"}, {"type", "quantitative"}, {"title", title}, {"axis", {{"tickCount", 4}}}};
    if (top > 0) y["scale"] = {{"domain", {0, top}}};
    return {
        {"data", {{"values", rows}}},
        {"height", plot_height_of_lines},
        {"mark", {{"type", "line"}, {"interpolate", "step-after"}, {"strokeWidth", 1.5}, {"tooltip", true}}},
        {"encoding",
         {{"x", x_of("at")},
          {"y", y},
          {"detail", {{"field", "configuration"}}},
          {"color", colour()},
          {"opacity", chosen_opacity()}}}};
  }

  const std::vector<TimelineRun>& runs_;
  std::vector<std::string> names_;
  bool by_time_;
  std::uint64_t most_ = 0;
};

}  // namespace

Chart timeline_chart(const std::string& title, const std::vector<TimelineRun>& runs) {
  const TimelineChart timeline(runs);
  Json views = Json::array({timeline.rates()});
  if (timeline.has_instructions()) views.push_back(timeline.instructions());
  for (const TimelineRun& run : runs)
    for (const golden::History& history : *run.histories) views.push_back(timeline.decisions(run, history));
  // One axis for all.
  for (std::size_t n = 0; n + 1 < views.size(); ++n) {
    Json& x = views[n]["encoding"]["x"];
    x["title"] = nullptr;
    x["axis"].update({{"labels", false}, {"ticks", false}});
  }
  return {title, {{"vconcat", views}, {"spacing", 8}}};
}

}  // namespace gen
