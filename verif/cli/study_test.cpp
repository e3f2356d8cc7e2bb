// `l1forge study`: configurations of grids, results that are made once and go on after a kill, reports, and
// unusable input, in a line with its position.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <set>

#include "verif/cli/chart_reader.h"
#include "verif/environment.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"
#include "verif/tree.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::EndsWith, testing::HasSubstr, testing::StartsWith;

// Warps that load lines some sets apart.
std::string small_trace() {
  std::string records;
  for (std::uint32_t n = 0; n < 400; ++n)
    records += verif::bytes({.cta = n / 100,
                             .warp = static_cast<std::uint16_t>(n % 4),
                             .pc = n % 7,
                             .mask = 1,
                             .addresses = {n * 4096 % 65536 + n / 50 * 128}});
  return records;
}

const std::string measures = "[inputs]\ntraces = [\"small.rec\"]\n[measure.untimed]\n[measure.timed]\n";

// A study in a folder of its own, with a trace.
class Folder {
 public:
  explicit Folder(const std::string& text) {
    folder_.write("small.rec", small_trace());
    folder_.write("small.toml", text);
  }
  gen::Finished run(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"study", "small.toml", "--jobs", "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return verif::l1forge(arguments, folder_.path());
  }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  json report() const { return json::parse(content("small-study/study.json")); }
  std::string content(const std::string& name) const { return folder_.content(name); }
  fs::path path(const std::string& name) const { return folder_.path(name); }
  std::vector<fs::path> results() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(path("small-study/results")))
      found.push_back(entry.path());
    return found;
  }

 private:
  verif::TempFolder folder_;
};

// The only line of a study that cannot be used.
std::string refusal(const std::string& text) {
  const gen::Finished done = Folder(text).run();
  EXPECT_EQ(done.status, 2) << done.output;
  return done.output;
}

}  // namespace

TEST(Study, FiguresOfAGrid) {
  const Folder folder("title = \"Ways\"\n[grid.plain]\nunit = \"l1d\"\nkeys.geometry.ways = [2, 4]\n" +
                      measures);
  const gen::Finished done = folder.run();
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("2 configurations, 4 of 4 results"));
  const json rows = folder.report()["rows"];
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["configuration"], "plain geometry.ways=2");
  EXPECT_EQ(rows[0]["settings"], (json{{"geometry.ways", "2"}}));
  EXPECT_EQ(rows[0]["input"], "small");
  const auto alone = verif::l1forge({"explore", "l1d", "-s", "geometry.ways=2", "--untimed", "--trace",
                                     folder.path("small.rec").string(), "--json", "-"});
  EXPECT_EQ(rows[0]["figures"]["misses"], json::parse(alone.output)["runs"][0]["misses"]);
  EXPECT_GT(rows[1]["figures"]["cycles"], 400);
  EXPECT_EQ(rows[0]["bits"], 138048) << "valid bits and all else that the manifest accounts for";
  EXPECT_THAT(folder.content("small-study/study.md"),
              HasSubstr("| plain geometry.ways=4 | small | 138368 |"));
  EXPECT_THAT(folder.content("small-study/study.csv"), HasSubstr("figures.miss_rate"));
  EXPECT_THAT(folder.content("small-study/study.html"), StartsWith("<!DOCTYPE html>"));
}

// What is the same is run once, and what is there is not run again; another key makes one result.
TEST(Study, ResultsAreMadeOnce) {
  const Folder folder(
      "[grid.one]\nunit = \"l1d\"\nkeys.geometry.ways = [4, 8]\n[grid.same]\nunit = \"l1d\"\n" + measures);
  ASSERT_EQ(folder.run().status, 0);
  EXPECT_EQ(folder.results().size(), 4u) << "l1d has four ways";
  const auto first = fs::last_write_time(folder.results()[0]);
  ASSERT_EQ(folder.run().status, 0);
  EXPECT_EQ(fs::last_write_time(folder.results()[0]), first);
}

