// docs/pictures.py: pictures of results equal what the program draws, and a picture that it cannot draw is
// named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "gen/config/catalogue.h"
#include "gen/datasheet/diagrams.h"
#include "gen/files.h"
#include "gen/marked_file.h"
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
  const std::string script = gen::read_file(verif::in_source("docs/pictures.py")) +
                             gen::read_file(verif::in_source("docs/table_pictures.py"));
  for (const auto& file : std::filesystem::directory_iterator(verif::in_source("docs/results"))) {
    if (file.path().extension() != ".svg") continue;
    EXPECT_THAT(script, HasSubstr('"' + file.path().stem().string() + '"'));
  }
}

// Every page but the lists of claims and figures has a picture before its first heading.
TEST(Pictures, EachPageOfResultsOpensWithOne) {
  const std::set<std::string> lists{"README", "claims", "coverage"};
  for (const auto& page : std::filesystem::directory_iterator(verif::in_source("docs/results"))) {
    if (page.path().extension() != ".md" || lists.contains(page.path().stem())) continue;
    const std::string text = gen::read_file(page.path());
    EXPECT_THAT(text.substr(0, text.find("\n## ")),
                testing::ContainsRegex("!\\[[^]]+\\]\\([a-z0-9-]+\\.svg\\)"))
        << page.path();
  }
}

TEST(Pictures, OfTablesSayWhatTheirTablesSay) {
  const gen::Finished done = pictures({"--check", "tables"});
  if (done.output.find("no vl-convert") != std::string::npos) GTEST_SKIP() << "no vl-convert: ./forge charts";
  EXPECT_EQ(done.status, 0) << done.output;
}

// A page with another number, and pages without the table or without numbers.
TEST(Pictures, ATableThatChangesIsDrawnAnother) {
  const std::string docs = verif::in_source("docs");
  const auto drawn = [&](const std::string& table) {
    return gen::run(
               {.argv =
                    {"python3", "-c",
                     "import sys; sys.path.insert(0, sys.argv[1]); import table_pictures as t\n"
                     "try: print([v['value'] for v in t.values(t.PICTURES['banks-speed'], sys.argv[2])])\n"
                     "except t.NoTable as why: print(why)",
                     docs, table}})
        .output;
  };
  const std::string head = "| kernel | l1d | 2 | c | 4 |\n| --- | --- | --- | --- | --- |\n";
  EXPECT_EQ(drawn(head + "| a | 1,000 | 500 (3) | 0 | 800 |\n"), "[2.0, 1.25]\n");
  EXPECT_EQ(drawn(head + "| a | 1,000 | 400 (3) | 0 | 800 |\n"), "[2.5, 1.25]\n");
  EXPECT_EQ(drawn("no table\n"), "has no table\n");
  EXPECT_EQ(drawn(head + "| a | b | c | d | e |\n"), "has no numbers in its first table\n");
}

// Those of the contracts that show a preset as it is; the others are drawn in the full tier.
TEST(Pictures, BlockDiagramsOfContractsAreUnchanged) {
  const std::filesystem::path folder = verif::in_source("docs/contracts/diagrams");
  int compared = 0;
  for (const std::string& preset : gen::preset_names()) {
    const std::filesystem::path file = folder / (preset + "-block.svg");
    if (preset == "shared_l1" || !std::filesystem::exists(file)) continue;
    ++compared;
    const gen::Diagram drawn = gen::diagrams_of(gen::load_config(preset), false).front();
    EXPECT_EQ(gen::read_file(file), gen::marked(drawn.svg, file)) << preset;
  }
  EXPECT_GT(compared, 20);
}

// Every page has a block diagram and cycles of a co-simulation before its first heading.
TEST(Pictures, EachContractOpensWithItsDiagrams) {
  for (const auto& page : std::filesystem::directory_iterator(verif::in_source("docs/contracts"))) {
    if (page.path().extension() != ".md" || page.path().stem() == "README") continue;
    const std::string text = gen::read_file(page.path());
    const std::string opening = text.substr(0, text.find("\n## "));
    EXPECT_THAT(opening, testing::ContainsRegex(
                             "!\\[Block diagram [^]]*\\]\\((diagrams/[a-z0-9_]+-block|l1d)\\.svg\\)"))
        << page.path();
    EXPECT_THAT(opening, testing::ContainsRegex("!\\[Timing [^]]*\\]\\(diagrams/[a-z0-9_]+-[a-z-]+\\.svg\\)"))
        << page.path();
  }
}

TEST(Pictures, OfAContractIsUnchanged) {
  const gen::Finished done = pictures({"--check", verif::full_tier() ? "contracts" : "contracts/secded"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("secded-block: unchanged"));
}

TEST(Pictures, OfIacmIsUnchanged) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  const gen::Finished done = pictures({"--check", "iacm-atax"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("iacm-atax: unchanged"));
}
