// The area report: medians and ranges over orders, comparisons that call no noise a win, table and JSON.
#include "gen/area/report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/area/picture.h"
#include "verif/cli/chart_reader.h"

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

// Two charts of the same rows, a bar as long as the median with a thick line over the range; then the parts.
TEST(AreaReport, PictureHasTheFiguresOfTheJson) {
  if (!verif::can_draw()) GTEST_SKIP() << verif::no_drawing;
  gen::AreaReport report{.library = "osu018"};
  report.figures = {figure("unit", {result(50, 1), result(61, 1.5)}), figure("a < b", {result(100, 4)}, true),
                    figure("other", {result(75, 2)})};
  report.published = {{"a peer", 80, 3}};
  report.parts = {{"large", 40, 3}, {"", 15, 0}, {"tiny", 0.1, 1}, {"least", 0.05, 0}};
  const auto json = area_json(report);
  const std::string svg = area_svg(report);
  std::vector<verif::Drawn> bars;
  for (const verif::Drawn& mark : verif::marks_of(svg))
    if (mark.kind == "bar") bars.push_back(mark);
  std::size_t next = 0;
  double longest = 0;
  const auto expect_bar = [&](const std::string& axis, const std::string& name, const std::string& kind,
                              double figure, double most, const std::string& number) {
    ASSERT_LT(next, bars.size());
    const verif::Drawn& bar = bars[next++];
    EXPECT_EQ(bar.at("name"), name);
    EXPECT_EQ(bar.at("kind"), kind) << name;
    EXPECT_NEAR(std::stod(bar.at(axis)), figure, 1e-9) << name;
    longest = std::max(longest, bar.width / figure);
    EXPECT_NEAR(bar.width, longest * figure, 0.5) << name << " of " << most;
    EXPECT_THAT(svg, HasSubstr(">" + number + "</text>"));
  };
  const std::string gates = "NAND2 equivalents (GE)";
  for (const auto& [axis, key, digits, most] :
       {std::tuple{gates, "gate_equivalents", 1, 100.0}, {"ns", "longest_path_ns", 2, 4.0}}) {
    longest = 0;
    for (const auto& entry : json["units"]) {
      const double median = entry[key]["median"];
      const bool beside = entry["beside"];
      expect_bar(axis, (beside ? "beside: " : "") + entry["name"].get<std::string>(),
                 beside ? "baseline design" : "unit", median, most, fmt::format("{:.{}f}", median, digits));
    }
    const double peer = json["published"][0][key];
    expect_bar(axis, "published: a peer", "published", peer, most, fmt::format("{:.{}f}", peer, digits));
  }
  longest = 0;
  expect_bar(gates, "large, 3 flops", "", 40, 40, "40.0");
  expect_bar(gates, "(top), 0 flops", "", 15, 40, "15.0");
  expect_bar(gates, "2 smaller parts", "", 0.1 + 0.05, 40, fmt::format("{:.1f}", 0.1 + 0.05));
  EXPECT_EQ(next, bars.size());
  EXPECT_THAT(svg, HasSubstr(">osu018; thick lines: range over the orders of</tspan>"));
  std::vector<verif::Drawn> ranges;
  for (const verif::Drawn& mark : verif::marks_of(svg))
    if (mark.kind == "rule mark" && mark.at("name") == "unit") ranges.push_back(mark);
  ASSERT_EQ(ranges.size(), 2u) << "of the unit with several orders";
  EXPECT_EQ(ranges[0].at(gates), "50");
  EXPECT_NEAR(std::abs(ranges[0].width), bars[0].width / 55.5 * 11, 0.5);
}

}  // namespace
