// `l1forge claims`: each relation where it holds and where it does not, figures worked out and stored, what
// cannot be used, and the page of all papers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gen/study/made_of.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using nlohmann::json;
using testing::EndsWith, testing::HasSubstr, testing::Not, testing::StartsWith;

const std::string head =
    "paper = \"P\"\n[result.t]\nfile = \"t.csv\"\nrows = 2\ncommand = \"`l1forge explore`\"\n";
const std::string table = "kernel,slow,fast\natax,200,100\nbfs,80,10\n";

// One claim over the table; its keys.
std::string claim(const std::string& keys) {
  return head + "[claim.c]\nsection = \"1\"\nclaim = \"what | it says\"\nkind = \"behaviour\"\n" + keys;
}

gen::Finished run_claims(const std::string& toml, const std::string& csv = table,
                         std::vector<std::string> more = {}) {
  const verif::TempFolder folder;
  folder.write("p.toml", toml);
  folder.write("t.csv", csv);
  more.insert(more.begin(), {"claims", "."});
  return verif::l1forge(more, folder.path());
}

json decision(const std::string& keys) {
  const gen::Finished done = run_claims(claim(keys), table, {"--json", "-"});
  EXPECT_EQ(done.status, 0) << done.output;
  return json::parse(done.output)["claims"][0];
}

bool holds(const std::string& keys) { return decision(keys)["holds"]; }

// The only line of claims that cannot be used.
std::string refusal(const std::string& toml, const std::string& csv = table) {
  const gen::Finished done = run_claims(toml, csv);
  EXPECT_EQ(done.status, 2) << done.output;
  EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
  return done.output;
}

}  // namespace

TEST(Claims, RelationsHoldAndFail) {
  const std::string value = "value = \"gmean(t.slow / t.fast)\"\nrelation = ";
  EXPECT_TRUE(holds(value + "\"equal\"\nexpected = 4\n"));
  EXPECT_FALSE(holds(value + "\"equal\"\nexpected = 4.001\n"));
  EXPECT_TRUE(holds(value + "\"within\"\nexpected = 5\ntolerance = 1\n"));
  EXPECT_FALSE(holds(value + "\"within\"\nexpected = 5\ntolerance = 0.9\n"));
  EXPECT_TRUE(holds(value + "\"direction\"\nexpected = 0.1\n"));
  EXPECT_FALSE(holds(value + "\"direction\"\nexpected = -4\n"));
  EXPECT_TRUE(holds(value + "\"direction\"\nexpected = \"more\"\n"));
  EXPECT_FALSE(holds(value + "\"direction\"\nexpected = \"less\"\n"));
  const std::string values = "value.a = \"t.slow[atax]\"\nvalue.b = \"t.slow[bfs]\"\nrelation = \"rank\"\n";
  EXPECT_TRUE(holds(values + "expected = [\"a\", \"b\"]\n"));
  EXPECT_FALSE(holds(values + "expected = [\"b\", \"a\"]\n"));
  EXPECT_FALSE(holds("value.a = \"1\"\nvalue.b = \"1\"\nrelation = \"rank\"\nexpected = [\"a\", \"b\"]\n"));
}

TEST(Claims, Arithmetic) {
  const auto value_of = [](const std::string& text) -> double {
    return decision("value = \"" + text + "\"\nrelation = \"equal\"\nexpected = 0\n")["value"];
  };
  EXPECT_EQ(value_of("-(2 + 3 * 4) / 7 - 1"), -3);
  EXPECT_EQ(value_of("mean(t.slow)"), 140);
  EXPECT_EQ(value_of("median(t.fast) + max(t.fast) - min(t.fast)"), 145);
  EXPECT_EQ(value_of("sum(t.slow[bfs, atax])"), 280);
  EXPECT_EQ(value_of("count(t.slow > 100)"), 1);
  EXPECT_EQ(value_of("sum(t.slow < t.fast)"), 0);
  EXPECT_EQ(value_of("max(1, 3, 2) - min(7, 5)"), -2);
  EXPECT_EQ(value_of("sum(max(t.slow, t.fast, 100))"), 300) << "row by row";
}

