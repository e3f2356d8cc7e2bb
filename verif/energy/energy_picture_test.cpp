// The picture of energies: bars of each kind of access, stacked by what it consists of.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gen/energy/energy_groups.h"
#include "gen/energy/energy_picture.h"
#include "gen/paths.h"
#include "verif/cli/chart_reader.h"
#include "verif/run_l1forge.h"

namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;

Json energy() {
  return {{"unit", "l1d"},
          {"library", "counter"},
          {"volts", 1.0},
          {"from", 500},
          {"window", 2000},
          {"stimulus", "builtin:kmeans"},
          {"pj_parts",
           {{"cycle", {{"gates", 20.0}, {"clock", 60.0}, {"inputs", 0.0}}},
            {"fill", {{"gates", 30.0}, {"clock", 10.0}, {"inputs", 0.0}}}}}};
}

// Bars begin where those before them end, in the order of their energies in the window.
TEST(EnergyPicture, HasABarForEachShareAndTheSumBehindThem) {
  if (!verif::can_draw()) GTEST_SKIP() << verif::no_drawing;
  const std::string svg = gen::picture_of({gen::energy_chart(energy())});
  std::vector<std::string> bars;
  double scale = 0;
  for (const verif::Drawn& mark : verif::marks_of(svg)) {
    if (mark.kind != "bar") continue;
    bars.push_back(fmt::format("{} {} {}", mark.at("name"), mark.at("kind"), mark.at("pJ")));
    const double pj = std::stod(mark.at("pJ"));
    if (scale == 0) scale = mark.width / pj;
    EXPECT_NEAR(mark.width, scale * pj, 0.5) << bars.back();
  }
  EXPECT_THAT(bars, ElementsAre("a cycle, on average clock 60", "a cycle, on average gates 20",
                                "fill clock 10", "fill gates 30"));
  for (const char* text : {">80</text>", ">40</text>", "Energy of l1d", "2000 cycles from"})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST(EnergyPicture, InstancesOfALoopAreOne) {
  Json loop = energy();
  loop["pj_parts"] = {
      {"cycle", {{"way[0].tags", 2.0}, {"top", 1.0}, {"way[11].tags", 3.0}, {"way[].x", 0.5}}}};
  const Json rows = gen::energy_chart(loop).spec["data"]["values"];
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["kind"], "way[*].tags");
  EXPECT_EQ(rows[0]["value"], 5.0);
  EXPECT_EQ(rows[2]["kind"], "way[].x");
}

// Ten parts have no ten colours.
TEST(EnergyPicture, TheSmallestPartsAreOne) {
  Json many = energy();
  many["pj_parts"].erase("fill");
  for (int i = 0; i < 10; ++i) many["pj_parts"]["cycle"][fmt::format("part{}", i)] = 1.0 + i;
  const Json rows = gen::energy_chart(many).spec["data"]["values"];
  ASSERT_EQ(rows.size(), gen::most_colours);
  EXPECT_EQ(rows[0]["kind"], "clock");
  EXPECT_EQ(rows[2]["kind"], "part9");
  EXPECT_EQ(rows.back()["kind"], "other parts");
  EXPECT_EQ(rows.back()["value"], 1.0 + 2 + 3 + 4 + 5 + 6);
}

// The shares of each access are its energy, by kind of cell and by part.
TEST(EnergyPicture, SharesAddUp) {
  const std::string technology = (gen::paths::source() / "verif/energy/samples/counter.toml").string();
  gen::TempDir work("energy_picture");
  for (const char* parts : {"0", "1"}) {
    const std::string file = work / "energy.json", svg = work / "energy.svg";
    std::vector<std::string> arguments = {"energy", "allocator_islip", "--tech", technology, "--parts",
                                          parts,    "--window",        "100",    "--json",   file};
    if (verif::can_draw()) arguments.insert(arguments.end(), {"--svg", svg});
    const gen::Finished done = verif::l1forge(arguments);
    ASSERT_EQ(done.status, 0) << done.output;
    const Json j = Json::parse(gen::read_file(file));
    for (const auto& [access, shares] : j["pj_parts"].items()) {
      double sum = 0;
      for (const auto& [part, pj] : shares.items()) sum += pj.get<double>();
      EXPECT_NEAR(sum, j["pj"][access].get<double>(), 1e-6 * sum) << access;
    }
    for (const Json& part : j[parts == std::string("0") ? "kinds" : "parts"])
      EXPECT_NEAR(j["pj_parts"]["cycle"][part["name"].get<std::string>()].get<double>(),
                  (part["internal_pj"].get<double>() + part["switching_pj"].get<double>()) / 100, 1e-9)
          << part["name"];
    if (verif::can_draw()) {
      EXPECT_THAT(gen::read_file(svg), HasSubstr("Energy of "));
    }
  }
}

}  // namespace
