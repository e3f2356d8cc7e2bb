// Datasheets of small units: what stands under which heading, diagrams that are the lock step's waveform, and
// files of others that stay.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <regex>

#include "gen/config/catalogue.h"
#include "gen/cosim/port_run.h"
#include "gen/datasheet/recorded.h"
#include "gen/paths.h"
#include "verif/cli/chart_reader.h"
#include "verif/cli/datasheet_headings.h"
#include "verif/cli/page_reader.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class SmallDatasheets : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<verif::TempFolder>();
    const auto done = verif::l1forge(
        {"datasheet", "arbiter_round_robin", "index_pli", "crossing_fifo", "-o", folder_->path("sheets")});
    ASSERT_TRUE(done.ok()) << done.output;
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static std::string page(const std::string& unit) { return folder_->content("sheets/" + unit + ".html"); }

  static std::unique_ptr<verif::TempFolder> folder_;
};
std::unique_ptr<verif::TempFolder> SmallDatasheets::folder_;

constexpr const char* units[] = {"arbiter_round_robin", "index_pli", "crossing_fifo"};

}  // namespace

TEST_F(SmallDatasheets, HaveTheHeadingsThatReadersLookFor) {
  for (const char* unit : units) {
    EXPECT_THAT(verif::missing_headings(page(unit), false), IsEmpty()) << unit;
    EXPECT_THAT(verif::below(page(unit), "Behaviour when the MSHRs are full"), HasSubstr("has no MSHRs"))
        << unit;
    EXPECT_EQ(verif::below(page(unit), "Energy of a miss"), "") << "no technology was given";
  }
  EXPECT_THAT(verif::below(page("crossing_fifo"), "Latency of a hit"), HasSubstr("it takes 1 cycle."));
  EXPECT_THAT(verif::below(page("crossing_fifo"), "Constraints"), HasSubstr("Crossing of clk_noc1"));
  EXPECT_THAT(verif::below(page("index_pli"), "Gates"), HasSubstr("95.7 GE"));
  EXPECT_THAT(verif::below(page("index_pli"), "Claims of the paper"), HasSubstr("ACI thesis: "));
  EXPECT_THAT(verif::below(page("arbiter_round_robin"), "How this page was made"),
              HasSubstr("l1forge datasheet arbiter_round_robin -o DIR"));
}

// With cells of a library that is written for tests.
TEST(Datasheet, HasAreaAndEnergyInATechnology) {
  const verif::TempFolder own;
  const auto library = gen::paths::source() / "verif/energy/samples/counter.lib";
  const std::string technology =
      own.write("small.toml", fmt::format("name = \"Small\"\n[cells]\nfiles = [\"{}\"]\n", library.string()));
  const auto done = verif::l1forge(
      {"datasheet", "arbiter_round_robin", "crossing_fifo", "--tech", technology, "-o", own.path("sheets")});
  ASSERT_TRUE(done.ok()) << done.output;
  const std::string page = own.content("sheets/arbiter_round_robin.html");
  EXPECT_THAT(verif::below(page, "Gates"), HasSubstr("In Small: "));
  EXPECT_THAT(verif::below(page, "Gates"), HasSubstr("um^2 of logic; the longest path takes "));
  const std::string energy = verif::below(page, "Energy of a miss");
  EXPECT_THAT(energy, HasSubstr("Small at 1.00 V and 5 ns, 500 cycles of random stimulus, seed 1."));
  EXPECT_THAT(energy, HasSubstr("a cycle, on average"));
  const auto charts = verif::charts_of(page);
  const auto chart = std::ranges::find(charts, "Energy of arbiter_round_robin", &verif::PageChart::title);
  ASSERT_NE(chart, charts.end());
  EXPECT_EQ(chart->rows()[0]["name"], "a cycle, on average");
  EXPECT_THAT(energy, HasSubstr("l1forge energy arbiter_round_robin --window 500 --tech "));
  EXPECT_THAT(verif::below(own.content("sheets/crossing_fifo.html"), "Energy of a miss"),
              HasSubstr("of units with one clock"));

  const auto refused =
      verif::l1forge({"datasheet", "index_pli", "--tech", own.path("none.toml"), "-o", own.path("new")});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output, HasSubstr("none.toml"));
  EXPECT_FALSE(std::filesystem::exists(own.path("new")));
}

