// What results of studies are keyed by: any change of the sources that measure them makes another digest, and
// nothing else does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "gen/process.h"
#include "gen/study/digests.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

TEST(Digests, FollowTheContent) {
  const verif::TempFolder folder;
  folder.write("lists.cmake",
               "set(exploration \"a.h\")\nset(simulation \"a.h;b.h\")\nset(synthesis \"c.ys\")\n");
  const auto digests = [&](const std::string& name, const std::string& text) {
    folder.write(name, text);
    const gen::Finished done = gen::run({.argv = {"cmake", "-DSOURCE=" + folder.path(), "-DFILE=out.cpp",
                                                  "-DLISTS=" + folder.path("lists.cmake"), "-P",
                                                  verif::in_source("cmake/WriteDigests.cmake")},
                                         .folder = folder.path()});
    EXPECT_TRUE(done.ok()) << done.output;
    const std::string out = folder.content("out.cpp");
    const std::size_t line = out.find("synthesis_digest");
    return std::pair(out.substr(0, line), out.substr(line));
  };
  for (const char* name : {"a.h", "b.h", "c.ys"}) folder.write(name, "1\n");
  const auto [simulation, synthesis] = digests("d.h", "1\n");
  EXPECT_NE(simulation.find("simulation_digest = \""), std::string::npos);
  EXPECT_EQ(digests("d.h", "2\n"), std::pair(simulation, synthesis)) << "it is in no list";
  const auto other = digests("b.h", "2\n");
  EXPECT_NE(other.first, simulation);
  EXPECT_EQ(other.second, synthesis);
  EXPECT_EQ(digests("b.h", "1\n"), std::pair(simulation, synthesis));
  EXPECT_EQ(digests("b.h", "  1  // of old\n\n// and new\n"), std::pair(simulation, synthesis));
  const auto explored = [](const std::string& text) {
    return text.substr(0, text.find("simulation_digest"));
  };
  EXPECT_EQ(explored(digests("b.h", "2\n").first), explored(simulation));
  EXPECT_NE(explored(digests("a.h", "2\n").first), explored(simulation));
  digests("a.h", "1\n"), digests("b.h", "1\n");
  EXPECT_NE(digests("c.ys", "2\n").second, synthesis);
}

// Every model is in the list, and so is the recipe.
TEST(Digests, AreOfWhatMeasures) {
  const std::string lists = gen::read_file(verif::in_build("digests.cmake"));
  for (const char* file : {"golden/cache/functional_l1d.h", "golden/tags/ways_tags.cpp", "golden/gpu/sm.cpp",
                           "hw/l1d/l1d_params.h", "gen/explore/timed.cpp", "gen/system/system_presets.cpp",
                           "cosim/harness/report.cpp", "synth-scripts/area.ys", "gen/area/synthesis.cpp"})
    EXPECT_THAT(lists, testing::HasSubstr(file));
  const std::string explored = lists.substr(0, lists.find("set(simulation"));
  for (const char* file : {"golden/cache/functional_l1d.h", "golden/gpu/sm.cpp", "hw/l1d/l1d_params.h",
                           "gen/explore/timed.cpp", "golden/topology/dc_l1_node.cpp"})
    EXPECT_THAT(explored, testing::HasSubstr(file));
  for (const char* file : {"cosim/harness/report.cpp", "golden/coalescer/coalescer.h"})
    EXPECT_THAT(explored, testing::Not(testing::HasSubstr(file)));
  EXPECT_STRNE(gen::simulation_digest, gen::synthesis_digest);
  EXPECT_STRNE(gen::simulation_digest, gen::exploration_digest);
}

}  // namespace
