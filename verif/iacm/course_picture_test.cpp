// Pictures of the closed loop, of the models by explore and of the Verilog by cosim --trace: phase, limit,
// sel, miss rate and IPC over the cycles are read back from the SVG and compared with the JSON, one against
// the other.
#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "gen/drawing.h"
#include "gen/paths.h"
#include "gen/process.h"
#include "verif/cli/run_l1forge.h"
#include "verif/cli/svg_reader.h"
#include "verif/l1d/lock_step.h"

namespace {

using nlohmann::json;
using Elements = std::vector<verif::SvgElement>;
using Numbers = std::vector<double>;

constexpr double left = gen::picture_area.left, width = gen::picture_area.width;  // of the plots
constexpr double fine = 0.11, shortest = 0.3;  // how finely bars are drawn, and the shortest
const std::string streamcluster =
    (gen::paths::source() / "verif/traces/streamcluster_two_launches.rec.xz").string();
// Short periods, so that there is a timeline to see; the second test of closed_loop_test.cpp runs the same
// cache.
const std::vector<std::string> settings{"iacm.period=200",    "iacm.adi_idle=200", "iacm.order=parallel",
                                        "adaptive.period=64", "limit.scope=core",  "limit.warps=48"};

std::size_t place_of(const Elements& picture, const std::string& words) {
  for (std::size_t i = 0; i < picture.size(); ++i)
    if (picture[i].text == words) return i;
  ADD_FAILURE() << "no '" << words << "' in the picture";
  return picture.size();
}

// The timeline in a run's JSON.
class Course {
 public:
  explicit Course(const json& run) : run_(run), parts_(run["timeline"]) {
    for (const double cycles : list("cycles")) cycles_ += cycles;
  }

  Numbers list(const char* name) const { return parts_[name].get<Numbers>(); }
  double x(double cycle) const { return left + width * cycle / cycles_; }
  double cycles() const { return cycles_; }

  // The cycle at which so many loads had been served.
  double cycle_of(double loads) const {
    double cycle = 0;
    const Numbers all_loads = list("loads"), all_cycles = list("cycles");
    for (std::size_t i = 0; i < all_loads.size(); loads -= all_loads[i], cycle += all_cycles[i], ++i)
      if (loads <= all_loads[i]) return cycle + all_cycles[i] * loads / all_loads[i];
    return cycle;
  }

  // A curve of steps, each as high as `of` / `by` in that part between the lines of 0 and `most`.
  void expect_curve(const Elements& picture, std::size_t from, const char* of, const char* by,
                    const std::string& highest, double most) const {
    double bottom = 0, top = 0;
    std::size_t at = from;
    for (; at < picture.size() && picture[at].tag != "polyline"; ++at) {
      if (picture[at].tag != "line") continue;
      (picture[at + 1].text == highest ? top : bottom) =
          picture[at + 1].text == highest || bottom == 0 ? picture[at].number("y1") : bottom;
    }
    ASSERT_LT(at, picture.size()) << of;
    ASSERT_GT(bottom, top) << of;
    std::istringstream points(picture[at]["points"]);
    double px = 0, py = 0, cycle = 0;
    char comma = 0;
    const Numbers above = list(of), below = list(by), time = list("cycles");
    for (std::size_t i = 0; i < time.size(); ++i)
      for (int end = 0; end < 2; ++end) {
        ASSERT_TRUE(points >> px >> comma >> py);
        if (end) cycle += time[i];
        EXPECT_NEAR(px, x(cycle), fine) << of << " of part " << i;
        EXPECT_NEAR((bottom - py) / (bottom - top), above[i] / below[i] / most, 0.002) << of << i;
      }
    EXPECT_FALSE(points >> px) << of;
  }

  // The rows under a title, a number or a word each: a bar begins and ends where the history has it, and all
  // of the history lies under bars.
  void expect_rows(const Elements& picture, const std::string& title, const char* name,
                   const char* key) const {
    const Rows drawn = bars_below(picture, place_of(picture, title)), held = bars_of(run_[name], key);
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
        EXPECT_TRUE(std::ranges::any_of(
            stays,
            [&](const auto& stay) { return near(stay.second, to) || to - stay.first < shortest + fine; }))
            << title << " " << label << " to " << to;
      }
    }
  }

  void expect_drawn(const std::string& svg) const {
    const Elements picture = verif::read_svg(svg);
    expect_curve(picture, 0, "misses", "loads", "100 %", 1);
    double most = 0;
    const Numbers issued = list("thread_instructions"), time = list("cycles");
    for (std::size_t i = 0; i < time.size(); ++i) most = std::max(most, issued[i] / time[i]);
    expect_curve(picture, place_of(picture, "thread instructions a cycle"), "thread_instructions", "cycles",
                 fmt::format("{:.1f}", most), most);
    expect_rows(picture, "address bits of its index", "adi_history", "sel");
    expect_rows(picture, "warps that may issue", "limit_history", "limit");
    expect_rows(picture, "what adapts", "phase_history", "phase");
    EXPECT_EQ(picture[place_of(picture, "cycle 0") + 1].text, fmt::format("{:.0f}", cycles_));
  }

 private:
  using Bars = std::vector<std::pair<double, double>>;  // from, to
  using Rows = std::map<std::string, Bars>;

  static Rows bars_below(const Elements& picture, std::size_t title) {
    Rows rows;
    std::string row;
    for (std::size_t at = title + 1; at < picture.size(); ++at) {
      const double x = picture[at].number("x");
      if (picture[at].is("font-size", "12"))
        row = picture[at].text;
      else if (picture[at].tag == "rect")
        rows[row].emplace_back(x, x + picture[at].number("width"));
      else
        break;
    }
    return rows;
  }

  Rows bars_of(const json& history, const char* key) const {
    Rows rows;
    for (std::size_t k = 0; k < history.size(); ++k) {
      const double from = x(cycle_of(history[k]["loads"])),
                   to = k + 1 < history.size() ? x(cycle_of(history[k + 1]["loads"])) : left + width;
      const json& value = history[k][key];
      for (const json& one : value.is_array() ? value : json::array({value}))
        rows[one.is_string() ? one.get<std::string>() : one.dump()].emplace_back(from, to);
    }
    return rows;
  }

  const json run_, parts_;
  double cycles_ = 0;
};

TEST(CoursePicture, OfTheModelsAndOfTheVerilog) {
  const gen::TempDir work("course");
  std::vector<std::string> explore{"explore", "l1d_iacm", "--trace", streamcluster,
                                   "--json",  "m.json",   "--html",  "m.svg"};
  for (const std::string& setting : settings) explore.insert(explore.end(), {"-s", setting});
  const gen::Finished done = verif::l1forge(explore, work.path());
  ASSERT_EQ(done.status, 0) << done.output;
  const json model = json::parse(gen::read_file(work / "m.json"))["runs"][0];
  Course(model).expect_drawn(gen::read_file(work / "m.svg"));

  const auto run =
      verif::lock_step(gen::load_config("l1d_iacm", settings),
                       {.traces = {streamcluster}, .svg = (work / "v.svg").string(), .coverage = false});
  ASSERT_EQ(run.status, 0) << run.report.dump(1);
  const json& verilog = run.report["traces"][0];
  Course(verilog).expect_drawn(gen::read_file(work / "v.svg"));

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

TEST(CoursePicture, Refusals) {
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