TEST(Claims, PageSaysWhyNotAndHowToRepeat) {
  const std::string keys =
      "value = \"t.slow[bfs]\"\nrelation = \"equal\"\nexpected = 1000\nunit = \"cycles\"\n";
  const gen::Finished bare = run_claims(claim(keys));
  EXPECT_THAT(bare.output,
              HasSubstr("1: what \\| it says | behaviour | 1,000 cycles | 80 cycles | no | not examined |"));
  EXPECT_THAT(bare.output,
              HasSubstr("- *t*: stored in [t.csv](../claims/t.csv), again by `l1forge explore`"));
  EXPECT_THAT(bare.output, HasSubstr("| **all** | 1 | 0 | 1 | 1 |"));
  const gen::Finished reported = run_claims(claim(keys + "why = \"half the warps: 90\"\n"));
  EXPECT_THAT(reported.output, HasSubstr("| no | half the warps: 90 |"));
  const json failed = decision(keys + "experiment = \"s/t\"\n");
  EXPECT_EQ(failed["experiment"], "s/t");
  EXPECT_EQ(failed["measured_by"], json({"`l1forge explore`"}));
  const gen::Finished holding =
      run_claims(claim("value = \"80\"\nrelation = \"equal\"\nexpected = 80\nwhy = \"never seen\"\n"));
  EXPECT_THAT(holding.output, testing::Not(HasSubstr("never seen")));
}

TEST(Claims, FiguresWorkedOutAtOnce) {
  const std::string sources =
      "paper = \"P\"\n[result.unit]\nunit = \"l1d_tsc\"\nsettings = [\"tags.split.private_tag_bits=5\"]\n"
      "[result.run]\nrun = [\"explore\", \"l1d\", \"--requests\", \"t.csv\"]\n";
  const std::string keys =
      "[claim.c]\nsection = \"1\"\nclaim = \"bits\"\nkind = \"structure\"\nrelation = \"equal\"\n"
      "expected = 3586\n"
      "value = \"unit.facts.published_bits_beyond_conventional_tags + count(run.runs[0].set_loads)\"\n";
  const gen::Finished done = run_claims(sources + keys, "L 0 1\nL 80 2\n", {"--json", "-"});
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(json::parse(done.output)["claims"][0]["holds"], true) << done.output;
  EXPECT_EQ(json::parse(done.output)["claims"][0]["stored"], false);
}

TEST(Claims, BadFiles) {
  const std::string good = "value = \"t.slow[bfs]\"\nrelation = \"equal\"\nexpected = 80\n";
  EXPECT_THAT(refusal(claim(good + "toleranse = 1\n")),
              StartsWith("l1forge: ./p.toml:13:1: claim.c.toleranse: no such key of claims; did you mean "
                         "tolerance?"));
  EXPECT_THAT(
      refusal(claim("value = \"1\"\nrelation = \"equals\"\nexpected = 80\n")),
      HasSubstr("p.toml:11:12: claim.c.relation = \"equals\": no such relation; did you mean equal?"));
  EXPECT_THAT(refusal(claim(good + "tolerance = 1\n")), HasSubstr("equal: takes no tolerance"));
  EXPECT_THAT(refusal(claim("value = \"1 +\"\nrelation = \"equal\"\nexpected = 80\n")),
              HasSubstr("p.toml:10:9: claim.c.value: ends too early"));
  EXPECT_THAT(refusal(claim("value = \"t.slow\"\nrelation = \"equal\"\nexpected = 80\n")),
              HasSubstr("p.toml:10:9: leaves 2 numbers where one is needed"));
  EXPECT_THAT(refusal(claim("value = \"t.slow[nw]\"\nrelation = \"equal\"\nexpected = 80\n")),
              HasSubstr("t.slow[nw]: has no row \"nw\""));
  EXPECT_THAT(refusal(claim("value = \"u.slow\"\nrelation = \"equal\"\nexpected = 80\n")),
              HasSubstr("u: there is no [result.u]"));
  EXPECT_THAT(refusal("paper = \"P\"\n[claim.c]\nsection = \"1\"\nclaim = \"x\"\n"),
              HasSubstr("p.toml:3:1: needs a relation"));
}

