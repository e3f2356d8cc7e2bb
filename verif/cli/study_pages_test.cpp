// Tables of studies in pages and files: what stands in them, that nothing else of a page changes, and that
// the documentation's own pages and studies fit each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "gen/config/toml_source.h"
#include "verif/cli/chart_reader.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

namespace fs = std::filesystem;
using testing::EndsWith, testing::HasSubstr, testing::StartsWith;

const std::string grids =
    "pages = [\"page.md\"]\n[grid.plain]\nunit = \"l1d\"\nlabel = \"as it comes\"\n[grid.two]\nunit = "
    "\"l1d\"\n"
    "keys.geometry.ways = 2\n[inputs]\ntraces = [\"builtin:kmeans?points=300\", \"builtin:nw?n=128\"]\n"
    "names = [\"kmeans\", \"nw\"]\n[measure.untimed]\n";

const std::string table =
    "[table.misses]\nheading = \"kernel\"\nfile = \"misses.csv\"\n"
    "rows = [\"inputs\", [\"kmeans, nw\", \"mean\"]]\ncolumns = \"configurations\"\n"
    "cell = \"{gmean(untimed[$column][$row].misses):,.0} of {max(untimed[$column][$row].loads)}\"\n";

std::string block(const std::string& name, const std::string& content) {
  return "<!-- table " + name + " -->\n" + content + "<!-- /table -->\n";
}

class Folder {
 public:
  Folder(const std::string& study, const std::string& page) {
    folder_.write("small.toml", study);
    folder_.write("page.md", page);
  }
  gen::Finished run(std::vector<std::string> more = {"--pages"}) const {
    more.insert(more.begin(), {"study", "small.toml", "--jobs", "1"});
    return verif::l1forge(more, folder_.path());
  }
  std::string content(const std::string& name) const { return folder_.content(name); }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  bool has(const std::string& name) const { return fs::exists(folder_.path(name)); }

 private:
  verif::TempFolder folder_;
};

// Why the page was refused; it stays as it was.
std::string refusal(const std::string& page) {
  const Folder folder(grids + table, page);
  const gen::Finished done = folder.run();
  EXPECT_EQ(done.status, 2) << done.output;
  EXPECT_EQ(folder.content("page.md"), page);
  EXPECT_FALSE(folder.has("misses.csv"));
  return done.output;
}

std::string lines_of_file(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The study and table of each block of a page.
std::vector<std::pair<std::string, std::string>> blocks_of(const std::string& page) {
  const std::string opening = "\n<!-- table ";
  std::vector<std::pair<std::string, std::string>> blocks;
  for (std::size_t at = page.find(opening); at != std::string::npos; at = page.find(opening, at + 1)) {
    const std::size_t slash = page.find('/', at), end = page.find(" -->", at), from = at + opening.size();
    blocks.emplace_back(page.substr(from, slash - from), page.substr(slash + 1, end - slash - 1));
  }
  return blocks;
}

bool measured_by(const std::string& test, const std::string& page, const std::string& table) {
  for (const auto& entry : fs::recursive_directory_iterator(verif::in_source("verif")))
    if (entry.path().filename() == test + ".cpp") {
      const std::string text = lines_of_file(entry.path());
      return text.find('"' + page + "\", \"" + test + '"') != std::string::npos &&
             text.find("{\"" + table + '"') != std::string::npos;
    }
  return false;
}

const fs::path studies = verif::in_source("docs/studies"), results = verif::in_source("docs/results");

}  // namespace

