// Pictures and pages of `l1forge explore`, read back: every number and every length is that of the JSON.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "gen/files.h"
#include "gen/shell_line.h"
#include "verif/cli/chart_reader.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using nlohmann::json;
using Arguments = std::vector<std::string>;

const std::string bundled = verif::in_source("verif/traces/");
const std::string atax = bundled + "atax256_first_warps.rec.xz";
const std::string streamcluster = bundled + "streamcluster_two_launches.rec.xz";

// The end of a path, less its endings, as tables and pictures show it.
std::string short_name(const json& name) {
  const std::string file = std::filesystem::path(name.get<std::string>()).filename().string();
  return file.substr(0, file.find('.'));
}

std::string trace_of(const json& run) { return run.contains("trace") ? run["trace"] : run["requests"]; }

// A figure as a reader of the table or picture sees it.
struct Figure {
  std::function<double(const json&)> value;
  std::string format;

  std::string text(const json& run) const { return fmt::format(fmt::runtime(format), value(run)); }
};

std::function<double(const json&)> at(const std::string& path, double scale = 1) {
  return [=](const json& run) { return scale * run.at(json::json_pointer(path)).get<double>(); };
}

const std::map<std::string, std::pair<std::string, Figure>> figures{
    {"miss_rate", {"miss rate of loads, %", {at("/miss_rate", 100), "{:.2f} %"}}},
    {"cycles", {"cycles", {at("/cycles"), "{:.0f}"}}},
    {"reservation_fails", {"cycles with a failed reservation", {at("/reservation_fails"), "{:.0f}"}}},
    {"bytes_down",
     {"traffic towards the next level, KiB", {at("/traffic/bytes_down", 1.0 / 1024), "{:.1f} KiB"}}},
    {"bytes_up", {"traffic from the next level, KiB", {at("/traffic/bytes_up", 1.0 / 1024), "{:.1f} KiB"}}},
    {"mean_replicas", {"replicas of a line in other caches (mean)", {at("/mean_replicas"), "{:.2f}"}}},
};

// Median and 99th percentile of how long loads took.
std::function<std::string(const json&)> latency(const std::string& of) {
  return [=](const json& run) {
    const json& loads = run["latency"][of];
    return fmt::format("{}/{}", loads["median"].get<int>(), loads["percentile_99"].get<int>());
  };
}

std::function<std::string(const json&)> shown(std::function<double(const json&)> value,
                                              const std::string& format) {
  return [=](const json& run) { return Figure{value, format}.text(run); };
}

const std::map<std::string, std::function<std::string(const json&)>> columns{
    {"loads", shown(at("/loads"), "{:.0f}")},
    {"hit %", shown(at("/hit_rate", 100), "{:.2f}")},
    {"miss %", shown(at("/miss_rate", 100), "{:.2f}")},
    {"partial %", shown(
                      [](const json& run) {
                        return 100 * run["partial_misses"].get<double>() /
                               std::max(run["loads"].get<double>(), 1.0);
                      },
                      "{:.2f}")},
    {"packets", shown(at("/traffic/packets_down"), "{:.0f}")},
    {"KiB down", shown(at("/traffic/bytes_down", 1.0 / 1024), "{:.1f}")},
    {"KiB up", shown(at("/traffic/bytes_up", 1.0 / 1024), "{:.1f}")},
    {"sets' cv", shown(at("/set_load_distribution/coefficient_of_variation"), "{:.3f}")},
    {"replicas", shown(at("/mean_replicas"), "{:.2f}")},
    {"elsewhere %", shown(at("/replication_ratio", 100), "{:.2f}")},
    {"fails", shown(at("/reservation_fails"), "{:.0f}")},
    {"cycles", shown(at("/cycles"), "{:.0f}")},
    {"hits p50/p99", latency("hits")},
    {"others p50/p99", latency("others")},
};

// Every figure of every run, for the reader to choose from; returns their names.
std::vector<std::string> expect_compared(const json& compared, const json& runs) {
  std::vector<std::string> names;
  for (const json& figure : compared["figures"]) {
    const std::string name = figure["name"];
    names.push_back(name);
    if (!figures.contains(name)) {
      ADD_FAILURE() << "no figure is known of the name " << name;
      continue;
    }
    for (const json& run : runs) {
      const auto point = std::ranges::find_if(compared["points"], [&](const json& p) {
        return p["configuration"] == short_name(run["configuration"]);
      });
      if (point == compared["points"].end()) {
        ADD_FAILURE() << "no " << run["configuration"];
        continue;
      }
      const double shown = (*point)["figures"][short_name(trace_of(run))][name];
      EXPECT_NEAR(shown, figures.at(name).second.value(run), 1e-9) << name;
      EXPECT_THAT((*point)["command"].get<std::string>(), testing::StartsWith("l1forge explore "));
    }
  }
  return names;
}