TEST(Claims, KindsAndWords) {
  const std::string good = "value = \"t.slow[bfs]\"\nrelation = \"within\"\nexpected = 80\ntolerance = 1\n";
  EXPECT_THAT(refusal(head + "[claim.c]\nkind = \"energie\"\n"),
              HasSubstr("p.toml:7:8: claim.c.kind = \"energie\": no such kind; did you mean energy?"));
  std::string long_words = "words = \"";
  for (int n = 0; n < 26; ++n) long_words += "w ";
  EXPECT_THAT(refusal(claim(long_words + "\"\n" + good)),
              HasSubstr("claim.c.words: has 26 words; 25 at most"));

  const std::string other =
      "[claim.d]\nsection = \"2\"\nclaim = \"y\"\nkind = \"area\"\nvalue = \"1\"\n"
      "relation = \"direction\"\nexpected = -1\n";
  const std::string both = claim("words = \"80 | cycles\"\nsized = true\n" + good) + other;
  const json found = json::parse(run_claims(both, table, {"--json", "-"}).output);
  EXPECT_EQ(found["claims"][0]["kind"], "behaviour");
  EXPECT_EQ(found["claims"][0]["quote"], "80 | cycles");
  EXPECT_EQ(found["claims"][0]["sized"], true);
  EXPECT_EQ(found["claims"][1]["sized"], false);
  EXPECT_FALSE(found["claims"][1].contains("quote"));
  EXPECT_EQ(found["kinds"].size(), 6u);
  EXPECT_EQ(found["kinds"]["behaviour"], json::parse(R"({"claims": 1, "holds": 1})"));
  EXPECT_EQ(found["kinds"]["area"], json::parse(R"({"claims": 1, "holds": 0})"));
  const std::string none = head + "[claim.c]\nsection = \"1\"\nclaim = \"x\"\n" + good;
  EXPECT_EQ(json::parse(run_claims(none, table, {"--json", "-"}).output)["kinds"]["unstated"]["claims"], 1);
  const std::string page = run_claims(both).output;
  EXPECT_THAT(page, HasSubstr("what \\| it says<br>*\"80 \\| cycles\"* | behaviour |"));
  EXPECT_THAT(page, HasSubstr("\n| area | 1 | 0 | 1 | 0 |\n"));
}

// What a claim with a size tests may not hold for the opposite, nor for no change at all.
TEST(Claims, SizesAreTested) {
  const std::string sized = "sized = true\nvalue = \"t.slow[bfs]\"\nexpected = -2\nrelation = ";
  EXPECT_THAT(refusal(claim(sized + "\"within\"\ntolerance = 3\n")),
              HasSubstr("p.toml:7:1: sized = true: a tolerance of 3 lets the opposite of -2 hold"));
  EXPECT_FALSE(holds(sized + "\"within\"\ntolerance = 2\n"));
  EXPECT_FALSE(holds(sized + "\"equal\"\n"));
  EXPECT_THAT(refusal(claim(sized + "\"direction\"\n")), HasSubstr("sized = true: direction tests no size"));
  EXPECT_THAT(refusal(claim("sized = 1\n")), HasSubstr("claim.c.sized = 1: must be true or false"));
  const gen::Finished page = run_claims(claim(sized + "\"equal\"\n"));
  EXPECT_THAT(page.output, HasSubstr("| with the paper's size | 1 | 0 | 1 | 1 |"));
}

TEST(Claims, BadResults) {
  const std::string toml = claim("value = \"t.slow[bfs]\"\nrelation = \"equal\"\nexpected = 80\n");
  EXPECT_THAT(refusal(toml, "kernel,slow,fast\natax,200,100\n"),
              EndsWith("t.csv:2: ends here, with 1 rows of 2: the file is cut short\n"));
  EXPECT_THAT(refusal(toml, "kernel,slow,fast\natax,200,100\nbfs,80,1"),
              EndsWith("t.csv:3: the line does not end: the file is cut short\n"));
  EXPECT_THAT(refusal(toml, "kernel,slow,fast\natax,200\nbfs,80,10\n"),
              EndsWith("t.csv:2: has 2 cells, the first line 3\n"));
  EXPECT_THAT(refusal(toml, "kernel,slow,fast\natax,fast,1\nbfs,80,10\n"),
              EndsWith("t.csv:2: \"fast\" is no number\n"));
  std::string other = toml;
  other.replace(other.find("t.csv"), 5, "u.csv");
  EXPECT_THAT(refusal(other), HasSubstr("u.csv: no such file; again: `l1forge explore`"));
}