// Forty results; the first run is killed when some are there. The second goes on and comes to the same.
TEST(Study, GoesOnAfterAKill) {
  const std::string grid =
      "[grid.all]\nunit = \"l1d\"\nkeys.index.kind = [\"lin\", \"bxi\", \"pli\", \"pri\"]\n"
      "keys.geometry.capacity_bytes = [4096, 8192, 16384, 32768, 65536]\n" +
      measures;
  const Folder whole(grid), killed(grid);
  ASSERT_EQ(whole.run().status, 0);
  ASSERT_EQ(whole.results().size(), 40u);
  const std::string script =
      "\"$0\" study small.toml --jobs 2 & p=$!\n"
      "until [ \"$(ls small-study/results 2>/dev/null | wc -l)\" -ge 6 ]; do sleep 0.02; done\n"
      "kill -KILL $p; wait $p; ls small-study/results | wc -l\n";
  const gen::Finished ended = gen::run({.argv = {"sh", "-c", script, verif::in_build("l1forge")},
                                        .folder = killed.path(""),
                                        .timeout = std::chrono::minutes(5)});
  EXPECT_FALSE(ended.timed_out) << ended.output;
  EXPECT_LT(killed.results().size(), 40u);
  EXPECT_FALSE(fs::exists(killed.path("small-study/study.json")));
  ASSERT_EQ(killed.run().status, 0);
  EXPECT_EQ(killed.content("small-study/study.csv"), whole.content("small-study/study.csv"));
}

TEST(Study, AResultThatWasCutShortIsMadeAgain) {
  const Folder folder("[grid.one]\nunit = \"l1d\"\n[inputs]\ntraces = [\"small.rec\"]\n[measure.untimed]\n");
  ASSERT_EQ(folder.run().status, 0);
  const std::string before = folder.content("small-study/study.csv");
  fs::resize_file(folder.results().at(0), 100);
  const gen::Finished again = folder.run();
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.output, HasSubstr("is cut short or no result; made again"));
  EXPECT_EQ(folder.content("small-study/study.csv"), before);
}

// One cannot be measured; the others are, and the report has them.
TEST(Study, AFailedResultIsALine) {
  const Folder folder(
      "[grid.one]\nunit = \"l1d\"\nkeys.geometry.line_bytes = 64\n[inputs]\ntraces = [\"small.rec\"]\n"
      "recordings = [\"" +
      verif::in_source("verif/traffic/vortex8_basic.txt.xz") + "\"]\n[measure.untimed]\n[measure.replay]\n");
  const gen::Finished done = folder.run();
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.output, HasSubstr("replay of one: "));
  EXPECT_THAT(done.output, HasSubstr("this cache has lines of 64; again: l1forge cosim l1d -s "
                                     "geometry.line_bytes=64 --replay"));
  EXPECT_EQ(folder.report()["rows"].size(), 1u);
}

// The same results, kept in the same way, and all but what fails are made.
TEST(Study, RunsWithoutSnakemake) {
  const std::string grid = "[grid.one]\nunit = \"l1d\"\nkeys.geometry.ways = [2, 4]\n";
  const Folder with(grid + measures), without(grid + measures);
  ASSERT_EQ(with.run().status, 0);
  const verif::TempFolder tools;
  fs::create_symlink(gen::find_tool("sh"), tools.path("sh"));
  const verif::Environment path("PATH", tools.path());
  const gen::Finished done = without.run();
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(without.content("small-study/study.csv"), with.content("small-study/study.csv"));
  const auto first = fs::last_write_time(without.results()[0]);
  fs::remove(without.results()[1]);
  ASSERT_EQ(without.run().status, 0);
  EXPECT_EQ(fs::last_write_time(without.results()[0]), first);
  EXPECT_EQ(without.results().size(), 4u);

  const Folder failing(grid + "[inputs]\ntraces = [\"small.rec\"]\nrecordings = [\"" +
                       verif::in_source("verif/traffic/vortex8_basic.txt.xz") +
                       "\"]\n[measure.replay]\n[measure.untimed]\n");
  const gen::Finished failed = failing.run();
  EXPECT_EQ(failed.status, 1);
  // A program that is compiled already runs without Verilator.
  EXPECT_THAT(failed.output, AnyOf(HasSubstr("2 of 4 results"), HasSubstr("3 of 4 results")));
  EXPECT_THAT(failed.output, HasSubstr("verilator: not found on PATH")) << failed.output;
}

