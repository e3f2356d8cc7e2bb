// Pictures of the closed loop, of the models by explore and of the Verilog by cosim --trace: phase, limit,
// sel, miss rate and IPC over the cycles are read back from the charts and compared with the JSON, one
// against the other.
#include <gmock/gmock.h>

#include <map>

#include "gen/cosim/timeline.h"
#include "gen/paths.h"
#include "gen/process.h"
#include "verif/cli/chart_reader.h"
#include "verif/l1d/lock_step.h"
#include "verif/run_l1forge.h"

namespace {

using nlohmann::json;
using Numbers = std::vector<double>;

constexpr double fine = 1e-6;
const std::string streamcluster =
    (gen::paths::source() / "verif/traces/streamcluster_two_launches.rec.xz").string();
// Short periods, so that there is a timeline to see; the second test of closed_loop_test.cpp runs the same
// cache.
const std::vector<std::string> settings{"iacm.period=200",    "iacm.adi_idle=200", "iacm.order=parallel",
                                        "adaptive.period=64", "limit.scope=core",  "limit.warps=48"};

// The view of a chart whose title, or whose axis, has these words.
json view_of(const json& spec, const std::string& words) {
  for (const json& view : spec["vconcat"]) {
    if (view.contains("title") && view["title"]["text"][0] == words) return view;
    if (view["encoding"]["y"].value("title", json()) == words) return view;
  }
  ADD_FAILURE() << "no '" << words << "' in the chart";
  return {};
}

// The timeline in a run's JSON.
class Timeline {
 public:
  explicit Timeline(const json& run) : run_(run), parts_(run["timeline"]) {
    for (const double cycles : list("cycles")) cycles_ += cycles;
  }

  Numbers list(const char* name) const { return parts_[name].get<Numbers>(); }
  double cycles() const { return cycles_; }

  // The cycle at which so many loads had been served.
  double cycle_of(double loads) const {
    double cycle = 0;
    const Numbers all_loads = list("loads"), all_cycles = list("cycles");
    for (std::size_t i = 0; i < all_loads.size(); loads -= all_loads[i], cycle += all_cycles[i], ++i)
      if (loads <= all_loads[i]) return cycle + all_cycles[i] * loads / all_loads[i];
    return cycle;
  }

  // A curve of steps, each as high as `of` / `by` in that part.
  void expect_curve(const json& view, const char* of, const char* by, double scale) const {
    const json& points = view["data"]["values"];
    double cycle = 0;
    const Numbers above = list(of), below = list(by), time = list("cycles");
    ASSERT_EQ(points.size(), time.size() + 1) << of;
    EXPECT_EQ(view["mark"]["interpolate"], "step-after");
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::size_t part = std::min(i, time.size() - 1);
      EXPECT_NEAR(points[i]["at"].get<double>(), cycle, fine) << of << " of part " << i;
      EXPECT_NEAR(points[i]["value"].get<double>(), scale * above[part] / below[part], fine) << of << i;
      if (i < time.size()) cycle += time[i];
    }
  }

  // The rows of a view, a number or a word each: a bar begins and ends where the history has it, and all
  // of the history lies under bars.
  void expect_rows(const json& spec, const std::string& title, const char* name, const char* key) const {
    Rows drawn;
    const json view = view_of(spec, title);
    for (const json& bar : view["data"]["values"]) drawn[bar["value"]].emplace_back(bar["from"], bar["to"]);
    const Rows held = bars_of(run_[name], key);
    ASSERT_EQ(drawn.size(), held.size()) << title;
    for (const auto& [label, stays] : held) {
      const Bars& bars = drawn.at(label);
      for (const auto& [from, to] : stays)
        EXPECT_TRUE(std::ranges::any_of(
            bars, [&](const auto& bar) { return bar.first <= from + fine && bar.second >= to - fine; }))
            << title << " " << label << " from " << from << " to " << to;
      for (const auto& [from, to] : bars) {
        const auto near = [](double place, double end) { return std::abs(place - end) < fine; };
        EXPECT_TRUE(std::ranges::any_of(stays, [&](const auto& stay) { return near(stay.first, from); }))
            << title << " " << label << " from " << from;
        EXPECT_TRUE(std::ranges::any_of(stays, [&](const auto& stay) { return near(stay.second, to); }))
            << title << " " << label << " to " << to;
      }
    }
  }

