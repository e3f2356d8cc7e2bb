// synth-scripts/silicon.py: rows of a page are those of the runs in its folder, and others stay.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gen/process.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr, testing::Not;

// A page of three tables, with a row of one more unit.
constexpr const char* page =
    "# Page\n<!-- silicon areas -->\n| unit | osu018 | small |\n| --- | ---: | ---: |\n"
    "| `index_pri` | 9 | 8 |\n| `index_pli` | 7 | not run |\n<!-- /silicon -->\n"
    "<!-- silicon gates -->\n<!-- /silicon -->\n<!-- silicon paths -->\n<!-- /silicon -->\nEnd.\n";

std::string run_of(double gates, double um2, const std::string& macros) {
  return "{\"units\": [{\"gate_equivalents\": {\"median\": " + std::to_string(gates) +
         "}, \"area_um2\": {\"median\": " + std::to_string(um2) +
         "}, \"longest_path_ns\": {\"median\": 1.25}}]" + macros + "}";
}

gen::Finished silicon(const verif::TempFolder& folder, const std::string& text) {
  folder.write("page.md", text);
  folder.write("index_pli.osu018.json", run_of(1500, 36'000, ""));
  folder.write("index_pli.small.json", run_of(20, 480, ", \"logic_um2\": 480, \"macro_um2\": 3000"));
  return gen::run(
      {.argv = {"python3", verif::in_source("synth-scripts/silicon.py"), folder.path(), "index_pli",
                "index_pri", "--tech", "small.toml", "--page", folder.path("page.md"), "--only-table",
                "--program", verif::in_build("l1forge")}});
}

}  // namespace

TEST(Silicon, WritesRowsOfItsRunsAndKeepsOthers) {
  const verif::TempFolder folder;
  const gen::Finished done = silicon(folder, page);
  ASSERT_EQ(done.status, 0) << done.output;
  const std::string text = folder.content("page.md");
  EXPECT_THAT(text, HasSubstr("| `index_pli` | 36,000 | 480 + 3,000 = 3,480 |\n| `index_pri` | 9 | 8 |\n"));
  EXPECT_THAT(text, HasSubstr("<!-- silicon gates -->\n| unit | osu018 | small |\n| --- | ---: | ---: |\n"
                              "| `index_pli` | 1.5 | 0.02 |\n<!-- /silicon -->"));
  EXPECT_THAT(text, HasSubstr("| `index_pli` | 1.25 | 1.25 |"));
  EXPECT_THAT(text, Not(HasSubstr("not run")));
  EXPECT_THAT(text, HasSubstr("\nEnd.\n"));
}

// A topology is the sum of its parts: 1,000 GE of crossbars and two cores of 500, of 24 um2 each.
TEST(Silicon, ATopologyIsTheSumOfItsParts) {
  const verif::TempFolder folder;
  folder.write("dc_l1.osu018.json",
               "{\"nand2_um2\": 24, \"topology\": {\"gate_equivalents\": {\"sum\": 1000}}, \"parts\": "
               "[{\"count\": 2, \"gate_equivalents\": 500, \"path_ns\": 1.5},"
               " {\"count\": 1, \"gate_equivalents\": 0, \"path_ns\": 0.5}]}");
  const gen::Finished done =
      gen::run({.argv = {"python3", verif::in_source("synth-scripts/silicon.py"), folder.path(), "dc_l1",
                         "--fpga", "ecp5", "--only-table", "--program", verif::in_build("l1forge")}});
  ASSERT_EQ(done.status, 0) << done.output;
  for (const char* row :
       {"| `dc_l1` (small) | 48,000 |", "| `dc_l1` (small) | 2 |", "| `dc_l1` (small) | 1.50 |"})
    EXPECT_THAT(done.output, HasSubstr(row));
}

TEST(Silicon, APageWithoutATableStays) {
  const verif::TempFolder folder;
  const gen::Finished done = silicon(folder, "# Page\n");
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.output, HasSubstr("has no line '<!-- silicon areas -->'"));
  EXPECT_EQ(folder.content("page.md"), "# Page\n");
}