// The figures of the command, in the block and nowhere else; once more, and nothing changes.
TEST(StudyPages, ATableInAPage) {
  const std::string before = "# Page\nProse.\n\n", behind = "\nMore, the end without a line";
  const Folder folder(grids + table, before + block("small/misses", "| old |\n") + behind);
  ASSERT_EQ(folder.run({}).status, 0);
  EXPECT_THAT(folder.content("page.md"), HasSubstr("| old |")) << "written by --pages alone";
  const gen::Finished done = folder.run();
  ASSERT_EQ(done.status, 0) << done.output;
  const auto alone = verif::l1forge({"explore", "l1d", "--untimed", "--trace", "builtin:kmeans?points=300",
                                     "builtin:nw?n=128", "--json", "-"});
  const auto runs = nlohmann::json::parse(alone.output)["runs"];
  const std::string page = folder.content("page.md");
  EXPECT_THAT(page, StartsWith(before + "<!-- table small/misses -->\n| kernel | as it comes | two |\n"
                                        "| --- | ---: | ---: |\n| kmeans | "));
  EXPECT_THAT(page, EndsWith(" |\n<!-- /table -->\n" + behind));
  const int loads = runs[0]["loads"], misses = runs[1]["misses"];
  ASSERT_LT(misses, 1'000'000);
  ASSERT_GE(misses, 1000);
  const std::string with_comma =
      std::to_string(misses / 1000) + "," + std::to_string(1000 + misses % 1000).substr(1);
  EXPECT_THAT(page, HasSubstr(" of " + std::to_string(loads) + " | "));
  EXPECT_THAT(page, HasSubstr("| nw | " + with_comma + " of "));
  EXPECT_THAT(page, HasSubstr("| mean | "));
  EXPECT_THAT(folder.content("misses.csv"), StartsWith("kernel,plain,two\nkmeans,"));
  EXPECT_THAT(folder.content("misses.csv"), HasSubstr("\nnw," + std::to_string(misses) + " of "));
  EXPECT_THAT(folder.content("misses.csv"),
              StartsWith(folder.content("small-study/tables/misses.csv") + "# made of study "));
  EXPECT_THAT(folder.content("small-study/study.md"), HasSubstr("| nw | " + with_comma + " of "));
  ASSERT_EQ(folder.run().status, 0);
  EXPECT_EQ(folder.content("page.md"), page);
}

// An item of a list, of one input and over both.
TEST(StudyPages, ItemsOfLists) {
  const Folder folder(
      grids +
          "[table.set]\nrows = [\"inputs\", [\"kmeans, nw\", \"both\"]]\n"
          "columns = [[\"loads\", \"loads\", \"{sum(untimed[plain][$row].set_loads[3])}\"]]\n",
      block("small/set", ""));
  const gen::Finished done = folder.run();
  ASSERT_EQ(done.status, 0) << done.output;
  const auto alone = verif::l1forge({"explore", "l1d", "--untimed", "--trace", "builtin:kmeans?points=300",
                                     "builtin:nw?n=128", "--json", "-"});
  const auto runs = nlohmann::json::parse(alone.output)["runs"];
  const int first = runs[0]["set_loads"][3], second = runs[1]["set_loads"][3];
  ASSERT_NE(first, second);
  const auto row = [](const char* name, int loads) {
    return std::string("| ") + name + " | " + std::to_string(loads) + " |\n";
  };
  EXPECT_THAT(folder.content("page.md"),
              HasSubstr(row("kmeans", first) + row("nw", second) + row("both", first + second)));
}

TEST(StudyPages, StylesWordsAndCellsOfTheirOwn) {
  const Folder folder(grids +
                          "[let]\nthree = \"$column + 3\"\n[table.n]\nrows = [\"r\", [\"s\", \"S\", "
                          "\"row\"]]\ncolumns = [\"1\", "
                          "[\"9.96\", \"b\"], [\"-0.04\", \"\"], [\"1234567\", \"c\", \"{$three:,.1} "
                          "{$column:.1s} {$column:+}\"]]\n"
                          "cell = \"{$column:.1s}{$three:+.2}{untimed[plain][bfs].loads:,?}\"\n",
                      block("small/n", ""));
  const gen::Finished done = folder.run();
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(folder.content("page.md"),
            block("small/n",
                  "|  | 1 | b |  | c |\n| --- | ---: | ---: | ---: | ---: |\n"
                  "| r | 1.0+4.00 | 10+12.96 | 0.0+2.96 | 1,234,570.0 1234567 +1234567 |\n"
                  "| S | row | row | row | 1,234,570.0 1234567 +1234567 |\n"));
}

