// Pictures and pages of `l1forge explore`, read back: every number and every length is that of the JSON.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "gen/drawing.h"
#include "gen/files.h"
#include "gen/shell_line.h"
#include "verif/cli/run_l1forge.h"
#include "verif/cli/svg_reader.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using nlohmann::json;
using Arguments = std::vector<std::string>;
using Elements = std::vector<verif::SvgElement>;

constexpr double left = gen::picture_area.left, plot = gen::picture_area.width;

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

const std::map<std::string, Figure> bars{
    {"Miss rate of loads", {at("/miss_rate", 100), "{:.2f} %"}},
    {"Cycles", {at("/cycles"), "{:.0f}"}},
    {"Cycles with a failed reservation", {at("/reservation_fails"), "{:.0f}"}},
    {"Traffic towards the next level", {at("/traffic/bytes_down", 1.0 / 1024), "{:.1f} KiB"}},
    {"Traffic from the next level", {at("/traffic/bytes_up", 1.0 / 1024), "{:.1f} KiB"}},
    {"Replicas of a line in other caches (mean)", {at("/mean_replicas"), "{:.2f}"}},
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

// Bars as wide as their figures, in the order of the runs; the longest of a trace (or of all, where they are
// rates) is as wide as the plot.
void expect_bars(const std::string& title, const Elements& chart, const json& runs) {
  const Figure& figure = bars.at(title);
  const bool together = title == "Miss rate of loads";
  std::vector<verif::SvgElement> rects, labels, numbers;
  for (std::size_t i = 0; i < chart.size(); ++i) {
    if (chart[i].tag != "rect") continue;
    labels.push_back(chart[i - 1]);
    rects.push_back(chart[i]);
    numbers.push_back(chart[i + 1]);
  }
  ASSERT_EQ(rects.size(), runs.size()) << title;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    double most = 0;
    for (const json& other : runs)
      if (together || trace_of(other) == trace_of(runs[i])) most = std::max(most, figure.value(other));
    EXPECT_EQ(labels[i].text, short_name(runs[i]["configuration"])) << title;
    EXPECT_EQ(numbers[i].text, figure.text(runs[i])) << title;
    const double width = most > 0 ? plot * figure.value(runs[i]) / most : 0;
    EXPECT_NEAR(rects[i].number("width"), width, 0.06) << title;
    EXPECT_NEAR(numbers[i].number("x"), rects[i].number("x") + width + 6, 0.06) << title;
  }
}

void expect_strips(const Elements& chart, const json& runs) {
  Elements words, rects;
  for (const auto& element : chart) (element.tag == "text" ? words : rects).push_back(element);
  ASSERT_EQ(words.size(), 3 * runs.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto loads = runs[i]["set_loads"].get<std::vector<double>>();
    const json& spread = runs[i]["set_load_distribution"];
    EXPECT_EQ(words[3 * i].text, short_name(trace_of(runs[i])));
    EXPECT_EQ(words[3 * i + 1].text, short_name(runs[i]["configuration"]));
    EXPECT_EQ(words[3 * i + 2].text,
              fmt::format("{} sets: {} to {}, cv {:.3f}", loads.size(), spread["min"].get<int>(),
                          spread["max"].get<int>(), spread["coefficient_of_variation"].get<double>()));
    const double most = std::max(1.0, *std::ranges::max_element(loads));
    for (const double n : loads) EXPECT_NEAR(rects.at(next++).number("height"), 48 * n / most, 0.06);
  }
  EXPECT_EQ(next, rects.size());
}

// A curve a run with the miss rate of each part of it, between the lines of 0 and 100 %.
void expect_curves(const Elements& chart, const json& runs) {
  double bottom = 0, top = 0;
  Elements curves;
  for (std::size_t i = 0; i < chart.size(); ++i) {
    if (chart[i].tag == "polyline") curves.push_back(chart[i]);
    if (chart[i].tag == "line" && chart[i + 1].text == "0 %") bottom = chart[i].number("y1");
    if (chart[i].tag == "line" && chart[i + 1].text == "100 %") top = chart[i].number("y1");
  }
  ASSERT_EQ(curves.size(), runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].contains("timeline")) continue;  // of runs without decisions the JSON has none
    std::istringstream points(curves[i]["points"]);
    double x = 0, y = 0;
    char comma = 0;
    for (std::size_t part = 0; part < runs[i]["timeline"]["loads"].size(); ++part)
      for (int end = 0; end < 2; ++end) {
        ASSERT_TRUE(points >> x >> comma >> y);
        EXPECT_NEAR((bottom - y) / (bottom - top),
                    runs[i]["timeline"]["misses"][part].get<double>() /
                        runs[i]["timeline"]["loads"][part].get<double>(),
                    0.002);
      }
    EXPECT_FALSE(points >> x);
  }
}