// Mutants of the preset's modules, as the table of docs/verification.md has them.
TEST(Datasheet, ReadsRecordedScores) {
  const std::string page =
      "| `awl` | not | in | 1 | the | table |\n\n| unit | module | cycles | mutants | killed | equivalent | "
      "unknown | "
      "survived | score |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
      "| `awl` | `awl` | default | 60 | 56 | 2 | 2 | 0 | 96.6 % |\n| `blpp` | `blpp_sum` | default | 9 | 7 | "
      "0 | 0 | "
      "2 | 77.8 % |\n\n| `awl` | later | text |\n";
  const auto scores = gen::recorded_scores(page, "awl");
  ASSERT_EQ(scores.size(), 1u);
  EXPECT_EQ(scores[0].module, "awl");
  EXPECT_EQ(scores[0].mutants, 60);
  EXPECT_EQ(scores[0].killed, 56);
  EXPECT_EQ(scores[0].equivalent, 2);
  EXPECT_THAT(gen::recorded_scores(page, "l1d"), IsEmpty());
  EXPECT_THROW(gen::recorded_scores("no table", "awl"), gen::FileError);
}

TEST_F(SmallDatasheets, RequestNothing) {
  for (const char* unit : units)
    EXPECT_FALSE(
        std::regex_search(verif::without_library(page(unit)), std::regex(" (src|href)=|url\\(|@import")))
        << unit;
}

TEST_F(SmallDatasheets, DrawTheWaveformOfTheLockStep) {
  for (const char* unit : units) {
    const std::string vcd = folder_->path(std::string(unit) + ".vcd");
    ASSERT_TRUE(verif::l1forge({"cosim", unit, "--random", "5000", "--vcd", vcd}).ok());
    const verif::VcdPorts waveform(gen::read_file(vcd));
    const auto diagrams = verif::diagrams_of(page(unit));
    ASSERT_THAT(diagrams, Not(IsEmpty())) << unit;
    for (auto diagram : diagrams) {
      EXPECT_THAT(verif::differences(diagram, waveform), IsEmpty()) << unit << diagram["head"];
      // One value that is another one is seen.
      for (auto& signal : diagram["signal"]) {
        std::string wave = signal["wave"];
        if (wave[0] != '0' && wave[0] != '1') continue;
        wave[0] = wave[0] == '0' ? '1' : '0';
        signal["wave"] = wave;
        break;
      }
      if (std::string(unit) != "index_pli") {
        EXPECT_THAT(verif::differences(diagram, waveform), Not(IsEmpty())) << unit;
      }
    }
  }
}

TEST_F(SmallDatasheets, ReplaceTheirOwnPagesAlone) {
  const verif::TempFolder own;
  const std::string text = page("index_pli");
  own.write("index_pli.html", text);
  EXPECT_TRUE(verif::l1forge({"datasheet", "index_pli", "-o", own.path()}).ok());
  EXPECT_EQ(own.content("index_pli.html"), text) << "the same page again";
  const auto refused = [&](const std::string& content, const std::string& why) {
    own.write("index_pli.html", content);
    const auto done = verif::l1forge({"datasheet", "index_pli", "-o", own.path()});
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.output, HasSubstr(why));
    EXPECT_EQ(own.content("index_pli.html"), content);
    EXPECT_EQ(own.names().size(), 1u);
  };
  refused("mine\n", "l1forge did not write it; name another folder with -o\n");
  refused(std::regex_replace(text, std::regex("Ports"), "My ports"), "was edited since l1forge wrote it");
  refused("preset = \"index_pli\"\n", "did not write it");
}

TEST(Datasheet, RefusesToReplaceTheFileOfItsUnit) {
  const verif::TempFolder own;
  const std::string file = own.write("index_pli.html", "preset = \"index_pli\"\n");
  const auto done = verif::l1forge({"datasheet", file, "-o", own.path()});
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.output, HasSubstr("which the unit's file reads"));
  const auto twice = verif::l1forge({"datasheet", "index_pli", "index_pli", "-o", own.path("new")});
  EXPECT_EQ(twice.status, 2);
  EXPECT_THAT(twice.output, HasSubstr("is also the result of"));
  EXPECT_FALSE(std::filesystem::exists(own.path("new")));
}