// A bar for each figure of each run, with its number; within a trace lengths are as the figures.
void expect_bars(const std::string& svg, const std::vector<std::string>& names, const json& runs) {
  const std::vector<verif::Drawn> marks = verif::marks_of(svg);
  for (const std::string& name : names) {
    const auto& [title, figure] = figures.at(name);
    std::map<std::string, std::pair<double, double>> longest;  // by trace: width, value
    std::size_t next = 0;
    for (const json& run : runs) {
      const auto bar = std::ranges::find_if(marks, [&](const verif::Drawn& mark) {
        return mark.kind == "bar" && !mark.at(title).empty() &&
               mark.at("name") == short_name(run["configuration"]) &&
               std::abs(std::stod(mark.at(title)) - figure.value(run)) < 1e-6;
      });
      ASSERT_NE(bar, marks.end()) << name << " of " << run["configuration"];
      ++next;
      auto& [width, value] = longest[name == "miss_rate" ? "" : short_name(trace_of(run))];
      if (value > 0 && figure.value(run) > 0) {
        EXPECT_NEAR(bar->width / width, figure.value(run) / value, 0.001) << name;
      } else if (figure.value(run) > 0) {
        width = bar->width, value = figure.value(run);
      }
      EXPECT_THAT(svg, testing::HasSubstr(">" + figure.text(run) + "</text>"));
    }
    EXPECT_EQ(
        std::ranges::count_if(
            marks, [&](const verif::Drawn& mark) { return mark.kind == "bar" && !mark.at(title).empty(); }),
        static_cast<std::ptrdiff_t>(next))
        << name;
  }
}

void expect_set_loads(const verif::PageChart& chart, const json& runs) {
  std::size_t cells = 0;
  for (const json& run : runs) {
    const auto loads = run["set_loads"].get<std::vector<double>>();
    const double mean = std::accumulate(loads.begin(), loads.end(), 0.0) / static_cast<double>(loads.size());
    for (std::size_t set = 0; set < loads.size(); ++set, ++cells) {
      ASSERT_LT(cells, chart.rows().size());
      const json& cell = chart.rows()[cells];
      EXPECT_EQ(cell["trace"], short_name(trace_of(run)));
      EXPECT_EQ(cell["configuration"], short_name(run["configuration"]));
      EXPECT_EQ(cell["set"], set);
      EXPECT_EQ(cell["loads"], loads[set]);
      EXPECT_NEAR(cell["times the mean"].get<double>(), mean > 0 ? loads[set] / mean : 0, 1e-9);
    }
  }
  EXPECT_EQ(cells, chart.rows().size());
}

// A curve a run with the miss rate of each part of it.
void expect_curves(const json& curves, const json& runs) {
  std::size_t next = 0;
  for (const json& run : runs) {
    if (!run.contains("timeline")) {  // of runs without decisions the JSON has none
      const std::string name = short_name(run["configuration"]);
      while (next < curves.size() && curves[next]["configuration"] == name) ++next;
      continue;
    }
    const auto loads = run["timeline"]["loads"].get<std::vector<double>>();
    const auto misses = run["timeline"]["misses"].get<std::vector<double>>();
    double at = 0;
    for (std::size_t part = 0; part <= loads.size(); ++part) {
      ASSERT_LT(next, curves.size());
      EXPECT_EQ(curves[next]["configuration"], short_name(run["configuration"]));
      EXPECT_EQ(curves[next]["at"], at);
      const std::size_t of = std::min(part, loads.size() - 1);
      EXPECT_NEAR(curves[next++]["value"].get<double>(), 100 * misses[of] / loads[of], 1e-9);
      if (part < loads.size()) at += loads[part];
    }
  }
  EXPECT_EQ(next, curves.size());
}

// A row for each address bit that was ever in an adaptive index, with bars from the load on with which it
// came to the one with which it left.
void expect_decisions(const json& bars, const json& run) {
  const json& history = run["adi_history"];
  std::set<std::string> bits, rows;
  for (const json& bar : bars) rows.insert(bar["value"].get<std::string>());
  for (std::size_t i = 0; i < history.size(); ++i) {
    const double from = history[i]["loads"].get<double>();
    const double to =
        i + 1 < history.size() ? history[i + 1]["loads"].get<double>() : run["loads"].get<double>();
    for (const json& number : history[i]["sel"]) {
      bits.insert(number.dump());
      EXPECT_TRUE(std::ranges::any_of(bars,
                                      [&](const json& bar) {
                                        return bar["value"] == number.dump() && bar["from"] <= from + 0.01 &&
                                               bar["to"] >= to - 0.01;
                                      }))
          << "bit " << number << " from " << from << " to " << to;
    }
  }
  EXPECT_EQ(rows, bits);
}

