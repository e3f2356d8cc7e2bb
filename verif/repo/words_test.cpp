// The words of pages and comments: all of them hold the rules of words.py, and a bad page breaks each rule.
#include <gmock/gmock.h>

#include <string>

#include "gen/files.h"
#include "gen/paths.h"
#include "gen/process.h"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

gen::Finished words(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"python3", gen::paths::source() / "verif/repo/words.py"});
  return gen::run({.argv = arguments});
}

class Words : public testing::Test {
 protected:
  std::string page(const std::string& text) {
    gen::write_file_atomically(folder_.path() / "page.md", text);
    return folder_.path() / "page.md";
  }
  gen::Finished check(const std::string& text) { return words({"--check", page(text)}); }

  gen::TempDir folder_{"words-test"};
};

std::string sentence(int length) {
  std::string out = "Caches";
  while (--length > 0) out += " wait";
  return out + ". ";
}

TEST_F(Words, OfAllPagesAndCommentsAreTheFieldsOwn) {
  const auto done = words({"--check"});
  EXPECT_EQ(done.status, 0) << done.output;
}

TEST_F(Words, OfEveryPageAreCounted) {
  const auto done = words({});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.output, AllOf(HasSubstr("  README.md\n"), HasSubstr("  docs/contracts/l1d.md\n"),
                                 HasSubstr("  all\n")));
}

TEST_F(Words, ALongMeanIsAComplaint) {
  EXPECT_EQ(check(sentence(20) + sentence(20)).status, 0);
  const auto done = check(sentence(20) + sentence(21));
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.output, HasSubstr("page.md: 20.5 words a sentence, at most 20"));
}

TEST_F(Words, OneLongSentenceIsAComplaint) {
  EXPECT_EQ(check(sentence(40) + sentence(5) + sentence(5)).status, 0);
  EXPECT_THAT(check(sentence(41) + sentence(5) + sentence(5)).output, HasSubstr(": 41 words, at most 40: "));
}

TEST_F(Words, AnOldWordIsAComplaintInProseTablesAndHeadings) {
  const auto done = check("# A verdict\nThe line is doomed.\n\n| a twin | `room` |\n");
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.output,
              AllOf(HasSubstr("page.md:1: old word 'verdict'"), HasSubstr("page.md:2: old word 'doomed'"),
                    HasSubstr("page.md:4: old word 'twin'"), Not(HasSubstr("'room'"))));
}

TEST_F(Words, InCodeAndOrdinaryEnglishAreFree) {
  const auto done = check("```\nthe verdict of a twin\n```\nA load takes the place of `must_see`.\n");
  EXPECT_EQ(done.status, 0) << done.output;
}

TEST_F(Words, TablesCodeAndHeadingsAreNoSentences) {
  const std::string cell = "| " + sentence(60) + "|\n";
  const std::string code = "```\n" + sentence(60) + "\n```\n";
  EXPECT_EQ(check("# " + sentence(60) + "\n" + cell + "\n" + code + "Short.\n").status, 0);
}

TEST_F(Words, OfCodeAreThoseOfCommentsAndIdentifiers) {
  const std::string code =
      "// A doomed\n"
      "// line.\n"
      "int way;  // a hit\n"
      "int has_room, prefer_leftover_victims;\n"
      "WaiterList f(\"core.peeks\");\n";
  gen::write_file_atomically(folder_.path() / "a.cpp", code);
  const auto done = words({"-v", folder_.path()});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.output,
              AllOf(HasSubstr("        2    2.5        3          3  "), HasSubstr("1: doomed: "),
                    HasSubstr("4: room: has_room"), HasSubstr("5: waiter: WaiterList")));
}

TEST_F(Words, AFileThatIsNotThereIsBadUse) {
  const auto done = words({folder_.path() / "none.md"});
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.output, HasSubstr("words.py: no such file: "));
}

}  // namespace
