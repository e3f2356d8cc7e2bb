// `l1forge bench`: an aligned table whose figures are those of its reports, and another build beside it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "gen/files.h"
#include "verif/cli/run_l1forge.h"

namespace {

using testing::HasSubstr;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST(Bench, TwoBuildsInTurns) {
  const gen::TempDir folder("bench");
  const std::string report = (folder / "bench.json").string();
  const auto done = verif::l1forge({"bench", "index_cvi", "-s", "index.sets=16", "--beside",
                                    L1FORGE_BUILD_DIR "/l1forge", "--json", report});
  ASSERT_TRUE(done.ok()) << done.output;
  const auto lines = lines_of(done.output);
  ASSERT_EQ(lines.size(), 4u) << done.output;
  EXPECT_EQ(lines[0], "unit             generate ms  golden kHz  cosim kHz   bare kHz");
  for (const auto& line : lines)
    EXPECT_EQ(line.size(), lines[0].size()) << "every column ends where its head does";
  EXPECT_THAT(lines[1], testing::StartsWith("index_cvi_s16  "));
  EXPECT_THAT(lines[2], testing::StartsWith("  beside  "));
  EXPECT_THAT(lines[3], testing::StartsWith("  this / beside  "));
  const auto rows = nlohmann::json::parse(gen::read_file(report));
  ASSERT_EQ(rows.size(), 1u);
  for (const auto& row : {rows[0], rows[0]["beside"]}) {
    EXPECT_EQ(row["unit"], "index_cvi_s16");
    for (const char* figure :
         {"generate_ms", "golden_cycles_per_second", "cosim_cycles_per_second", "bare_cycles_per_second"})
      EXPECT_GT(row[figure], 0) << figure;
  }
  EXPECT_THAT(lines[1], HasSubstr(fmt::format(" {:.1f} ", rows[0]["generate_ms"].get<double>())));
}

TEST(Bench, SettingsNeedAName) {
  const auto done = verif::l1forge({"bench", "-s", "index.sets=16"});
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.output, "l1forge: bench -s: changes a unit that is named; name one\n");
}

TEST(Bench, AReportOfAnotherProgramIsRefused) {
  const auto done = verif::l1forge({"bench", "index_cvi", "--beside", "/bin/true"});
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.output, HasSubstr("beside.json"));
}
