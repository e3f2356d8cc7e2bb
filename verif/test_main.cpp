// The program of a folder's tests: all of them, or those of one source: `l1d_tests drops_test
// --gtest_filter=...`.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "verif/full_tier.h"

namespace {

bool is_of(const testing::TestInfo& test, const std::string& source) {
  return std::filesystem::path(test.file()).stem() == source;
}

// Leaves the tests of other sources out, beside what the caller's filter leaves out. Says why it cannot: no
// test is of this source, or one has the name of another's, which a filter cannot distinguish.
std::string keep_tests_of(const std::string& source) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::set<std::string> own;
  std::set<std::string> others;
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      (is_of(test, source) ? own : others).insert(fmt::format("{}.{}", suite.name(), test.name()));
    }
  }
  if (own.empty()) return fmt::format("no test is of {}.cpp", source);
  for (const std::string& name : own)
    if (others.contains(name))
      return fmt::format("{} is in {}.cpp and in another source: rename one", name, source);

  std::string& filter = testing::GTEST_FLAG(filter);
  if (filter.find('-') == std::string::npos && !others.empty()) filter += '-';
  for (const std::string& name : others) filter += ":" + name;
  return "";
}

// Appends each test that skips for want of a tool to the file that FORGE_SKIPPED names, a line each: a
// skipped test counts as passed, so `./forge test` names them at its end.
class MissingTools : public testing::EmptyTestEventListener {
  void OnTestSuiteStart(const testing::TestSuite& suite) override { name_ = suite.name(); }
  void OnTestStart(const testing::TestInfo& test) override {
    name_ = fmt::format("{}.{}", test.test_suite_name(), test.name());
  }
  void OnTestPartResult(const testing::TestPartResult& part) override {
    const char* file = std::getenv("FORGE_SKIPPED");
    if (file == nullptr || !part.skipped()) return;
    const std::string why = part.message();
    if (why.find(verif::in_full_tier) != std::string::npos) return;
    std::ofstream(file, std::ios::app) << name_ << ": " << why.substr(why.find_first_not_of(" \n")) << '\n';
  }

  std::string name_;  // of the test that runs
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  std::string refusal;
  if (argc > 2)
    refusal = "give one source of tests, or none";
  else if (argc == 2)
    refusal = keep_tests_of(argv[1]);
  if (!refusal.empty()) {
    fmt::print(stderr, "{}: {}\n", argv[0], refusal);
    return 2;
  }
  testing::UnitTest::GetInstance()->listeners().Append(new MissingTools);
  return RUN_ALL_TESTS();
}
