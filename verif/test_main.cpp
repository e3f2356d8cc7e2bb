// The program of a folder's tests: all of them, or those of one source: `l1d_tests drops_test
// --gtest_filter=...`.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "verif/full_tier.h"

namespace {

namespace fs = std::filesystem;

bool is_of(const testing::TestInfo& test, const std::string& source) {
  return fs::path(test.file()).stem() == source;
}

std::string suite_of(const std::string& name) { return name.substr(0, name.find('.')); }

// A filter for these tests: a suite that no other test is in by its name alone.
std::string shortest_list(const std::set<std::string>& own, const std::set<std::string>& others) {
  std::set<std::string> shared, terms;
  for (const std::string& name : others) shared.insert(suite_of(name));
  for (const std::string& name : own)
    terms.insert(shared.contains(suite_of(name)) ? name : suite_of(name) + ".*");
  return fmt::format("{}", fmt::join(terms, ":"));
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
  if (filter == "*") {  // gtest prints its filter, so the shorter list
    filter = shortest_list(own, others);
    return "";
  }
  if (filter.find('-') == std::string::npos && !others.empty()) filter += '-';
  for (const std::string& name : others) filter += ":" + name;
  return "";
}

// For the end of `./forge test`, a line each: to the file that FORGE_SKIPPED names, the tests that skip for
// want of a tool, since a skipped test counts as passed; to that of FORGE_FAILED, what failed and where.
class ForTheEnd : public testing::EmptyTestEventListener {
  void OnTestSuiteStart(const testing::TestSuite& suite) override { name_ = suite.name(); }
  void OnTestStart(const testing::TestInfo& test) override {
    name_ = fmt::format("{}.{}", test.test_suite_name(), test.name());
  }
  void OnTestPartResult(const testing::TestPartResult& part) override {
    const std::string why = part.message();
    if (part.skipped() && why.find(verif::in_full_tier) == std::string::npos)
      append("FORGE_SKIPPED", why.substr(why.find_first_not_of(" \n")));
    if (part.failed()) append("FORGE_FAILED", fmt::format("{}: {}", place(part), in_a_line(why)));
  }

  static std::string place(const testing::TestPartResult& part) {
    if (part.file_name() == nullptr) return "somewhere";
    return fmt::format("{}:{}", fs::path(part.file_name()).filename().string(), part.line_number());
  }
  static std::string in_a_line(std::string text) {
    constexpr std::size_t longest = 500;
    if (text.size() > longest) text = text.substr(0, longest) + "...";
    std::ranges::replace(text, '\n', ' ');
    return text;
  }
  void append(const char* variable, const std::string& text) const {
    if (const char* file = std::getenv(variable))
      std::ofstream(file, std::ios::app) << name_ << ": " << text << '\n';
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
  testing::UnitTest::GetInstance()->listeners().Append(new ForTheEnd);
  return RUN_ALL_TESTS();
}