TEST(Study, WorkflowForACluster) {
  const Folder folder("[grid.one]\nunit = \"l1d\"\n" + measures);
  const gen::Finished done = folder.run({"--workflow", "cluster"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(folder.content("cluster/Snakefile"), HasSubstr("rule batch:"));
  EXPECT_EQ(json::parse(folder.content("cluster/jobs.json"))["jobs"].size(), 2u);
  EXPECT_TRUE(fs::is_empty(folder.path("cluster/results")));
}

TEST(Study, OneRunAFolder) {
  const Folder folder("[grid.one]\nunit = \"l1d\"\n" + measures);
  ASSERT_EQ(folder.run({"--workflow", "small-study"}).status, 0);
  const int other = ::open(folder.path("small-study/.lock").c_str(), O_CREAT | O_RDWR, 0666);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  const gen::Finished done = folder.run();
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.output,
            "l1forge: small-study: another study runs in this folder; wait for it, or use another -o\n");
  ::close(other);
}

TEST(Study, RulesLeaveOut) {
  const Folder folder(
      "[grid.all]\nunit = \"l1d\"\nrefused = \"leave out\"\nwithout = [\"geometry.ways=2 index.kind=pli\"]\n"
      "keys.geometry.ways = [2, 4, 1024]\nkeys.index.kind = [\"lin\", \"pli\"]\n[inputs]\n"
      "traces = [\"small.rec\"]\n[measure.untimed]\n");
  const gen::Finished done = folder.run();
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, StartsWith("all: 1 of 6 combinations are left out by rules\n"
                                      "all: 2 of 6 combinations cannot be built\n3 configurations"));
}

// Reals are named as the file writes them.
TEST(Study, RealsHaveTheirShortestNames) {
  const Folder folder(
      "[grid.remote]\nunit = \"remote_core\"\nmodel_only = true\nkeys.remote.probability = [0.2, 1.0]\n"
      "without = [\"remote.probability=1.0\"]\n[inputs]\ntraces = [\"small.rec\"]\n[measure.untimed]\n");
  const gen::Finished done = folder.run();
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(folder.report()["rows"][0]["configuration"], "remote remote.probability=0.2");
}

// A row for each recording, by its name, and for each trace the cycles of the Verilog, one more than the
// model's.
TEST(Study, RecordingsAndTracesOnTheVerilogHaveRows) {
  const std::string traffic = verif::in_source("verif/traffic/");
  const Folder folder("[grid.one]\nunit = \"l1d\"\n[inputs]\nrecordings = [\"" + traffic +
                      "vortex8_basic.txt.xz\", \"" + traffic +
                      "vortex8_cta.txt.xz\"]\n"
                      "traces = [\"small.rec\"]\n[measure.replay]\n[measure.cosim]\n[measure.timed]\n");
  const gen::Finished done = folder.run();
  ASSERT_EQ(done.status, 0) << done.output;
  const json rows = folder.report()["rows"];
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_THAT(std::string(rows[0]["input"]), HasSubstr("vortex8_basic"));
  EXPECT_THAT(std::string(rows[1]["input"]), HasSubstr("vortex8_cta"));
  EXPECT_LT(rows[0]["figures"]["cycles"], rows[1]["figures"]["cycles"]);
  EXPECT_EQ(rows[2]["measure"], "cosim");
  EXPECT_EQ(rows[2]["figures"]["cycles"], rows[3]["figures"]["cycles"].get<int>() + 1);
  EXPECT_EQ(rows[2]["figures"]["miss_rate"], rows[3]["figures"]["miss_rate"]);
}

// What a study says of its figures; one that does not hold is status 1.
TEST(Study, Checks) {
  const std::string grid = "[grid.plain]\nunit = \"l1d\"\nkeys.geometry.ways = [2, 4]\n" + measures;
  const std::string value =
      "value = \"timed[plain geometry.ways=2][small].cycles - timed[plain geometry.ways=4][small].cycles\"\n"
      "relation = \"equal\"\n";
  const Folder holding(grid +
                       "[check.bits]\nvalue = \"bits[plain geometry.ways=2] / bits[plain "
                       "geometry.ways=4]\"\nrelation = \"within\"\nexpected = 1\ntolerance = 0.1\n");
  const gen::Finished held = holding.run();
  EXPECT_EQ(held.status, 0) << held.output;
  EXPECT_THAT(held.output, HasSubstr("check bits: holds, expected 1 ± 0.1, found "));
  EXPECT_EQ(
      Folder(
          grid +
          "[check.s]\nvalue = \"sum(settings[plain geometry.ways=2, plain geometry.ways=4]"
          ".geometry.ways)\"\nrelation = \"equal\"\nexpected = 6\n[check.p]\nvalue = \"published_bits[plain "
          "geometry.ways=4] < bits[plain geometry.ways=4]\"\nrelation = \"equal\"\nexpected = 1\n")
          .run()
          .status,
      0);
  const Folder failing(grid + "[check.c]\n" + value + "expected = -1\n");
  const gen::Finished failed = failing.run();
  EXPECT_EQ(failed.status, 1) << failed.output;
  EXPECT_THAT(failed.output, HasSubstr("check c: does not hold, expected -1, found "));
  EXPECT_EQ(failing.report()["checks"][0]["holds"], false);
}

