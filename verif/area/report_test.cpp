// The area report: medians and ranges over orders, comparisons that call no noise a win, table and JSON.
#include "gen/area/report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/area/picture.h"
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

// Two charts of the same rows: a bar as long as the median, a red line over the range, the median in words.
TEST(AreaReport, PictureHasTheFiguresOfTheJson) {
  gen::AreaReport report{.library = "osu018"};
  report.figures = {figure("unit", {result(50, 1), result(61, 1.5)}), figure("a < b", {result(100, 4)}, true),
                    figure("other", {result(75, 2)})};
  const auto units = area_json(report)["units"];
  std::vector<verif::SvgElement> bars, words, ranges;
  for (const auto& element : verif::read_svg(area_svg(report))) {
    if (element.tag == "rect") bars.push_back(element);
    if (element.tag == "text") words.push_back(element);
    if (element.tag == "path") ranges.push_back(element);
  }
  ASSERT_EQ(bars.size(), 1 + 2 * units.size()) << "the background and two charts";
  ASSERT_EQ(ranges.size(), 2u) << "of the unit with several orders";
  for (const auto& [chart, key, unit, digits, most] :
       {std::tuple{0u, "gate_equivalents", "GE", 1, 100.0}, {1u, "longest_path_ns", "ns", 2, 4.0}})
    for (std::size_t i = 0; i < units.size(); ++i) {
      const double median = units[i][key]["median"], max = units[i][key]["max"];
      const auto& bar = bars[1 + chart * units.size() + i];
      EXPECT_NEAR(bar.number("width"), 420 * median / most, 0.06) << key;
      const std::size_t at = chart * (1 + 2 * units.size()) + 1 + 2 * i;
      EXPECT_EQ(words[at].text, units[i]["name"]);
      EXPECT_EQ(words[at + 1].text, fmt::format("{:.{}f} {}", median, digits, unit));
      EXPECT_NEAR(words[at + 1].number("x"), 260 + 420 * max / most + 6, 0.06);
    }
  EXPECT_EQ(ranges[0]["d"], fmt::format("M{:.1f} {} H{:.1f}", 260 + 420 * 0.5, 46 + 13, 260 + 420 * 0.61));
}

}  // namespace