// The first table of the page: figures, a row a run.
void expect_table(const std::string& html, const json& runs) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& element : verif::read_svg(html.substr(0, html.find("</table>")))) {
    if (element.tag == "tr") rows.emplace_back();
    if (element.tag == "th" || element.tag == "td") rows.back().push_back(element.text);
    if (element.tag == "td") {
      EXPECT_EQ(element["data-label"], rows[0][rows.back().size() - 1]);
    }
  }
  ASSERT_EQ(rows.size(), 1 + runs.size());
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto& row = rows[1 + r];
    ASSERT_EQ(row.size(), rows[0].size());
    EXPECT_EQ(row[0], short_name(trace_of(runs[r])));
    EXPECT_EQ(row[1], short_name(runs[r]["configuration"]));
    for (std::size_t i = 2; i < row.size(); ++i) {
      ASSERT_TRUE(columns.contains(rows[0][i])) << rows[0][i];
      EXPECT_EQ(row[i], columns.at(rows[0][i])(runs[r])) << rows[0][i];
    }
  }
}

struct Reports {
  json runs;
  std::string svg, page;
};

Reports reports_of(Arguments arguments) {
  const verif::TempFolder folder;
  Reports reports;
  arguments.insert(arguments.begin(), "explore");
  for (const char* ending : {"svg", "html"}) {
    if (ending == std::string("svg") && !verif::can_draw()) continue;
    Arguments call = arguments;
    call.insert(call.end(),
                {"--json", folder.path("a.json"), "--html", folder.path(std::string("a.") + ending)});
    const auto run = verif::l1forge(call);
    EXPECT_EQ(run.status, 0) << run.output;
  }
  reports.runs = json::parse(gen::read_file(folder.path("a.json")))["runs"];
  if (verif::can_draw()) reports.svg = gen::read_file(folder.path("a.svg"));
  reports.page = gen::read_file(folder.path("a.html"));
  return reports;
}

// Both forms. Returns the figures that the page compares, and the titles of its other charts.
std::vector<std::string> expect_same_figures(const Reports& r) {
  expect_table(r.page.substr(r.page.find("<table>", r.page.find("<body>"))), r.runs);
  std::vector<std::string> names = expect_compared(verif::comparison_of(r.page), r.runs);
  if (!r.svg.empty()) expect_bars(r.svg, names, r.runs);
  for (const verif::PageChart& chart : verif::charts_of(r.page)) {
    names.push_back(chart.title);
    if (chart.title == "Loads of each set") {
      expect_set_loads(chart, r.runs);
    } else if (chart.title.starts_with("Miss rate in the course of a run")) {
      expect_curves(chart.spec["vconcat"][0]["data"]["values"], r.runs);
      std::size_t view = 1;
      for (const json& run : r.runs)
        if (run.contains("adi_history"))
          expect_decisions(chart.spec["vconcat"][view++]["data"]["values"], run);
    } else {
      ADD_FAILURE() << "no figures are known for the chart " << chart.title;
    }
    if (!r.svg.empty()) {
      EXPECT_THAT(r.svg, testing::HasSubstr(">" + chart.title.substr(0, 30)));
    }
  }
  return names;
}

}  // namespace

TEST(ExplorePictures, CachesOfSeveralSms) {
  const auto reports = reports_of({"l1d", "l1d_sectored", "--trace", streamcluster, atax, "--sms", "2"});
  EXPECT_THAT(expect_same_figures(reports),
              testing::ElementsAre("miss_rate", "cycles", "reservation_fails", "bytes_down", "bytes_up",
                                   "mean_replicas", "Loads of each set"));
  EXPECT_THAT(reports.page, testing::HasSubstr("<p>2 SMs, a cache each. "));
  if (reports.svg.empty()) GTEST_SKIP() << verif::no_drawing;
}

TEST(ExplorePictures, AdaptiveIndexInTheTimelineOfARun) {
  const auto reports =
      reports_of({"l1d", "l1d_adi", "--untimed", "--trace", atax, "-s", "adaptive.period=250", "-s",
                  "adaptive.counter_bits=8", "-s", "adaptive.idle=1000"});
  EXPECT_THAT(expect_same_figures(reports),
              testing::Contains("Miss rate in the course of a run: atax256_first_warps"));
  EXPECT_THAT(reports.page, testing::HasSubstr("<p>1 SM. "));
}

