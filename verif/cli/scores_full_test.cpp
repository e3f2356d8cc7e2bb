// The mutants of some units: as many are killed as docs/verification.md says.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "gen/files.h"
#include "verif/full_tier.h"
#include "verif/run_l1forge.h"

namespace {

using nlohmann::json;

struct Stated {
  int mutants = 0, killed = 0;
  std::string cycles;
};

// The sum of a unit's modules in the table.
Stated stated(const std::string& unit) {
  std::istringstream page(gen::read_file(verif::in_source("docs/verification.md")));
  const std::regex row("\\| `" + unit +
                       "` \\| `[a-z0-9_]+` \\| (default|[0-9,]+) \\| (\\d+) \\| (\\d+) \\| .*");
  Stated sum;
  std::smatch cells;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, cells, row)) {
      sum.cycles = std::regex_replace(cells[1].str(), std::regex(","), "");
      sum.mutants += std::stoi(cells[2]);
      sum.killed += std::stoi(cells[3]);
    }
  return sum;
}

void keeps_its_score(const std::string& unit) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier << ": minutes";
  const Stated score = stated(unit);
  ASSERT_GT(score.mutants, 0) << unit << " is not in the table";
  const gen::TempDir work("scores");
  const std::string file = work / "out.json";
  std::vector<std::string> call{"verify", unit, "--mutants", std::to_string(score.mutants), "--json", file};
  if (score.cycles != "default") call.insert(call.end(), {"--cycles", score.cycles});
  const gen::Finished done = verif::l1forge(call);
  ASSERT_LE(done.status, 1) << done.output;
  int killed = 0, mutants = 0;
  const json report = json::parse(gen::read_file(file));
  for (const json& module : report["modules"])
    killed += module["killed"].get<int>(), mutants += module["mutants"].get<int>();
  EXPECT_EQ(mutants, score.mutants);
  EXPECT_GE(killed, score.killed) << done.output;
}

TEST(Scores, OfUnitsAlone) {
  for (const char* unit : {"mode_selector", "protection_distance", "bucl_threshold_unit"})
    keeps_its_score(unit);
}

TEST(Scores, OfACache) { keeps_its_score("l1d"); }

TEST(Scores, OfANetwork) { keeps_its_score("vc_crossbar"); }

// A wrong name of a column would leave nothing to compare.
TEST(Scores, AreInTheTable) {
  EXPECT_EQ(stated("mode_selector").mutants, 40);
  EXPECT_EQ(stated("mode_selector").cycles, "default");
  EXPECT_EQ(stated("l1d").cycles, "250000");
  EXPECT_EQ(stated("none").mutants, 0);
}

}  // namespace
