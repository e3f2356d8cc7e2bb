// docs/pictures.py: pictures of results equal what the program draws, and a picture that it cannot draw is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gen/files.h"
#include "gen/process.h"
#include "verif/full_tier.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr;

gen::Finished pictures(std::vector<std::string> argv) {
  argv.insert(argv.begin(), {"python3", verif::in_source("docs/pictures.py")});
  return gen::run({.argv = argv});
}

}  // namespace

TEST(Pictures, RefusesWhatIsNone) {
  const gen::Finished done = pictures({"mesh"});
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.output, HasSubstr("mesh: no picture; there are adaptive-atax, "));
}

TEST(Pictures, NeedsTheTracesOfWholeKernels) {
  const gen::Finished done = pictures({"--check", "mesh-map"});
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.output, HasSubstr("mesh-map: needs --traces TRACES"));
}

// Each measured picture below docs/results is drawn by the script.
TEST(Pictures, EachOfTheResultsIsThere) {
  const std::string script = gen::read_file(verif::in_source("docs/pictures.py"));
  for (const auto& file : std::filesystem::directory_iterator(verif::in_source("docs/results"))) {
    if (file.path().extension() != ".svg") continue;
    EXPECT_THAT(script, HasSubstr('"' + file.path().stem().string() + '"'));
  }
}

TEST(Pictures, OfIacmIsUnchanged) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  const gen::Finished done = pictures({"--check", "iacm-atax"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("iacm-atax: unchanged"));
}
