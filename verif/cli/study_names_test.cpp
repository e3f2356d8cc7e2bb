// What the inputs and configurations of a study are called: each by another name, and a name with a comma
// stays one name in tables, in CSV and in expressions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gen/study/expression.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"

namespace {

using nlohmann::json;
using testing::EndsWith, testing::HasSubstr;

const std::string grid = "[grid.g]\nunit = \"l1d\"\nkeys.index.kind = [\"cvi\", \"pli\"]\n";

// So many loads of lines that all lie in one set of the conventional index.
std::string trace_of(std::uint32_t loads) {
  std::string records;
  for (std::uint32_t n = 0; n < loads; ++n)
    records += verif::bytes({.cta = 0, .warp = 0, .pc = 0, .mask = 1, .addresses = {n * 4096 % 65536}});
  return records;
}

// Two applications whose kernels have one name, as Accel-Sim's tracer leaves them.
class StudyNames : public testing::Test {
 protected:
  StudyNames() {
    for (const auto& [folder, loads] : {std::pair{"appA", 200u}, {"appB", 500u}}) {
      std::filesystem::create_directory(folder_.path(folder));
      folder_.write(std::string(folder) + "/kernel-1.rec", trace_of(loads));
    }
  }
  gen::Finished run(const std::string& text) const {
    folder_.write("small.toml", text);
    return verif::l1forge({"study", "small.toml", "--jobs", "1"}, folder_.path());
  }
  std::string refusal(const std::string& text) const {
    const gen::Finished done = run(text);
    EXPECT_EQ(done.status, 2) << done.output;
    return done.output;
  }
  json report() const { return json::parse(folder_.content("small-study/study.json")); }