  void expect_drawn(const json& spec) const {
    expect_curve(spec["vconcat"][0], "misses", "loads", 100);
    expect_curve(view_of(spec, "thread instructions a cycle"), "thread_instructions", "cycles", 1);
    expect_rows(spec, "address bits of its index", "adi_history", "sel");
    expect_rows(spec, "warps that may issue", "limit_history", "limit");
    expect_rows(spec, "what adapts", "phase_history", "phase");
    EXPECT_EQ(spec["vconcat"][0]["encoding"]["x"]["scale"]["domain"][1], cycles_);
  }

 private:
  using Bars = std::vector<std::pair<double, double>>;  // from, to
  using Rows = std::map<std::string, Bars>;

  Rows bars_of(const json& history, const char* key) const {
    Rows rows;
    for (std::size_t k = 0; k < history.size(); ++k) {
      const double from = cycle_of(history[k]["loads"]),
                   to = k + 1 < history.size() ? cycle_of(history[k + 1]["loads"]) : cycles_;
      const json& value = history[k][key];
      for (const json& one : value.is_array() ? value : json::array({value}))
        rows[one.is_string() ? one.get<std::string>() : one.dump()].emplace_back(from, to);
    }
    return rows;
  }

  const json run_, parts_;
  double cycles_ = 0;
};

TEST(TimelinePicture, OfTheModelsAndOfTheVerilog) {
  const gen::TempDir work("timeline");
  std::vector<std::string> explore{"explore", "l1d_iacm", "--trace", streamcluster,
                                   "--json",  "m.json",   "--html",  "m.html"};
  for (const std::string& setting : settings) explore.insert(explore.end(), {"-s", setting});
  const gen::Finished done = verif::l1forge(explore, work.path());
  ASSERT_EQ(done.status, 0) << done.output;
  const json model = json::parse(gen::read_file(work / "m.json"))["runs"][0];
  Timeline(model).expect_drawn(verif::charts_of(gen::read_file(work / "m.html"))[0].spec);

  const std::string svg = verif::can_draw() ? (work / "v.svg").string() : "";
  const auto run = verif::lock_step(gen::load_config("l1d_iacm", settings),
                                    {.traces = {streamcluster}, .svg = svg, .coverage = false});
  ASSERT_EQ(run.status, 0) << run.report.dump(1);
  const json& verilog = run.report["traces"][0];
  const auto charts = gen::timeline_charts("l1d_iacm", run.report);
  ASSERT_EQ(charts.size(), 1u);
  Timeline(verilog).expect_drawn(charts[0].spec);
  if (!svg.empty()) {
    EXPECT_EQ(gen::read_file(svg), gen::picture_of(charts));
  }

  // The Verilog's run has one cycle more before its first request.
  json timeline = model["timeline"];
  timeline["cycles"][0] = timeline["cycles"][0].get<int>() + 1;
  EXPECT_EQ(verilog["timeline"], timeline);
  for (const char* name : {"adi_history", "limit_history", "phase_history"}) {
    ASSERT_EQ(verilog[name].size(), model[name].size()) << name;
    ASSERT_GT(model[name].size(), 3u) << name;
    for (std::size_t i = 0; i < model[name].size(); ++i)
      EXPECT_NEAR(verilog[name][i]["loads"].get<int>(), model[name][i]["loads"].get<int>(), 1) << name << i;
  }
}

TEST(TimelinePicture, Refusals) {
  const auto refusal = [](const std::vector<std::string>& arguments) {
    const gen::TempDir work("refused");
    const gen::Finished done = verif::l1forge(arguments, work.path());
    EXPECT_EQ(done.status, 2);
    return done.output;
  };
  EXPECT_THAT(
      refusal({"cosim", "l1d", "--random", "10", "--svg", "a.svg"}),
      testing::HasSubstr("--svg: draws how traces went on a cache; give a cache, and traces with --trace"));
  EXPECT_THAT(refusal({"cosim", "l1d", "--trace", streamcluster, "--svg", "-"}),
              testing::HasSubstr("--svg: needs a file's name; --json - goes to standard output"));
}

}  // namespace