TEST(ExplorePictures, Topologies) {
  const verif::TempFolder folder;
  Arguments arguments;
  for (const std::string kind : {"baseline", "private_nodes", "shared_nodes"})
    arguments.push_back(folder.write(kind + ".toml", "preset = \"dc_l1\"\n[topology]\nkind = \"" + kind +
                                                         "\"\ncores = 8\nnodes = 4\nslices = 4\n"
                                                         "clusters = 2\n"));
  arguments.insert(arguments.end(), {"--trace", streamcluster});
  const auto reports = reports_of(arguments);
  EXPECT_THAT(expect_same_figures(reports), testing::Contains("mean_replicas"));
  EXPECT_GT(reports.runs[0]["mean_replicas"], reports.runs[1]["mean_replicas"]);
  EXPECT_EQ(reports.runs[2]["mean_replicas"], 0);
  EXPECT_THAT(reports.page, testing::HasSubstr("<p>8 cores with 8 caches; 8 cores with 4 caches. "));
}

TEST(ExplorePictures, ARequestList) {
  const verif::TempFolder folder;
  const std::string list = folder.write("list", "L 0 1\nL 80 f\nL 0 1\nS 0 3\nL 1000 8\nA 80 1\n");
  expect_same_figures(reports_of({"l1d", "l1d_sectored", "--requests", list}));
}

TEST(ExplorePictures, KeysThatDifferAndTheBaseline) {
  const verif::TempFolder folder;
  const std::string list = folder.write("list", "L 0 1\nL 80 f\n");
  const json compared = verif::comparison_of(reports_of({"l1d", "l1d_tsc", "--requests", list}).page);
  EXPECT_EQ(compared["baseline"], "l1d");
  EXPECT_THAT(compared["keys"].get<std::vector<std::string>>(), testing::Contains("tags.kind"));
  EXPECT_EQ(compared["points"][1]["keys"]["tags.kind"], "split");
  EXPECT_EQ(compared["points"][1]["command"], "l1forge explore l1d_tsc --requests " + list);
}

// Pages are written without the library, pictures are refused before anything runs.
TEST(ExplorePictures, WithoutTheLibrary) {
  const verif::TempFolder folder;
  const std::string list = folder.write("list", "L 0 1\n");
  const auto explored = [&](const std::string& file) {
    return verif::l1forge({"explore", "l1d", "--requests", list, "--html", folder.path(file)}, {},
                          {{"VL_CONVERT_DIR", folder.path("none")}});
  };
  const auto page = explored("a.html"), picture = explored("a.svg");
  const std::string missing = "no vl-convert in " + folder.path("none") +
                              ": ./forge charts fetches it, VL_CONVERT_DIR names another folder\n";
  EXPECT_EQ(page.status, 0);
  EXPECT_THAT(page.output, testing::HasSubstr("l1forge: pages without charts: " + missing));
  EXPECT_THAT(folder.content("a.html"), testing::HasSubstr("Charts are left out"));
  EXPECT_EQ(picture.status, 2);
  EXPECT_EQ(picture.output, "l1forge: " + missing);
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.svg")));
}

TEST(ExplorePictures, APageSaysWhatMadeIt) {
  const verif::TempFolder folder;
  const std::string list = folder.write("a list", "L 0 1\n"), page = folder.path("a.html");
  const auto run = verif::l1forge({"explore", "l1d", "l1d_dsc", "--requests", list, "--html", page});
  ASSERT_TRUE(run.ok()) << run.output;
  const std::string text = gen::read_file(page);
  EXPECT_THAT(text, testing::HasSubstr(fmt::format(
                        "<code>l1forge explore l1d l1d_dsc --requests '{}' --html {}</code>", list, page)));
  const std::string version = verif::l1forge({"--version"}).output;
  EXPECT_THAT(text, testing::HasSubstr("<p>" + version.substr(0, version.find('\n')) + "</p>"));
  const std::size_t differ = text.find("Parameters that differ"), common = text.find("Parameters of all");
  const std::size_t kind = text.find(
      "tags.kind</th><td class=\"word\" data-label=\"l1d\">&quot;conventional&quot;</td>"
      "<td class=\"word\" data-label=\"l1d_dsc\">&quot;decoupled&quot;</td>");
  const std::size_t line =
      text.find("geometry.line_bytes</th><td class=\"word\" data-label=\"value\">128</td>");
  EXPECT_LT(differ, kind);
  EXPECT_LT(kind, common);
  EXPECT_LT(common, line);
  EXPECT_NE(line, std::string::npos);
}

TEST(ExplorePictures, CallsAreQuotedForAShell) {
  EXPECT_EQ(gen::shell_word("index.sets=64"), "index.sets=64");
  EXPECT_EQ(gen::shell_word(""), "''");
  EXPECT_EQ(gen::shell_word("index.taps=[[0], [1]]"), "'index.taps=[[0], [1]]'");
  EXPECT_EQ(gen::shell_word("it's"), "'it'\\''s'");
}