// Figures of a study are compared with what makes them now, and the study is not run.
TEST(Claims, StoredFiguresSayWhatTheyWereMadeOf) {
  const verif::TempFolder folder;
  for (const char* name : {"claims", "studies"}) std::filesystem::create_directory(folder.path(name));
  const std::string study =
      "[grid.g]\nunit = \"l1d\"\nlabel = \"cache\"\nkeys.index.kind = [\"cvi\", \"pli\"]\n"
      "[inputs]\ntraces = [\"TRACES/none.rec\"]\n[measure.untimed]\n"
      "[table.t]\nrows = \"inputs\"\ncolumns = \"g\"\ncell = \"{untimed[$column][$row].hits:.1}\"\n"
      "file = \"t.csv\"\n"
      "[table.other]\nrows = \"inputs\"\ncolumns = \"g\"\ncell = \"2\"\n";
  std::string claims = claim("value = \"t.slow[bfs]\"\nrelation = \"equal\"\nexpected = 80\n");
  const std::string command = "command = \"`l1forge explore`\"";
  folder.write("claims/p.toml", claims.replace(claims.find(command), command.size(), "study = \"s\""));
  folder.write("studies/s.toml", study);
  folder.write("claims/t.csv", table);
  const auto check = [&] { return verif::l1forge({"claims", "claims", "--check"}, folder.path()); };
  EXPECT_EQ(check().status, 1);
  EXPECT_THAT(check().output, HasSubstr("t.csv: does not say what it was made of; again: `l1forge study "
                                        "docs/studies/s.toml --traces TRACES --pages`\n"));
  const gen::MadeOf made = gen::made_of(folder.path("studies/s.toml"), "t");
  folder.write("claims/t.csv", table + made.line());
  EXPECT_EQ(check().status, 0) << check().output;
  EXPECT_THAT(check().output, HasSubstr("0 of 1 stored results are older than what makes them\n"));
  EXPECT_EQ(verif::l1forge({"claims", "claims"}, folder.path()).status, 0) << "the line is no row";

  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = study;
    folder.write("studies/s.toml", text.replace(text.find(from), from.size(), to));
    const std::string output = check().output;
    const std::size_t at = output.find("made of other ");
    return at == std::string::npos ? output : output.substr(at, output.find(';') - at);
  };
  EXPECT_THAT(changed("cell = \"2\"", "cell = \"3\""), HasSubstr("0 of 1")) << "a table of another file";
  EXPECT_THAT(changed("\"cache\"", "\"L1\""), HasSubstr("0 of 1"));
  EXPECT_EQ(changed("hits:.1", "hits:.2"), "made of other study");
  EXPECT_EQ(changed("hits:.1", "misses:.1"), "made of other study and models") << "another figure";
  EXPECT_THAT(changed("{untimed[$column][$row].hits:.1}", "1"), HasSubstr("names no figure of its measures"));
  EXPECT_EQ(changed("none.rec", "some.rec"), "made of other study");
  EXPECT_EQ(changed("\"cvi\", ", ""), "made of other study and models");
  EXPECT_EQ(changed("hits:.1}", "hits:.1} {bits[$column]}"), "made of other study and units");
  EXPECT_EQ(changed("\"cvi\"", "\"bxi\""), "made of other study and models");
  EXPECT_THAT(changed("file = \"t.csv\"", "file = \"u.csv\""),
              HasSubstr("no table of the study s writes it"));
  folder.write("studies/s.toml", study);
  gen::MadeOf older = made;
  older.models = "0123456789abcdef";
  folder.write("claims/t.csv", table + older.line());
  EXPECT_THAT(check().output, HasSubstr("t.csv: made of other models; again: "));
  EXPECT_EQ(verif::l1forge({"claims", "claims", "--check", "-o", "x.md"}, folder.path()).status, 2);
}

TEST(Claims, StoredResultsHereSayWhatTheyWereMadeOf) {
  const gen::Finished done = verif::l1forge({"claims", "--check", "--paper", "TSC"});
  EXPECT_LE(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr(" stored results are older than what makes them\n"));
  for (const char* fault : {"does not say", "no table of", "is no study"})
    EXPECT_THAT(done.output, Not(HasSubstr(fault)));
}

// The page is what the command writes; a change of a figure needs a new page.
TEST(Claims, PageOfAllPapers) {
  const verif::TempFolder folder;
  const gen::Finished done =
      verif::l1forge({"claims", "-o", folder.path("claims.md"), "--json", folder.path("claims.json")});
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(folder.content("claims.md"), gen::read_file(verif::in_source("docs/results/claims.md")));
  EXPECT_THAT(folder.content("claims.md"), Not(HasSubstr("unstated"))) << "each claim here has a kind";
  EXPECT_GE(json::parse(folder.content("claims.json"))["claims"].size(), 60u);
  const gen::Finished one = verif::l1forge({"claims", "--paper", "TSCC"});
  EXPECT_EQ(one.status, 2);
  EXPECT_THAT(one.output, HasSubstr("TSCC: no such paper; there are "));
}