// The memory below is named from the study's folder; what its file says is part of a result's key.
TEST(Study, AMemoryBelow) {
  const std::string near = "[measure.near]\nkind = \"timed\"\nsms = 2\nmemory = \"near.toml\"\n";
  const std::string far = "[measure.far]\nkind = \"timed\"\nsms = 2\nmemory = \"far.toml\"\n";
  const Folder folder("[grid.one]\nunit = \"l1d\"\n[inputs]\ntraces = [\"small.rec\"]\n" + near + far +
                      "[check.slower]\nvalue = \"count(near[one][small].cycles < far[one][small].cycles)\"\n"
                      "relation = \"equal\"\nexpected = 1\n");
  const std::string all = "preset = \"blpp\"\n[blpp]\nmode = \"static\"\nratio = ";
  folder.write("near.toml", all + "1.0\n");
  folder.write("far.toml", all + "0.0\n");
  const gen::Finished done = folder.run();
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(folder.report()["rows"][1]["figures"]["nodes"]["gpu_pages"], 0);
  EXPECT_EQ(folder.results().size(), 2u);
  folder.write("far.toml", all + "0.5\n");
  ASSERT_NE(folder.run().status, 2);
  EXPECT_EQ(folder.results().size(), 3u);
}

// Timed only where nothing stores fewer bits and misses less; the front of the mean, and of each input.
TEST(Study, FrontsChooseWhatComesNext) {
  const Folder folder(
      "[grid.all]\nunit = \"l1d\"\nkeys.mshr.entries = [8, 32]\n"
      "keys.geometry.capacity_bytes = [4096, 65536]\n[inputs]\n"
      "traces = [\"small.rec\", \"builtin:kmeans?points=500\"]\n[measure.untimed]\n[measure.timed]\n"
      "only = [\"misses\"]\n[pareto.misses]\ncost = \"bits\"\nvalue = \"untimed.miss_rate\"\n");
  const gen::Finished done = folder.run();
  ASSERT_EQ(done.status, 0) << done.output;
  const json report = folder.report();
  ASSERT_EQ(report["fronts"].size(), 3u) << "the mean and two inputs";
  const json& mean = report["fronts"][0];
  EXPECT_EQ(mean["input"], "");
  EXPECT_EQ(mean["of"], 4);
  std::set<std::string> timed, front;
  for (const json& row : report["rows"])
    if (row["measure"] == "timed") timed.insert(row["configuration"]);
  for (const json& point : mean["front"]) front.insert(point["configuration"]);
  EXPECT_EQ(timed, front);
  EXPECT_LT(front.size(), 4u);
  // Nothing off the front beats what is on it: each ties with the one before, or costs more and misses less.
  for (std::size_t n = 1; n < mean["front"].size(); ++n) {
    const json &one = mean["front"][n - 1], &next = mean["front"][n];
    EXPECT_EQ(next["cost"] == one["cost"], next["value"] == one["value"]);
    EXPECT_GE(next["cost"], one["cost"]);
    EXPECT_LE(next["value"], one["value"]);
  }
  // The page plots the same figures.
  const auto compared = verif::comparison_of(folder.content("small-study/study.html"));
  EXPECT_EQ(compared["start"]["x"], "bits");
  for (const json& on : mean["front"]) {
    const auto point = std::ranges::find_if(
        compared["points"], [&](const auto& p) { return p["figures"][""]["bits"] == on["cost"]; });
    ASSERT_NE(point, compared["points"].end());
  }
}

TEST(Study, FrontsChooseWhatDiffersInSomeKeysFromThem) {
  const std::string study =
      "[grid.all]\nunit = \"l1d\"\nkeys.geometry.capacity_bytes = [4096, 65536]\n"
      "keys.bypass.kind = [\"none\", \"mrpb\"]\n[inputs]\ntraces = [\"small.rec\"]\n[measure.untimed]\n"
      "[pareto.misses]\ncost = \"bits\"\nvalue = \"untimed.miss_rate\"\n[measure.timed]\n";
  const auto timed = [](const Folder& folder) {
    EXPECT_EQ(folder.run().status, 0);
    std::set<std::string> names;
    for (const json& row : folder.report()["rows"])
      if (row["measure"] == "timed") names.insert(row["configuration"]);
    return names;
  };
  const Folder plain(study + "only = [\"misses\"]\n");
  for (const std::string& name : timed(plain)) EXPECT_THAT(name, HasSubstr("bypass.kind=none"));
  const Folder varied(study + "only = [\"misses\"]\nvary = [\"bypass.kind\"]\n");
  std::set<std::string> both = timed(plain);
  for (std::string name : timed(plain)) both.insert(name.replace(name.find("none"), 4, "mrpb"));
  EXPECT_EQ(timed(varied), both);
  EXPECT_EQ(refusal(study + "vary = [\"bypass.kind\"]\n"),
            "l1forge: small.toml:12:1: measure.timed.vary = \"bypass.kind\": needs measure.timed.only\n");
  EXPECT_EQ(refusal(study + "only = [\"misses\"]\nvary = [\"index.kind\"]\n"),
            "l1forge: small.toml:12:1: measure.timed.vary = \"index.kind\": no grid has keys.index.kind\n");
}