// Two measures of one kind, one of some grids alone; the inputs of another study; labels with values; lists.
TEST(StudyPages, WhatTablesAreMadeFrom) {
  const Folder folder(
      "pages = [\"page.md\"]\n[inputs]\nof = \"other.toml\"\n[grid.ways]\nunit = \"l1d\"\n"
      "label = \"{geometry.ways} ways\"\nkeys.geometry.ways = [2, 4]\n[grid.model]\n"
      "unit = \"l1d_reuse_filter\"\nmodel_only = true\nkeys.tags.reuse_filter.dueling = true\n"
      "[measure.four]\nsms = 4\nkind = \"untimed\"\n[measure.one]\nkind = \"untimed\"\n"
      "grids = [\"ways\"]\n"
      "[table.t]\nrows = [\"four\", [\"one\", \"one SM\"]]\ncolumns = [\"ways\", [\"model\", \"2\", "
      "\"{four[model][nw].per_sm[2].loads}\"], [\"all\", \"all\", \"{sum(one[ways][nw].sms)} "
      "{max(settings[ways].geometry.ways * (one[ways][nw].sms > 0))}\"]]\ncell = "
      "\"{$row[$column][nw].sms}\"\n",
      block("small/t", ""));
  folder.write("other.toml", "[inputs]\ntraces = [\"builtin:nw?n=64\"]\nnames = [\"nw\"]\n");
  const gen::Finished done = folder.run();
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("3 configurations, 5 of 5 results"));
  EXPECT_THAT(folder.content("page.md"), HasSubstr("\n|  | 2 ways | 4 ways | 2 | all |\n"));
  EXPECT_THAT(folder.content("page.md"), HasSubstr("\n| four | 4 | 4 | "));
  EXPECT_THAT(folder.content("page.md"), HasSubstr("\n| one SM | 1 | 1 | "));
  EXPECT_THAT(folder.content("page.md"), HasSubstr(" | 2 4 |\n")) << "both configurations with that word";
}

// Blocks of another study stay as they are.
TEST(StudyPages, OtherBlocksStay) {
  const std::string other = block("large/misses", "| 1 |\n");
  const Folder folder(grids + table, other + block("small/misses", ""));
  ASSERT_EQ(folder.run().status, 0);
  EXPECT_THAT(folder.content("page.md"), StartsWith(other + "<!-- table small/misses -->\n| kernel"));
}

TEST(StudyPages, AFailedResultLeavesThem) {
  const std::string page = block("small/misses", "| old |\n");
  const Folder folder(grids + "[measure.timed]\nsystem = \"nowhere\"\n" + table, page);
  const gen::Finished done = folder.run();
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.output, HasSubstr("small.toml: its pages stay as they are\n"));
  EXPECT_EQ(folder.content("page.md"), page);
}

TEST(StudyPages, Refusals) {
  EXPECT_EQ(refusal("Prose\n<!-- table small/misses -->\n"),
            "l1forge: page.md:2: needs <!-- /table --> behind the table\n");
  EXPECT_EQ(refusal(block("small/mises", "")),
            "l1forge: page.md:1: small/mises: the study has no [table.mises]; did you mean misses?\n");
  EXPECT_EQ(refusal("<!-- table small/misses -->\n" + block("small/misses", "")),
            "l1forge: page.md:1: needs <!-- /table --> before the next table\n");
  EXPECT_EQ(refusal("<!-- /table -->\n"), "l1forge: page.md:1: ends a table that does not begin\n");
  EXPECT_EQ(refusal(block("misses", "")), "l1forge: page.md:1: must be <!-- table STUDY/NAME -->\n");
}

