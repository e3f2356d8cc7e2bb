// Studies that measure energy, and areas in a technology.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

using nlohmann::json;

// Of a technology, whose figures of the whole unit stand in its row.
TEST(Study, EnergyAndAreaHaveRows) {
  const std::string tech = "tech = \"small_tech.toml\"\n";
  const verif::TempFolder folder;
  folder.write("small.toml",
               "[grid.one]\nunit = \"index_bxi\"\n[measure.area]\n" + tech +
                   "[measure.few]\nkind = \"energy\"\nseed = 3\nwindow = 40\n" + tech +
                   "[table.both]\nrows = \"configurations\"\ncolumns = [[\"um2\", \"um2\", "
                   "\"{area[$row].total_um2}\"], [\"pj\", \"pJ\", \"{few[$row].pj.cycle:.4}\"]]\n");
  folder.write("small_tech.toml", "name = \"small\"\n[cells]\nfiles = [\"" +
                                      verif::in_source("verif/energy/samples/counter.lib") + "\"]\n");
  const gen::Finished done = verif::l1forge({"study", "small.toml"}, folder.path());
  ASSERT_EQ(done.status, 0) << done.output;
  const json rows = json::parse(folder.content("small-study/study.json"))["rows"];
  ASSERT_EQ(rows.size(), 2u);
  const auto alone = verif::l1forge({"energy", "index_bxi", "--seed", "3", "--window", "40", "--tech",
                                     folder.path("small_tech.toml"), "--json", "-"});
  const double pj = json::parse(alone.output)["pj"]["cycle"];
  for (const json& row : rows)
    if (row["measure"] == "few")
      EXPECT_EQ(row["figures"]["pj"]["cycle"], pj);
    else
      EXPECT_GT(row["figures"]["total_um2"], 0);
  EXPECT_THAT(folder.content("small-study/study.md"), testing::HasSubstr(fmt::format(" {:.4f} |", pj)));
}
