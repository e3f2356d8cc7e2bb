// Energies of two units side by side: ratios of known figures, and `l1forge diff --energy` beside `energy`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/energy/energy_pair.h"
#include "gen/paths.h"
#include "verif/run_l1forge.h"

namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const std::string technology = (gen::paths::source() / "verif/energy/samples/counter.toml").string();

// Two caches of which the second has no RAM macros, and a window that does not separate the energy of its
// fills.
gen::EnergyPair pair() {
  gen::EnergyReport first{.unit = "l1d", .library = "counter", .stimulus = "builtin:kmeans"};
  first.volts = 1;
  first.clock_ns = 5;
  first.window = 100;
  first.kinds = {{.name = "clock", .internal_pj = 600}, {.name = "gates", .switching_pj = 200}};
  first.parts = {{.name = "l1d", .internal_pj = 500}, {.name = "mshr", .internal_pj = 300}};
  gen::EnergyReport second = first;
  first.arrays = {{.module = "RAM2X2",
                   .energy = gen::EnergyPart{.name = "RAM2X2", .internal_pj = 200, .leakage_mw = 0.5}}};
  first.transfers = {{"core_request load", 40}, {"core_request store", 10}, {"memory_response", 7}};
  first.accesses = {{"hit", {8, 1}}, {"fill", {12, 1}}};
  second.unit = "l1d_tsc";
  second.kinds[0].internal_pj = 1000;
  second.parts[0].name = "l1d_tsc";
  second.parts[1].name = "mode_selector";
  second.transfers = {{"core_request load", 24}};
  second.accesses = {{"hit", {10, 1}}, {"fill", {12, 6}}};
  return {first, second};
}

json row(const json& rows, const std::string& of, const std::string& name) {
  json found;
  for (const json& r : rows)
    if (r["of"] == of && r["name"] == name) {
      EXPECT_TRUE(found.is_null()) << of << " " << name << " is there twice";
      found = r;
    }
  return found;
}

void expect_row(const json& rows, const std::string& of, const std::string& name, const json& first,
                const json& second, const json& ratio) {
  EXPECT_EQ(row(rows, of, name),
            json({{"of", of}, {"name", name}, {"first", first}, {"second", second}, {"ratio", ratio}}));
}

TEST(EnergyPair, RatiosAreOfTheSameFigure) {
  const json j = json::parse(gen::energy_pair_json(pair()).dump());
  const json& rows = j["rows"];
  expect_row(rows, "pj", "cycle", 10.0, 12.0, 1.2);
  expect_row(rows, "pj", "core request", 20.0, 50.0, 2.5);
  expect_row(rows, "pj", "hit", 8.0, 10.0, 1.25);
  expect_row(rows, "pj", "fill", 12.0, nullptr, nullptr);
  expect_row(rows, "mw", "dynamic", 2.0, 2.4, 1.2);
  expect_row(rows, "mw", "leakage", 0.5, 0.0, 0.0);
  expect_row(rows, "kind", "RAM macros", 2.0, nullptr, nullptr);
  expect_row(rows, "part", "(top)", 5.0, 5.0, 1.0);
  expect_row(rows, "part", "mshr", 3.0, nullptr, nullptr);
  expect_row(rows, "part", "mode_selector", nullptr, 3.0, nullptr);
  expect_row(rows, "requests", "core requests in the window", 50.0, 24.0, 0.48);
  EXPECT_EQ(j["first"]["pj"]["hit"], 8.0);
  EXPECT_EQ(j["second"]["unit"], "l1d_tsc");
}

TEST(EnergyPair, FiguresThatAreNotKnownAndThoseOfNoSuchThingLookDifferent) {
  const std::string table = gen::energy_pair_table(pair());
  EXPECT_THAT(table, AllOf(ContainsRegex("\n *hit, pJ +8 +10 +1\\.250\n"),
                           ContainsRegex("\n *fill, pJ +12 +not known +-\n"),
                           ContainsRegex("\n *mshr, pJ a cycle +3 +- +-\n"),
                           HasSubstr("\nwindow: 100 cycles from cycle 0 of builtin:kmeans, in both\n")));
}

TEST(EnergyPair, DiffHasTheFiguresOfEnergy) {
  gen::TempDir work("energy_pair");
  const std::string both = work / "both.json", one = work / "one.json";
  const std::vector<std::string> window = {"--tech", technology, "--window", "200", "--from", "10"};
  const auto run = [&](std::vector<std::string> arguments, const std::string& file) {
    arguments.insert(arguments.end(), window.begin(), window.end());
    arguments.insert(arguments.end(), {"--json", file});
    const gen::Finished done = verif::l1forge(arguments);
    EXPECT_EQ(done.status, 0) << done.output;
    return done.output;
  };
  const std::string text = run({"diff", "index_pli", "index_bxi", "--energy", "--seed", "3"}, both);
  run({"energy", "index_bxi", "--parts", "1", "--seed", "3"}, one);
  EXPECT_THAT(text, AllOf(ContainsRegex("parameter +index.kind +pli +bxi"),
                          ContainsRegex("\nenergy +index_pli +index_bxi +ratio\n")));
  const json j = json::parse(gen::read_file(both));
  EXPECT_EQ(j["energy"]["second"], json::parse(gen::read_file(one)));
  const json cycle = row(j["energy"]["rows"], "pj", "cycle");
  EXPECT_EQ(cycle["first"], j["energy"]["first"]["pj"]["cycle"]);
  EXPECT_EQ(cycle["second"], j["energy"]["second"]["pj"]["cycle"]);
  EXPECT_DOUBLE_EQ(cycle["ratio"], cycle["second"].get<double>() / cycle["first"].get<double>());
  EXPECT_LT(cycle["ratio"], 1) << "an XOR of two bits beside the remainder by a polynomial";
}

}  // namespace