// Tables, charts and fronts print it; expressions and study.json go by the name.
TEST(StudyPages, ALabelIsPrinted) {
  const auto study = [](const std::string& label) {
    return "[grid.two]\nunit = \"l1d\"\nlabel = \"" + label +
           "\"\nkeys.geometry.ways = [2, 4]\nkeys.index.kind = [\"pli\"]\n[inputs]\n"
           "traces = [\"builtin:nw?n=64\"]\n[measure.untimed]\n[pareto.p]\ncost = \"bits\"\n"
           "value = \"untimed.misses\"\n";
  };
  const Folder folder(study("{geometry.ways} ways, {index.kind} {index.kind}"), "");
  const gen::Finished done = folder.run({});
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(folder.content("small-study/study.md"), HasSubstr("2 ways, pli pli"));
  EXPECT_THAT(folder.content("small-study/study.md"), testing::Not(HasSubstr("geometry.ways=2")));
  const std::string page = folder.content("small-study/study.html");
  EXPECT_THAT(page.substr(page.find("<table>", page.find("<body>"))), HasSubstr("2 ways, pli pli"));
  EXPECT_THAT(page.substr(page.find("<table>", page.find("<body>"))),
              testing::Not(HasSubstr("geometry.ways=2")));
  EXPECT_EQ(verif::comparison_of(page)["points"][0]["configuration"], "2 ways, pli pli");
  EXPECT_EQ(verif::comparison_of(page)["points"][0]["keys"]["geometry.ways"], "2");
  EXPECT_THAT(folder.content("small-study/study.json"), HasSubstr("\"two geometry.ways=2\""));
  const Folder without(study("an {index.kind}"), "");
  ASSERT_EQ(without.run({}).status, 0);
  EXPECT_THAT(without.content("small-study/study.md"), HasSubstr("| an pli geometry.ways=4 | "));
  for (const char* label : {"{nope}", "{geometry.sets} sets", "{"})
    EXPECT_THAT(Folder(study(label), "").run({}).output,
                StartsWith("l1forge: small.toml:2:1: grid.two.label: {"));
}

TEST(StudyPages, RefusalsOfTables) {
  const auto refused = [](const std::string& more) {
    const gen::Finished done = Folder(grids + more, "").run();
    EXPECT_EQ(done.status, 2) << done.output;
    return done.output;
  };
  const std::string lines = "[table.t]\nrows = \"inputs\"\ncolumns = \"configurations\"\n";
  EXPECT_EQ(
      refused(lines + "cell = \"{$col}\"\n"),
      "l1forge: small.toml:13:1: [table.t]: kmeans, as it comes: $col: there is no such word in [let]\n");
  EXPECT_THAT(refused(lines + "cell = \"{1 +}\"\n"), HasSubstr("kmeans, as it comes: ends too early\n"));
  EXPECT_THAT(refused(lines + "cell = \"{1\"\n"), HasSubstr("has a { without its }\n"));
  EXPECT_THAT(refused(lines + "cell = \"{1:x}\"\n"), HasSubstr(":x: no such style\n"));
  EXPECT_THAT(refused(lines + "cell = \"{timed[$column][$row].cycles}\"\n"),
              HasSubstr("kmeans, as it comes: timed: no such result\n"));
  EXPECT_EQ(refused("grids = [\"thre\"]\n"),
            "l1forge: small.toml:12:1: measure.untimed.grids = \"thre\": there is no [grid.thre]\n");
  EXPECT_EQ(refused("[table.t]\nrows = \"inputs\"\n"),
            "l1forge: small.toml:13:1: [table.t]: needs rows and columns\n");
  EXPECT_THAT(refused("[table.t]\nrow = \"inputs\"\n"), HasSubstr("did you mean rows?"));
  EXPECT_EQ(refused("[table.t]\nrows = [[\"a\"]]\n"),
            "l1forge: small.toml:13:9: table.t.rows = [ [ \"a\" ] ]: must be names, or lists of a name, a "
            "label and a "
            "cell\n");
}