// Requests are open where a run is cut: nobody can say that they are never answered.
TEST(Datasheet, RunsThatAreCutHaveNoMismatch) {
  const gen::Config config = gen::load_config(
      "l1d",
      {"geometry.capacity_bytes=1024", "geometry.line_bytes=32", "geometry.chunk_bytes=8", "mshr.entries=3"});
  for (const std::int64_t cycles : {700, 1500, 3000, 5000})
    EXPECT_THAT(gen::run_with_ports(config, {.coverage = false}, cycles).report["mismatches"], IsEmpty())
        << cycles;
}

TEST(Datasheet, DiagramsAlone) {
  const verif::TempFolder own;
  const auto drawn = verif::l1forge({"datasheet", "index_pli", "--diagrams", "-o", own.path()});
  ASSERT_TRUE(drawn.ok()) << drawn.output;
  EXPECT_THAT(own.names(),
              testing::UnorderedElementsAre("index_pli-block.svg", "index_pli-busiest-cycles.svg"));
  const std::string block = own.content("index_pli-block.svg");
  EXPECT_THAT(block, HasSubstr("aria-label=\"block diagram\""));
  EXPECT_THAT(block, HasSubstr("fill=\"#fff\""));
  own.write("index_pli-block.svg", "mine\n");
  const auto refused = verif::l1forge({"datasheet", "index_pli", "--diagrams", "-o", own.path()});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output, HasSubstr("l1forge did not write it"));
  EXPECT_EQ(own.content("index_pli-block.svg"), "mine\n");
  const auto measured =
      verif::l1forge({"datasheet", "index_pli", "--diagrams", "--tech",
                      verif::in_source("docs/technologies/sg13g2.toml"), "-o", own.path("new")});
  EXPECT_EQ(measured.status, 2);
  EXPECT_THAT(measured.output, HasSubstr("--diagrams draws alone; leave one out"));
}

TEST(Datasheet, ReadsRecordedOutcomes) {
  const std::string page =
      "## TSC\n| claim | kind | paper | here | holds | why not | figures |\n| --- | --- | --- | --- | --- | "
      "--- | --- |\n"
      "| <a id=\"a\"></a>3: a \\| b<br>*\"quoted\"* | area | 1 | 2 | no | see [x](x.md) | now: x |\n"
      "| <a id=\"b\"></a>4: c | area | 1 | 1 | yes |  | now: x |\n\nFigures:\n## BUCL\n| claim |\n";
  const auto claims = gen::recorded_claims(page, "TSC");
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims[0].id, "a");
  EXPECT_EQ(claims[0].text, "3: a | b \"quoted\"");
  EXPECT_EQ(claims[0].why, "see x");
  EXPECT_FALSE(claims[0].holds);
  EXPECT_TRUE(claims[1].holds);
  EXPECT_THROW(gen::recorded_claims(page, "BUCL"), gen::FileError);
  EXPECT_THAT(gen::recorded_claims(page, "ACI thesis"), IsEmpty());
}

// The page of the repository has every claim of the five papers.
TEST(Datasheet, ReadsAllClaimsOfThePage) {
  const std::string page = gen::read_file(gen::paths::source() / "docs/results/claims.md");
  std::smatch all;
  ASSERT_TRUE(std::regex_search(page, all, std::regex("\\| \\*\\*all\\*\\* \\| (\\d+) \\| (\\d+) \\|")));
  std::size_t count = 0, holds = 0;
  for (const char* paper : {"TSC", "BUCL", "DC-L1 thesis", "Decoupled L1D", "ACI thesis"})
    for (const auto& claim : gen::recorded_claims(page, paper)) ++count, holds += claim.holds;
  EXPECT_EQ(count, std::stoul(all[1]));
  EXPECT_EQ(holds, std::stoul(all[2]));
}
