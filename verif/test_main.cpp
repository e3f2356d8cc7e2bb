// The program of a folder's tests: all of them, or those of one source: `l1d_tests drops_test
// --gtest_filter=...`.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

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
  return RUN_ALL_TESTS();
}