// Traces that are not in the repository lie where the caller says.
TEST(StudyPages, TracesOfAnotherFolder) {
  const verif::TempFolder folder, traces;
  folder.write("small.toml",
               "[grid.one]\nunit = \"l1d\"\n[inputs]\ntraces = [\"TRACES/a.rec\"]\n[measure.untimed]\n");
  const auto run = [&](const std::vector<std::pair<std::string, std::string>>& environment) {
    return verif::l1forge({"study", "small.toml"}, folder.path(), environment);
  };
  EXPECT_EQ(run({}).output,
            "l1forge: small.toml:4:11: inputs.traces: TRACES/a.rec: lies outside of the repository; say by "
            "--traces DIR or the variable L1FORGE_TRACES where\n");
  const std::string missing = run({{"L1FORGE_TRACES", traces.path()}}).output;
  EXPECT_THAT(missing, StartsWith("l1forge: small.toml:4:11: inputs.traces: TRACES/a.rec: no such file in "));
  const auto made = verif::l1forge({"trace", "builtin:nw?n=128", "-o", traces.path("a.rec")}, folder.path());
  ASSERT_EQ(made.status, 0) << made.output;
  EXPECT_EQ(run({{"L1FORGE_TRACES", traces.path()}}).status, 0);
}

// Every block of docs/results is a table of a study that knows the page, or of a test that names it; and
// every page that a study names has a table of it.
TEST(StudyPages, PagesOfTheDocumentation) {
  std::vector<std::pair<std::string, std::string>> known;  // page, "STUDY/TABLE"
  for (const auto& entry : fs::directory_iterator(studies)) {
    if (entry.path().extension() != ".toml") continue;
    std::vector<std::string> pages, tables;
    for (const gen::Setting& s : gen::read_toml_file(entry.path().string())) {
      if (s.key == "pages")
        for (const gen::Written& page : s.value.items) pages.push_back(page.text);
      if (s.key.starts_with("table.") && s.key.ends_with(".rows"))
        tables.push_back(s.key.substr(6, s.key.size() - 11));
      if ((s.key.starts_with("table.") && s.key.ends_with(".file")) ||
          (s.key.starts_with("pareto.") && s.key.ends_with(".picture"))) {
        EXPECT_TRUE(fs::exists(studies / s.value.text)) << entry.path() << " " << s.value.text;
      }
    }
    for (const std::string& page : pages) {
      bool used = false;
      for (const auto& [study, name] : blocks_of(lines_of_file(studies / page)))
        used |= study == entry.path().stem() && std::ranges::find(tables, name) != tables.end();
      EXPECT_TRUE(used) << entry.path() << " has no table in " << page;
      for (const std::string& name : tables)
        known.emplace_back((studies / page).lexically_normal().filename().string(),
                           entry.path().stem().string() + "/" + name);
    }
  }
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(results)) {
    if (entry.path().extension() != ".md") continue;
    for (const auto& [study, name] : blocks_of(lines_of_file(entry.path()))) {
      ++count;
      if (study.ends_with("_test")) {
        EXPECT_TRUE(measured_by(study, entry.path().filename().string(), name)) << study << "/" << name;
        continue;
      }
      EXPECT_THAT(known,
                  testing::Contains(testing::Pair(entry.path().filename().string(), study + "/" + name)));
    }
  }
  EXPECT_GT(count, 0u);
}

// All studies can be read, with files in the place of the traces that are not in the repository.
TEST(StudyPages, StudiesOfTheDocumentation) {
  const verif::TempFolder traces;
  std::vector<std::string> call{"study"};
  for (const auto& entry : fs::directory_iterator(studies)) {
    if (entry.path().extension() != ".toml" || entry.path().stem() == "pareto") continue;
    call.push_back(entry.path().string());
    for (const gen::Setting& s : gen::read_toml_file(entry.path().string()))
      for (const gen::Written& item : s.value.items)
        if (item.text.starts_with("TRACES/")) {
          fs::create_directories(fs::path(traces.path(item.text.substr(7))).parent_path());
          traces.write(item.text.substr(7), "");
        }
  }
  call.insert(call.end(), {"--traces", traces.path(), "--workflow", traces.path("workflow")});
  const gen::Finished done = verif::l1forge(call);
  EXPECT_EQ(done.status, 0) << done.output;
}