  verif::TempFolder folder_;
};

TEST_F(StudyNames, InputsOfOneNameStayApart) {
  const std::string rows = "untimed[g index.kind=cvi][appA/kernel-1.rec, appB/kernel-1.rec]";
  const gen::Finished done =
      run(grid + "[inputs]\ntraces = [\"appA/kernel-1.rec\", \"appB/kernel-1.rec\"]\n[measure.untimed]\n" +
          "[check.both]\nvalue = \"sum(" + rows + ".loads)\"\nrelation = \"equal\"\nexpected = 700\n" +
          "[check.count]\nvalue = \"count(untimed[g index.kind=cvi].loads)\"\nrelation = \"equal\"\n"
          "expected = 2\n[table.t]\nrows = \"g\"\ncolumns = \"inputs\"\ncell = "
          "\"{untimed[$row][$column].loads}\"\n[pareto.p]\ncost = \"bits\"\nvalue = \"untimed.loads\"\n");
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(report()["rows"][0]["input"], "appA/kernel-1.rec");
  EXPECT_EQ(report()["rows"][1]["input"], "appB/kernel-1.rec");
  EXPECT_EQ(report()["fronts"].size(), 3u) << "the mean and two inputs";
  EXPECT_EQ(folder_.content("small-study/tables/t.csv"),
            ",appA/kernel-1.rec,appB/kernel-1.rec\ng index.kind=cvi,200,500\ng index.kind=pli,200,500\n");
}

TEST_F(StudyNames, EqualNamesAreRefused) {
  const std::string traces = "[inputs]\ntraces = [\"appA/kernel-1.rec\", \"appB/kernel-1.rec\"]\n";
  EXPECT_EQ(refusal(grid + traces + "names = [\"a\", \"a\"]\n[measure.untimed]\n"),
            "l1forge: small.toml:6:1: inputs: two are called \"a\"; give each a name in inputs.names\n");
  EXPECT_EQ(refusal(grid +
                    "[inputs]\ntraces = [\"appA/kernel-1.rec\", \"appA/kernel-1.rec\"]\n[measure.untimed]\n"),
            "l1forge: small.toml:5:1: inputs: two are called \"appA/kernel-1.rec\"; give each a name in "
            "inputs.names\n");
  EXPECT_THAT(refusal(grid + traces + "names = [\"a\", \"geometric mean\"]\n[measure.untimed]\n"),
              EndsWith("inputs: fronts call something else \"geometric mean\"\n"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("small-study")));
}

TEST_F(StudyNames, ConfigurationsOfOneNameAreRefused) {
  const std::string more = "[inputs]\ntraces = [\"appA/kernel-1.rec\"]\n[measure.untimed]\n";
  EXPECT_EQ(refusal("[grid.g]\nunit = \"l1d\"\nkeys.geometry.ways = [2, 4, 2]\n" + more),
            "l1forge: small.toml:3:29: geometry.ways = 2: is there twice\n");
}

TEST_F(StudyNames, ACommaIsPartOfAName) {
  const gen::Finished done = run(
      "[grid.g]\nunit = \"l1d\"\n[inputs]\ntraces = [\"builtin:atax?nx=32,ny=32\", \"appA/kernel-1.rec\"]\n"
      "[measure.untimed]\n[check.one]\nvalue = 'untimed[g][\"atax?nx=32,ny=32\"].loads'\n"
      "relation = \"direction\"\nexpected = \"more\"\n[table.t]\nrows = [\"inputs\", [\"kernel-1, "
      "\\\"atax?nx=32,ny=32\\\"\", \"sum\"]]\ncolumns = [\"g\", [\"x, y\", \"one, two\", \"3\"]]\n"
      "cell = \"{sum(untimed[$column][$row].loads)}, {1:.1}\"\n[pareto.p]\ncost = \"bits\"\nvalue = "
      "\"untimed.loads\"\n[table.f]\nrows = \"inputs\"\ncolumns = [[\"on\", \"on\"]]\n"
      "cell = \"{front.p[$row].on:,}\"\n");
  ASSERT_EQ(done.status, 0) << done.output;
  const int loads = report()["rows"][0]["figures"]["loads"];
  EXPECT_EQ(folder_.content("small-study/tables/t.csv"),
            ",g,\"one, two\"\n\"atax?nx=32,ny=32\",\"" + std::to_string(loads) +
                ", 1.0\",3\nkernel-1,\"200, 1.0\",3\nsum,\"" + std::to_string(200 + loads) + ", 1.0\",3\n");
  EXPECT_EQ(folder_.content("small-study/tables/f.csv"), ",on\n\"atax?nx=32,ny=32\",1\nkernel-1,1\n");
  EXPECT_THAT(folder_.content("small-study/study.md"), HasSubstr("| atax?nx=32,ny=32 | "));
}

// What a study writes, claims read.
TEST_F(StudyNames, ClaimsReadQuotedCells) {
  const auto found = [&](const std::string& csv) {
    std::filesystem::create_directories(folder_.path("claims"));
    folder_.write("claims/t.csv", csv);
    folder_.write("claims/p.toml",
                  "paper = \"P\"\n[result.t]\nfile = \"t.csv\"\nrows = 2\ncommand = \"`l1forge study`\"\n"
                  "[claim.c]\nsection = \"1\"\nclaim = \"c\"\nkind = \"area\"\n"
                  "relation = \"equal\"\nexpected = 3\n"
                  "value = 't.a[\"x?a=1,b=2\"] + t.a[y \"z\"]'\n");
    return verif::l1forge({"claims", "claims", "--json", "-"}, folder_.path());
  };
  const gen::Finished good = found("kernel,a,\"b,c\"\n\"x?a=1,b=2\",1,8\n\"y \"\"z\"\"\",2,9\n");
  ASSERT_EQ(good.status, 0) << good.output;
  EXPECT_EQ(json::parse(good.output)["claims"][0]["holds"], true) << good.output;
  for (const char* cell : {"\"x?a=1,b=2", "\"x\"y"})
    EXPECT_THAT(found(std::string("kernel,a,b\n") + cell + ",1,8\ny,2,9\n").output,
                EndsWith("t.csv:2: has a quote that does not enclose a cell\n"));
}

TEST(RowNames, ComeBackAsTheyWere) {
  for (const std::string name : {"plain", "a=1 b=2", "a,b", "a]", "[[1,2]]", "a\"b", "\"", " a", "a ", "",
                                 "$x", "{a}", "a:b", "x?a=1,b=\"2\""}) {
    const nlohmann::ordered_json results{{"r", {{name, 5}, {"other", 7}}}};
    EXPECT_EQ(gen::evaluate("r[" + gen::row_name(name) + "]", results), 5) << name;
    EXPECT_EQ(gen::evaluate("sum(r[other, " + gen::row_name(name) + " ])", results), 12) << name;
  }
  EXPECT_EQ(gen::row_name("appA/kernel-1.traceg"), "appA/kernel-1.traceg");
  EXPECT_THROW(gen::evaluate("r[\"a]", nlohmann::ordered_json{{"r", {{"a", 1}}}}), gen::ExpressionError);
}

}  // namespace
