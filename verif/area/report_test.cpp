// The area report: medians and ranges over orders, comparisons that call no noise a win, table and JSON.
#include "gen/area/report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/area/picture.h"
#include "gen/drawing.h"
#include "verif/cli/svg_reader.h"

namespace {

using testing::HasSubstr;
using testing::Not;

gen::AreaResult result(double gates, double ns) {
  return {.area = 24 * gates,
          .gate_equivalents = gates,
          .cells = {{"DFFPOSX1", 2}, {"NAND2X1", 10}},
          .flops = 2,
          .gate_depth = 3,
          .path_ns = ns,
          .slack_ns = 2 - ns,
          .path_start = "a[0]",
          .path_end = "y"};
}

gen::AreaFigure figure(std::string name, std::vector<gen::AreaResult> orders, bool beside = false) {
  return {.name = std::move(name), .orders = std::move(orders), .beside = beside};
}

TEST(AreaReport, SpreadOverOrders) {
  const auto gates = [](const gen::AreaResult& r) { return r.gate_equivalents; };
  const auto odd = spread_of(figure("", {result(30, 1), result(10, 1), result(20, 1)}), gates);
  EXPECT_EQ(odd.median, 20);
  EXPECT_EQ(odd.min, 10);
  EXPECT_EQ(odd.max, 30);
  EXPECT_EQ(spread_of(figure("", {result(30, 1), result(10, 1)}), gates).median, 20);
  EXPECT_EQ(spread_of(figure("", {}), gates).median, 0);
}

TEST(AreaReport, TableOfOneOrder) {
  gen::AreaReport report{.library = "osu018", .fixes = {{"LATCH", 0, 56}}, .clock_ns = 2};
  report.figures = {figure("unit", {result(50, 1)}), figure("plain form", {result(100, 4)}, true)};
  EXPECT_EQ(area_table(report),
            "unit                     GE  um^2    ns   MHz  cells  flops  slack ns\n"
            "unit                   50.0  1200  1.00  1000     12      2      1.00\n"
            "  beside: plain form  100.0  2400  4.00   250     12      2     -2.00\n"
            "unit: 50 % of the area and 25 % of the delay of plain form\n"
            "longest path of unit: a[0] -> y\n"
            "longest path of plain form: a[0] -> y\n"
            "library: osu018; 1 GE = NAND2 = 24 um^2\n"
            "corrected area: LATCH 0 -> 56 um^2\n");
}

TEST(AreaReport, OverlappingRangesAreNoDifference) {
  gen::AreaReport report{.library = "osu018"};
  report.figures = {figure("unit", {result(50, 1), result(70, 1), result(60, 1)}),
                    figure("plain", {result(68, 2), result(80, 2)}, true)};
  const std::string table = area_table(report);
  EXPECT_THAT(table, HasSubstr("60.0 (50.0..70.0)"));
  EXPECT_THAT(
      table,
      HasSubstr(
          "unit: 81 % of the area (no difference: the ranges overlap) and 50 % of the delay of plain\n"));
  EXPECT_THAT(table, Not(HasSubstr("slack")));
}

TEST(AreaReport, WiresAndConstantsHaveNoDelay) {
  gen::AreaReport report{.library = "osu018"};
  report.figures = {figure("unit", {gen::AreaResult{}}), figure("plain", {gen::AreaResult{}}, true)};
  const std::string table = area_table(report);
  EXPECT_THAT(table, HasSubstr("no area to compare and no delay to compare"));
  EXPECT_THAT(table, Not(HasSubstr("nan")));
  EXPECT_THAT(table, Not(HasSubstr("longest path")));
}

TEST(AreaReport, Json) {
  gen::AreaReport report{.library = "osu018", .fixes = {{"LATCH", 0, 56}}, .clock_ns = 2};
  report.figures = {figure("unit", {result(50, 1), result(60, 1.25)}),
                    figure("plain", {result(100, 4)}, true)};
  const auto json = area_json(report);
  EXPECT_EQ(json["corrected_areas"].dump(), R"([{"cell":"LATCH","liberty":0.0,"layout":56.0}])");
  EXPECT_EQ(json["nand2_um2"], 24);
  const auto& unit = json["units"][0];
  EXPECT_EQ(unit["orders"], 2);
  EXPECT_EQ(unit["gate_equivalents"].dump(), R"({"median":55.0,"min":50.0,"max":60.0})");
  EXPECT_EQ(unit["area_um2"]["max"], 1440);
  EXPECT_EQ(unit["longest_path_ns"]["median"], 1.125);
  EXPECT_EQ(unit["max_mhz"]["min"], 800);
  EXPECT_EQ(unit["slack_ns"]["min"], 0.75);
  EXPECT_EQ(unit["cells"].dump(), R"({"DFFPOSX1":2,"NAND2X1":10})");
  EXPECT_EQ(unit["path"].dump(), R"({"start":"a[0]","end":"y"})");
  EXPECT_TRUE(json["units"][1]["beside"]);
}

// Two charts of the same rows, a bar as long as the median with a red line over the range below it; then the
// parts.
TEST(AreaReport, PictureHasTheFiguresOfTheJson) {
  gen::AreaReport report{.library = "osu018"};
  report.figures = {figure("unit", {result(50, 1), result(61, 1.5)}), figure("a < b", {result(100, 4)}, true),
                    figure("other", {result(75, 2)})};
  report.published = {{"a peer", 80, 3}};
  report.parts = {{"large", 40, 3}, {"", 15, 0}, {"tiny", 0.1, 1}, {"least", 0.05, 0}};
  const auto json = area_json(report);
  std::vector<verif::SvgElement> bars, words, ranges;
  for (const auto& element : verif::read_svg(area_svg(report))) {
    if (element.tag == "rect") bars.push_back(element);
    if (element.tag == "text") words.push_back(element);
    if (element.tag == "path") ranges.push_back(element);
  }
  std::size_t bar = 1, word = 0;  // the background
  const auto expect_bar = [&](const std::string& name, double share, const std::string& number) {
    const double width = gen::picture_area.width * share;
    ASSERT_LT(bar, bars.size());
    EXPECT_NEAR(bars[bar].number("width"), width, 0.06) << name;
    EXPECT_EQ(words[word++].text, name);
    EXPECT_EQ(words[word].text, number);
    EXPECT_NEAR(words[word++].number("x"), bars[bar++].number("x") + width + 6, 0.06);
  };
  for (const auto& [title, key, unit, digits, most] :
       {std::tuple{"Area in NAND2 equivalents", "gate_equivalents", "GE", 1, 100.0},
        {"Longest path", "longest_path_ns", "ns", 2, 4.0}}) {
    EXPECT_EQ(words[word++].text, title);
    for (const auto& entry : json["units"]) {
      const double median = entry[key]["median"];
      expect_bar((entry["beside"] ? "beside: " : "") + entry["name"].get<std::string>(), median / most,
                 fmt::format("{:.{}f} {}", median, digits, unit));
    }
    const double peer = json["published"][0][key];
    expect_bar("published: a peer", peer / most, fmt::format("{:.{}f} {}", peer, digits, unit));
  }
  EXPECT_EQ(words[word++].text, "Parts of unit");
  expect_bar("large, 3 flops", 1, "40.0 GE");
  expect_bar("(top), 0 flops", 15.0 / 40, "15.0 GE");
  expect_bar("2 smaller parts", 0.15 / 40, fmt::format("{:.1f} GE", 0.1 + 0.05));
  EXPECT_EQ(words[word++].text, "osu018");
  EXPECT_EQ(bar, bars.size());
  ASSERT_EQ(ranges.size(), 2u) << "of the unit with several orders";
  const double left = gen::picture_area.left, plot = gen::picture_area.width;
  EXPECT_THAT(ranges[0]["d"], testing::MatchesRegex(fmt::format("M{:.1f} [0-9]+ H{:.1f}", left + plot * 0.5,
                                                                left + plot * 0.61)));
}

}  // namespace
