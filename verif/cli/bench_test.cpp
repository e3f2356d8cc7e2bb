// `l1forge bench`: an aligned table whose figures are those of its reports, and another build beside it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "gen/files.h"
#include "verif/run_l1forge.h"
#include "verif/tree.h"

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
                                    verif::in_build("l1forge"), "--json", report});
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

TEST(Bench, Systems) {
  const auto done = verif::l1forge({"bench", "fermi_tsc", "--json", "-"});
  ASSERT_TRUE(done.ok()) << done.output;
  const auto rows = nlohmann::json::parse(done.output);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["unit"], "fermi_tsc");
  EXPECT_EQ(rows[0]["sms"], 15);
  EXPECT_EQ(rows[0]["target"], 1.5e6);
  EXPECT_GT(rows[0]["sm_cycles_per_second"], 1e4);
  EXPECT_EQ(verif::l1forge({"bench", "fermi_tsc", "-s", "geometry.ways=8"}).output,
            "l1forge: bench -s: is for units; name systems in a call of their own\n");
}

TEST(Bench, SettingsNeedAName) {
  const auto done = verif::l1forge({"bench", "-s", "index.sets=16"});
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.output, "l1forge: bench -s: changes a unit that is named; name one\n");
}

// Before anything is measured, which would print the head of the table.
TEST(Bench, OtherProgramsAreRefused) {
  const gen::TempDir folder("bench");
  const auto refusal = [&](const std::string& program) {
    const auto done = verif::l1forge({"bench", "index_cvi", "--beside", program}, folder.path());
    EXPECT_EQ(done.status, 2);
    return done.output;
  };
  EXPECT_EQ(refusal("/nope"), "l1forge: --beside /nope: there is no such program\n");
  EXPECT_EQ(refusal("."), "l1forge: --beside .: is a folder, no l1forge\n");
  EXPECT_THAT(refusal("/bin/true"), testing::StartsWith("l1forge: --beside /bin/true: is no l1forge: of "));
  EXPECT_THAT(refusal("/bin/false"), HasSubstr("is no l1forge"));
  EXPECT_THAT(refusal("/dev/null"), HasSubstr("cannot be started"));
}

TEST(Bench, AReportThatCannotBeReadIsRefused) {
  const gen::TempDir folder("bench");
  gen::write_file_atomically(folder / "other", "#!/bin/sh\necho l1forge 0.0.0\n");
  std::filesystem::permissions(folder / "other", std::filesystem::perms::owner_all);
  const auto done =
      verif::l1forge({"bench", "index_cvi", "-s", "index.sets=16", "--beside", "./other"}, folder.path());
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.output, HasSubstr("other: its report of index_cvi cannot be read: cannot read "));
}
