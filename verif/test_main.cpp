// The program of a folder's tests: all of them, or those of one source: `l1d_tests drops_test --gtest_filter=...`.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace {

bool is_of(const testing::TestInfo& test, const std::string& source) {
  return std::filesystem::path(test.file()).stem() == source;
}

// Leaves the tests of other sources out, beside what the caller's filter leaves out; how many are of this one.
int keep_tests_of(const std::string& source) {
  std::string& filter = testing::GTEST_FLAG(filter);
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::string others;
  int kept = 0;
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      if (is_of(test, source))
        ++kept;
      else
        others += fmt::format(":{}.{}", suite.name(), test.name());
    }
  }
  if (filter.find('-') == std::string::npos && !others.empty()) filter += '-';
  filter += others;
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (argc > 2) {
    fmt::print(stderr, "{}: give one source of tests, or none\n", argv[0]);
    return 2;
  }
  if (argc == 2 && keep_tests_of(argv[1]) == 0) {
    fmt::print(stderr, "{}: no test is of {}.cpp\n", argv[0], argv[1]);
    return 2;
  }
  return RUN_ALL_TESTS();
}