TEST(Study, BeginningsOfATraceAreInputsOfTheirOwn) {
  const std::string grid = "[grid.one]\nunit = \"l1d\"\n[measure.untimed]\n[inputs]\ntraces = [\"small.rec";
  const Folder folder(grid + "\", \"small.rec?accesses=20\", \"small.rec?accesses=5\"]\n");
  ASSERT_EQ(folder.run().status, 0);
  const json report = folder.report();
  const auto loads = [&](std::size_t row) { return report["rows"][row]["figures"]["loads"].get<int>(); };
  EXPECT_EQ(loads(0), 400);
  EXPECT_EQ(loads(1), 4 * 4 * 20);
  EXPECT_EQ(loads(2), 4 * 4 * 5);
  const auto key = [](const std::string& text) {
    const Folder one(text);
    EXPECT_EQ(one.run().status, 0);
    return one.results().at(0).filename();
  };
  EXPECT_NE(key(grid + "?accesses=20\"]\n"), key(grid + "?accesses=5\"]\n"));
}

TEST(Study, Refusals) {
  const std::string grid = "[grid.one]\nunit = \"l1d\"\n";
  EXPECT_THAT(refusal(grid + "keys.index.kindd = [\"lin\"]\n" + measures),
              StartsWith("l1forge: small.toml:3:21: index.kindd"));
  EXPECT_THAT(refusal(grid + "keys.index.kind = [\"lin\", \"pil\"]\n" + measures),
              StartsWith("l1forge: small.toml:3:27: index.kind = \"pil\": "));
  EXPECT_EQ(
      refusal(grid + "keys.geometry.ways = [4, 8]\nwithout = [\"geometry.ways=4\", \"geometry.ways=8\"]\n" +
              measures),
      "l1forge: small.toml:2:1: [grid.one]: its rules leave none of 2 combinations\n");
  EXPECT_EQ(refusal(grid + "keys.geometry.ways = [4, 8]\nwithout = [\"geometry.ways=5\"]\n" + measures),
            "l1forge: small.toml:4:1: grid.one.without: geometry.ways=5: is no setting of this grid\n");
  EXPECT_THAT(refusal(grid + "[inputs]\ntraces = [\"other.rec\"]\n[measure.untimed]\n"),
              StartsWith("l1forge: small.toml:4:11: inputs.traces: other.rec: no such file in "));
  EXPECT_THAT(refusal(grid + "[inputs]\ntraces = [\"small.rec?accesses=0\"]\n[measure.untimed]\n"),
              testing::AllOf(StartsWith("l1forge: small.toml:4:11: inputs.traces: "),
                             EndsWith("small.rec?accesses=0: accesses is \"0\", must be from 1 to "
                                      "1000000000000\n")));
  EXPECT_EQ(refusal(grid + "[measure.timed]\n"),
            "l1forge: small.toml:3:10: [measure.timed]: needs inputs.traces\n");
  EXPECT_EQ(refusal(grid + "[measure.time]\n"),
            "l1forge: small.toml:3:10: measure.time: no such key of a study; did you mean timed?; there are "
            "untimed, timed, cosim, random, replay, area, networks, energy\n");
  EXPECT_EQ(refusal(grid + measures + "only = [\"front\"]\n"),
            "l1forge: small.toml:7:1: measure.timed.only = \"front\": there is no [pareto.front]\n");
  EXPECT_THAT(refusal(grid + measures + "[pareto.front]\ncost = \"bit\"\nvalue = \"timed.cycles\"\n"),
              StartsWith("l1forge: small.toml:8:1: [pareto.front]: needs cost and value"));
  EXPECT_THAT(refusal(grid + measures + "[check.c]\nvalue = \"1\"\nrelation = \"equal\"\n"),
              StartsWith("l1forge: small.toml:8:1: equal: needs expected"));
  EXPECT_EQ(refusal("[measure.area]\n"), "l1forge: small.toml: has no [grid.NAME], so no configurations\n");
}