// Below the curves a row for each address bit that was ever in an adaptive index, with bars from the load on
// with which it came to the one with which it left.
void expect_decisions(const Elements& chart, const json& run) {
  const json& history = run["adi_history"];
  std::map<std::string, std::vector<std::pair<double, double>>> rows;  // by bit
  std::string bit;
  for (const auto& element : chart) {
    if (element.is("font-size", "12")) bit = element.text;
    if (element.tag == "rect" && !bit.empty())
      rows[bit].emplace_back(element.number("x"), element.number("x") + element.number("width"));
    if (element.text == "load 0") break;
  }
  const double loads = run["loads"].get<double>();
  std::set<std::string> bits;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const double from = left + plot * history[i]["loads"].get<double>() / loads;
    const double to =
        i + 1 < history.size() ? left + plot * history[i + 1]["loads"].get<double>() / loads : left + plot;
    for (const json& number : history[i]["sel"]) {
      bits.insert(number.dump());
      EXPECT_TRUE(std::ranges::any_of(
          rows[number.dump()],
          [&](const auto& bar) { return bar.first <= from + 0.06 && bar.second >= to - 0.06; }))
          << "bit " << number << " from " << from << " to " << to;
    }
  }
  EXPECT_EQ(rows.size(), bits.size());
}

// Every chart of the picture is one that is known here. Returns their titles.
std::vector<std::string> expect_picture(const std::string& svg, const json& runs) {
  Elements all = verif::read_svg(svg);
  // The frames of pictures, each with its background.
  for (std::size_t i = all.size(); i-- > 0;)
    if (const std::string tag = all[i].tag; tag == "svg" || tag == "g")
      all.erase(all.begin() + std::ptrdiff_t(i), all.begin() + std::ptrdiff_t(i) + (tag == "svg" ? 2 : 1));
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < all.size();) {
    if (!all[i].is("font-weight", "bold")) {
      ++i;
      continue;
    }
    const std::string title = all[i].text;
    Elements chart;
    while (++i < all.size() && !all[i].is("font-weight", "bold")) chart.push_back(all[i]);
    titles.push_back(title);
    if (title == "Loads of each set") {
      expect_strips(chart, runs);
    } else if (title.starts_with("Miss rate in the course of a run")) {
      expect_curves(chart, runs);
      for (const json& run : runs)
        if (run.contains("adi_history")) expect_decisions(chart, run);
    } else if (bars.contains(title)) {
      expect_bars(title, chart, runs);
    } else {
      ADD_FAILURE() << "no figure is known for the chart " << title;
    }
  }
  return titles;
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
    Arguments call = arguments;
    call.insert(call.end(),
                {"--json", folder.path("a.json"), "--html", folder.path(std::string("a.") + ending)});
    const auto run = verif::l1forge(call);
    EXPECT_EQ(run.status, 0) << run.output;
  }
  reports.runs = json::parse(gen::read_file(folder.path("a.json")))["runs"];
  reports.svg = gen::read_file(folder.path("a.svg"));
  reports.page = gen::read_file(folder.path("a.html"));
  return reports;
}

// Both forms, and returns the titles of the charts: the page begins with them.
std::vector<std::string> expect_same_figures(const Reports& r) {
  const std::size_t svg = r.page.find("<svg "), end = r.page.find("</div>"), table = r.page.find("<table>");
  EXPECT_LT(svg, end);
  EXPECT_LT(end, table);
  expect_table(r.page.substr(table), r.runs);
  const auto titles = expect_picture(r.page.substr(svg, end - svg), r.runs);
  EXPECT_EQ(titles, expect_picture(r.svg, r.runs));
  return titles;
}

}  // namespace

TEST(ExplorePictures, CachesOfSeveralSms) {
  const auto reports = reports_of({"l1d", "l1d_sectored", "--trace", streamcluster, atax, "--sms", "2"});
  EXPECT_THAT(expect_same_figures(reports),
              testing::ElementsAre("Miss rate of loads", "Cycles", "Cycles with a failed reservation",
                                   "Traffic towards the next level", "Traffic from the next level",
                                   "Replicas of a line in other caches (mean)", "Loads of each set"));
  EXPECT_THAT(reports.page, testing::HasSubstr("<p>2 SMs, a cache each. "));
}

TEST(ExplorePictures, AdaptiveIndexInTheCourseOfARun) {
  const auto reports =
      reports_of({"l1d", "l1d_adi", "--untimed", "--trace", atax, "-s", "adaptive.period=250", "-s",
                  "adaptive.counter_bits=8", "-s", "adaptive.idle=1000"});
  EXPECT_THAT(expect_same_figures(reports), testing::Contains("Miss rate in the course of a run"));
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
  EXPECT_THAT(expect_same_figures(reports), testing::Contains("Replicas of a line in other caches (mean)"));
  EXPECT_GT(reports.runs[0]["mean_replicas"], reports.runs[1]["mean_replicas"]);
  EXPECT_EQ(reports.runs[2]["mean_replicas"], 0);
  EXPECT_THAT(reports.page, testing::HasSubstr("<p>8 cores with 8 caches; 8 cores with 4 caches. "));
}

TEST(ExplorePictures, ARequestList) {
  const verif::TempFolder folder;
  const std::string list = folder.write("list", "L 0 1\nL 80 f\nL 0 1\nS 0 3\nL 1000 8\nA 80 1\n");
  expect_same_figures(reports_of({"l1d", "l1d_sectored", "--requests", list}));
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
