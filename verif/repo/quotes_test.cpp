// verif/repo/quotes.py: each claim quotes its paper, and a quotation that a text does not have is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gen/process.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr;

gen::Finished quotes(std::vector<std::string> argv) {
  argv.insert(argv.begin(), {"python3", verif::in_source("verif/repo/quotes.py")});
  return gen::run({.argv = argv});
}

std::string claim(const std::string& id, const std::string& words) {
  return "[claim." + id + "]\nkind = \"area\"\nsized = true\nwords = \"" + words + "\"\n";
}

// A claim with these words, beside two that say which of the texts is the paper.
gen::Finished quoted(const std::string& words) {
  const verif::TempFolder folder;
  folder.write("p.toml", claim("a", "a cache of 16KB") + claim("b", "all kernels") + claim("c", words));
  folder.write("1.txt", "It has one claim.\n");
  folder.write("2.txt",
               "With a cache of 16KB the geo-\nmetric mean of *all* kernels is\n$4\\times$ higher.\n");
  return quotes({"--claims", folder.path(), "--papers", folder.path()});
}

}  // namespace

TEST(Quotes, EachClaimHasOne) {
  const gen::Finished done = quotes({});
  EXPECT_EQ(done.status, 0) << done.output;
}

TEST(Quotes, AreFoundInTheirPaper) {
  for (const char* words :
       {"the geometric mean of all kernels is 4× higher", "With a cache ... is 4× higher"})
    EXPECT_EQ(quoted(words).status, 0) << quoted(words).output;
  for (const char* words : {"is 5× higher", "is 4× higher ... With a cache", "It has one claim"}) {
    const gen::Finished done = quoted(words);
    EXPECT_EQ(done.status, 1);
    EXPECT_THAT(done.output, HasSubstr(std::string("p.toml: claim.c: 2.txt does not say \"") + words));
    EXPECT_THAT(done.output, HasSubstr("1 of 3 claims fail"));
  }
}

TEST(Quotes, AreStated) {
  const verif::TempFolder folder;
  folder.write("p.toml", "[claim.c]\nwords = \" - \"\nexperiment = \"iacm/sped\"\n");
  const gen::Finished done = quotes({"--claims", folder.path()});
  EXPECT_EQ(done.status, 1);
  for (const char* fault : {"has no words of the paper", "does not state kind", "does not state sized",
                            "no study has the table iacm/sped"})
    EXPECT_THAT(done.output, HasSubstr(std::string("p.toml: claim.c: ") + fault));
}
