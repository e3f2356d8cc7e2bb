// docs/results/coverage.md: each figure and table of the papers has a state, by claims and pages that exist.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "gen/process.h"
#include "verif/repo/source_tree.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

namespace fs = std::filesystem;

const fs::path root = gen::paths::source();

std::string text_of(const fs::path& path) {
  std::ifstream in(root / path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> all_of(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

// By the page that `l1forge claims` writes.
std::map<std::string, bool> outcomes() {
  std::map<std::string, bool> holds;
  for (const std::string& line : verif::lines(text_of("docs/results/claims.md")))
    for (const std::string& id : all_of(line, "<a id=\"([^\"]+)\">"))
      holds[id] = line.find(" | yes | ") != std::string::npos;
  return holds;
}

struct Row {
  std::string item, shows, state, by;
};

std::vector<Row> rows(const std::string& page) {
  std::vector<Row> found;
  for (const std::string& line : verif::lines(page)) {
    const std::vector<std::string> cells = all_of(line, R"(\| ([^|]*) (?=\|))");
    if (cells.size() == 4 && cells[0] != "---" && cells[2] != "state")
      found.push_back({cells[0], cells[1], cells[2], cells[3]});
  }
  return found;
}

std::vector<std::string> claims_in(const std::string& text) {
  return all_of(text, R"(\]\(claims\.md#([^)]+)\))");
}

}  // namespace

TEST(Coverage, EachRowHasAStateThatItsClaimsSupport) {
  const std::set<std::string> states{"reproduced", "refuted",   "partly",    "built",
                                     "not yet",    "cannot be", "background"};
  const std::map<std::string, bool> holds = outcomes();
  const std::vector<Row> found = rows(text_of("docs/results/coverage.md"));
  EXPECT_GE(found.size(), 150u);
  for (const Row& row : found) {
    SCOPED_TRACE(row.item + ": " + row.shows);
    EXPECT_TRUE(states.contains(row.state)) << row.state;
    EXPECT_FALSE(row.shows.empty());
    EXPECT_EQ(row.by.empty(), row.state == "background");
    const std::vector<std::string> claims = claims_in(row.by);
    const bool all_hold = row.state == "reproduced", none_holds = row.state == "refuted";
    EXPECT_FALSE((all_hold || none_holds) && claims.empty());
    for (const std::string& id : claims) {
      ASSERT_TRUE(holds.contains(id)) << id;
      EXPECT_FALSE(holds.at(id) ? none_holds : all_hold) << id;
    }
  }
}

TEST(Coverage, NamesEachClaimAndPagesThatExist) {
  const std::string page = text_of("docs/results/coverage.md");
  const std::vector<std::string> list = claims_in(page);
  const std::set<std::string> named(list.begin(), list.end());
  std::size_t claims = 0;
  for (const auto& file : fs::directory_iterator(root / "docs/claims"))
    if (file.path().extension() == ".toml")
      for (const std::string& id : all_of("\n" + text_of(file.path()), R"(\n\[claim\.([^\]]+)\])")) {
        EXPECT_TRUE(named.contains(id)) << id;
        ++claims;
      }
  EXPECT_EQ(named.size(), claims);
  for (const std::string& link : all_of(page, R"(\]\(([^)#]+))"))
    EXPECT_TRUE(fs::is_regular_file(root / "docs/results" / link)) << link;
}

TEST(Coverage, CountsAreThoseOfTheRows) {
  const std::string page = text_of("docs/results/coverage.md");
  std::map<std::string, int> counts;
  for (const Row& row : rows(page)) ++counts[row.state];
  for (const auto& [state, count] : counts)
    EXPECT_NE(page.find("\n- " + std::to_string(count) + " " + state + ":"), std::string::npos) << state;
}

// docs/claims/pages.py writes these rows, the sources' pages and the lists of claims from the claims.
TEST(Coverage, PagesSayWhatTheClaimsSay) {
  const gen::Finished done =
      gen::run({.argv = {"python3", (root / "docs/claims/pages.py").string(), "--check"}});
  EXPECT_EQ(done.status, 0) << done.output;

  const verif::TempFolder copy;
  for (const char* folder : {"claims", "results"})
    fs::copy(root / "docs" / folder, copy.path(folder), fs::copy_options::recursive);
  std::string page = text_of("docs/results/claims.md");
  const std::string holding = "<a id=\"tsc-speed\">";
  const std::size_t outcome = page.find(" | yes | ", page.find(holding));
  copy.write("results/claims.md", page.replace(outcome, 9, " | no | "));
  const auto pages = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"python3", copy.path("claims/pages.py")});
    return gen::run({.argv = more});
  };
  const gen::Finished differs = pages({"--check"});
  EXPECT_EQ(differs.status, 1);
  EXPECT_NE(differs.output.find("docs/results/tsc.md: differs"), std::string::npos) << differs.output;
  EXPECT_EQ(pages({}).status, 0);
  EXPECT_EQ(pages({"--check"}).status, 0);
}
