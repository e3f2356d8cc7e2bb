// `l1forge energy` as a script would run it: figures of a small unit, and bad use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gen/paths.h"
#include "verif/run_l1forge.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

std::string sample(const std::string& name) {
  return (gen::paths::source() / "verif/energy/samples" / name).string();
}

json energy(std::vector<std::string> arguments) {
  gen::TempDir work("energy_test");
  const std::string file = work / "energy.json";
  arguments.insert(arguments.begin(), "energy");
  arguments.insert(arguments.end(), {"--json", file});
  const gen::Finished done = verif::l1forge(arguments);
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("OpenSTA"));
  return done.status == 0 ? json::parse(gen::read_file(file)) : json();
}

TEST(EnergyCommand, CountsAUnitBesideOpenSta) {
  const json j = energy({"arbiter_round_robin", "--liberty", sample("counter.lib"), "--window", "300",
                         "--from", "20", "--clock-ns", "4"});
  EXPECT_EQ(j["window"], 300);
  EXPECT_EQ(j["internal_power"], true);
  double pj = 0;
  for (const json& kind : j["kinds"])
    pj += kind["internal_pj"].get<double>() + kind["switching_pj"].get<double>();
  EXPECT_GT(pj, 0);
  EXPECT_NEAR(j["pj"]["cycle"].get<double>(), pj / 300, 1e-9 * pj);
  EXPECT_NEAR(j["mw"].get<double>(), pj / 300 / 4, 1e-9 * pj);
  EXPECT_GT(j["leakage_mw"].get<double>(), 0);
  EXPECT_NEAR(j["cells"]["difference"].get<double>(), 0, 0.002);
}

// Lock step compares what leaves the crossbar; here what enters has an energy beyond that of idle cycles.
TEST(EnergyCommand, ACrossbarHasAnEnergyForEachFlit) {
  const json j = energy({"vc_crossbar", "-s", "crossbar.inputs=2", "-s", "crossbar.outputs=2", "-s",
                         "crossbar.vcs=1", "-s", "crossbar.vc_depth=2", "-s", "crossbar.flit_bytes=2",
                         "--liberty", sample("counter.lib"), "--window", "1500", "--from", "20"});
  const double flits = j["transfers"]["flit"].get<double>(), pj = j["pj"]["flit"],
               idle = j["pj"]["idle cycle"];
  EXPECT_GT(flits, 100);
  EXPECT_LT(flits, 2 * 1500);
  EXPECT_GT(pj, 0);
  EXPECT_NEAR(idle + pj * flits / 1500, j["pj"]["cycle"].get<double>(), 0.02 * idle);
  EXPECT_FALSE(j["pj"].contains("miss"));
}

// As "0p7v25c" of GT2N, which OpenSTA of 2019 does not read: its voltage would be 0.
TEST(EnergyCommand, ConditionsMayHaveAnyName) {
  gen::TempDir work("energy_test");
  std::string text = gen::read_file(sample("counter.lib"));
  const auto put = [&](const std::string& old, const std::string& now) {
    ASSERT_NE(text.find(old), std::string::npos);
    text.replace(text.find(old), old.size(), now);
  };
  put("operating_conditions (typical)", "operating_conditions (0p9typical)");
  put("default_operating_conditions : typical", "default_operating_conditions : 0p9typical");
  const std::string file = work / "digits.lib";
  gen::write_file_atomically(file, text);
  const json j = energy({"index_pli", "--liberty", file, "--window", "50"});
  EXPECT_NEAR(j["cells"]["difference"].get<double>(), 0, 0.002);
  EXPECT_GT(j["cells"]["opensta"]["switching_mw"], 0);
}

void refused(std::vector<std::string> arguments, const std::string& text) {
  arguments.insert(arguments.begin(), "energy");
  const gen::Finished done = verif::l1forge(arguments);
  EXPECT_EQ(done.status, 2) << done.output;
  EXPECT_THAT(done.output, StartsWith("l1forge: "));
  EXPECT_THAT(done.output, HasSubstr(text));
  EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
}

TEST(EnergyCommand, RefusesBadUseInOneLine) {
  refused({"l1d", "--tech", "no/such.toml"}, "no/such.toml");
  refused({"l1d", "--tech", "a.toml", "--liberty", "a.lib"}, "excludes");
  refused({"dc_l1"}, "dc_l1 is a topology of many caches; name one of its parts");
  refused({"crossing_fifo"}, "has two clocks");
  refused({"index_pli", "--window", "0"}, "--window");
}

TEST(EnergyCommand, ALibraryWithoutVoltageIsRefused) {
  gen::TempDir work("energy_test");
  std::string text = gen::read_file(sample("counter.lib"));
  const std::string voltage = "  nom_voltage : 1.0;\n";
  text.erase(text.find(voltage), voltage.size());
  const std::string file = work / "no_voltage.lib";
  gen::write_file_atomically(file, text);
  refused({"index_bxi", "--liberty", file, "--window", "20"}, "no_voltage.lib: states no nom_voltage");
}

}  // namespace
