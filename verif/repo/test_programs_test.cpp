// The programs of a folder's tests: CTest runs every source, and one source is its own tests alone.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/files.h"
#include "gen/paths.h"
#include "gen/process.h"
#include "verif/full_tier.h"
#include "verif/repo/source_tree.h"
#include "verif/temp_folder.h"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr, testing::Not;

gen::Finished this_program(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), fs::read_symlink("/proc/self/exe").string());
  return gen::run({.argv = arguments});
}

std::string tests_of(const std::string& source, const std::string& filter) {
  const auto listed = this_program({source, "--gtest_list_tests", "--gtest_filter=" + filter});
  EXPECT_EQ(listed.status, 0) << listed.output;
  return listed.output;
}

TEST(TestPrograms, ASourceIsItsOwnTestsAlone) {
  const std::string own = tests_of("test_programs_test", "*");
  EXPECT_THAT(own, HasSubstr("TestPrograms.\n"));
  EXPECT_EQ(std::ranges::count(own, '.'), 1) << own;
}

TEST(TestPrograms, AFilterLeavesOutMore) {
  for (const char* filter : {"*Alone", "-*More:*Source"}) {
    const std::string some = tests_of("test_programs_test", filter);
    EXPECT_THAT(some, HasSubstr("ASourceIsItsOwnTestsAlone")) << filter;
    EXPECT_THAT(some, Not(HasSubstr("AFilterLeavesOutMore"))) << filter;
    EXPECT_EQ(std::ranges::count(some, '.'), 1) << some;
  }
}

TEST(TestPrograms, WhatIsNoSourceIsRefused) {
  const auto refused = this_program({"no_such_test"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output, HasSubstr("no test is of no_such_test.cpp\n"));
  EXPECT_EQ(this_program({"test_programs_test", "another_test"}).status, 2);
}

TEST(TestPrograms, SkipForWantOfATool) {
  if (std::getenv("FORGE_SKIPPED_TRIAL")) GTEST_SKIP() << "no such tool";
}

TEST(TestPrograms, SkipInTheFastTier) {
  if (std::getenv("FORGE_SKIPPED_TRIAL")) GTEST_SKIP() << verif::in_full_tier << ": minutes";
}

// The full tier's tests are not among them.
TEST(TestPrograms, TestsWithoutTheirToolsAreListed) {
  const verif::TempFolder folder;
  const std::string list = folder.path("skipped.txt");
  const auto done =
      gen::run({.argv = {fs::read_symlink("/proc/self/exe").string(), "--gtest_filter=TestPrograms.Skip*"},
                .environment = {{"FORGE_SKIPPED", list}, {"FORGE_SKIPPED_TRIAL", "1"}}});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(gen::read_file(list), "TestPrograms.SkipForWantOfATool: no such tool\n");
}

TEST(TestPrograms, FailInATrial) {
  if (std::getenv("FORGE_FAILED_TRIAL") != nullptr) ADD_FAILURE() << "two\nlines";
}

TEST(TestPrograms, WhatFailsIsListedWithItsPlace) {
  const verif::TempFolder folder;
  const std::string list = folder.path("failed.txt");
  const auto done =
      gen::run({.argv = {fs::read_symlink("/proc/self/exe").string(), "--gtest_filter=TestPrograms.Fail*"},
                .environment = {{"FORGE_FAILED", list}, {"FORGE_FAILED_TRIAL", "1"}}});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(gen::read_file(list),
              testing::MatchesRegex("TestPrograms.FailInATrial: test_programs_test.cpp:[0-9]+: "
                                    "Failed two lines\n"));
}

TEST(TestPrograms, CTestRunsEverySource) {
  const auto listed =
      gen::run_checked({.argv = {"ctest", "--test-dir", gen::paths::build().string(), "-N"}}).output;
  int sources = 0;
  for (const auto& file : verif::source_tree(gen::paths::source())) {
    if (!file.path.ends_with("_test.cpp")) continue;
    ++sources;
    EXPECT_THAT(listed, HasSubstr(fmt::format(": {}\n", fs::path(file.path).stem().string())));
  }
  EXPECT_THAT(listed, HasSubstr(fmt::format("Total Tests: {}\n", sources)));
}

}  // namespace
