// What stored figures of models are keyed by: the figures that their table names, of short runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/config/error.h"
#include "gen/study/behaviour.h"
#include "verif/temp_folder.h"

namespace {

std::string behaviour(const std::string& unit, const std::string& words,
                      const std::string& measure = "timed]", const std::string& traces = "TRACES/none.rec") {
  const verif::TempFolder folder;
  folder.write("s.toml", "[grid.g]\nunit = \"" + unit + "\n[inputs]\ntraces = [\"" + traces +
                             "\"]\n[measure." + measure + "\n");
  return gen::behaviour_of(gen::read_study_without_inputs(folder.path("s.toml")), gen::words_in(words));
}

TEST(Behaviour, IsOfTheFiguresThatAreNamed) {
  const std::string l1d = "l1d\"", cycles = behaviour(l1d, "x.cycles");
  EXPECT_EQ(behaviour(l1d, "cycles + no_figure"), cycles);
  EXPECT_NE(behaviour(l1d, "cycles + misses"), cycles);
  EXPECT_NE(behaviour(l1d, "stores"), behaviour(l1d, "loads"));
  EXPECT_THROW(behaviour(l1d, "no_figure"), gen::ConfigError);
}

TEST(Behaviour, IsThatOfTheConfiguration) {
  const std::string l1d = behaviour("l1d\"", "cycles misses");
  for (const char* other : {"l1d\"\nkeys.index.kind = \"pli\"", "l1d\"\nkeys.mshr.entries = 16",
                            "l1d\"\nkeys.bypass.kind = \"mrpb\"", "l1d\"\nkeys.tags.replacement = \"nru\"",
                            "l1d_tsc\"", "l1d_iacm\"", "l1d_bucl\"", "l1d_reuse_filter\""})
    EXPECT_NE(behaviour(other, "cycles misses"), l1d) << other;
  for (const char* other : {"timed]\nsms = 2", "timed]\nscheduler = \"lrr\"", "timed]\nmemory_latency = 101",
                            "timed]\nmemory_bandwidth = 64", "timed]\nsystem = \"volta4\"", "untimed]"})
    EXPECT_NE(behaviour("l1d\"", "cycles misses", other), l1d) << other;
}

// A change of a kernel that the study runs is one of its input.
TEST(Behaviour, HoldsTheBeginningsOfBuiltInKernels) {
  const auto of = [](const std::string& traces) { return behaviour("l1d\"", "misses", "untimed]", traces); };
  const std::string whole = of("builtin:triad?elements=4096");
  EXPECT_EQ(of("builtin:triad?elements=4096"), whole);
  EXPECT_NE(of("builtin:triad?elements=4097"), whole);
  EXPECT_EQ(of("TRACES/a.rec"), of("TRACES/b.rec"));
}

// Adaptive units come to decisions within the runs.
TEST(Behaviour, ReachesDecisionsOfAdaptiveUnits) {
  EXPECT_NE(behaviour("l1d_bucl\"\nkeys.bypass.bucl.highest = 8", "bypasses"),
            behaviour("l1d_bucl\"", "bypasses"));
  std::set<std::string> found;
  for (const char* order : {"adi_awl", "awl_adi", "parallel", "awl"})
    found.insert(behaviour(std::string("l1d_iacm\"\nkeys.iacm.order = \"") + order + "\"", "misses"));
  EXPECT_EQ(found.size(), 4u);
}

}  // namespace
