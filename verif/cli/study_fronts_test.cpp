// Fronts of studies: nothing on one is beaten and all else is, and what tables, counts and pictures say of
// them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "gen/study/pareto.h"
#include "verif/cli/chart_reader.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

using nlohmann::json;
using testing::HasSubstr, testing::StartsWith;

const std::string study =
    "pages = [\"page.md\"]\n[grid.all]\nunit = \"l1d\"\nlabel = \"{index.kind} of "
    "{geometry.capacity_bytes}\"\n"
    "keys.index.kind = [\"cvi\", \"pli\", \"bxi\"]\nkeys.geometry.capacity_bytes = [4096, 16384, 65536]\n"
    "[grid.sectored]\nunit = \"l1d_sectored\"\n"
    "[inputs]\ntraces = [\"builtin:nw?n=128\", \"builtin:kmeans?points=500\"]\n"
    "names = [\"nw\", \"kmeans\"]\n[measure.untimed]\n"
    "[pareto.misses]\ncost = \"bits\"\nvalue = \"untimed.miss_rate\"\npicture = \"misses.svg\"\n";

const std::string tables =
    "[table.front]\nheading = \"on the front of {100 * front.misses[geometric mean].of:,}\"\nrows = "
    "\"front.misses\"\n"
    "columns = [[\"bits\", \"bits\", \"{bits[$row]:,}\"], \"misses\"]\n"
    "cell = \"{gmean(untimed[$row].miss_rate)}\"\n"
    "[table.counts]\nrows = [\"inputs\", \"geometric mean\"]\n"
    "columns = [[\"all\", \"all\"], [\"sectored\", \"sectored\"], \"index.kind=pli\", \"index.kind=cvi\", "
    "\"index.kind=bxi\"]\n"
    "cell = \"{front.misses[$row][$column]}\"\n";

std::string block(const std::string& name) { return "<!-- table small/" + name + " -->\n<!-- /table -->\n"; }

gen::Finished run(const verif::TempFolder& folder, const std::string& text) {
  folder.write("small.toml", text);
  return verif::l1forge({"study", "small.toml", "--jobs", "1", "--pages"}, folder.path());
}

std::string with_commas(const std::string& digits) {
  std::string out = digits;
  for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, ",");
  return out;
}

}  // namespace

// Small whole numbers, so that many are equal in one or both.
TEST(StudyFronts, WhatIsOnAFrontIsNotBeatenAndAllElseIs) {
  std::mt19937 draw(7);
  const gen::Measure measure{.name = "m", .place = "", .kind = nullptr};
  for (int round = 0; round < 200; ++round) {
    std::vector<gen::StudyPoint> points(1 + draw() % 40);
    std::vector<gen::StudyRow> rows;
    for (gen::StudyPoint& point : points) {
      point.bits = 1 + draw() % 9;
      for (const char* input : {"a", "b"})
        rows.push_back({&point, &measure, input, {{"figure", 1 + draw() % 9}}});
    }
    const auto fronts = gen::fronts_of({"p", "", "bits", "m.figure"}, rows);
    ASSERT_EQ(fronts.size(), 3u) << "the mean and two inputs";
    for (const gen::ParetoFront& front : fronts) {
      ASSERT_EQ(front.points.size(), points.size());
      for (const gen::ParetoPoint& p : front.points) {
        const bool beaten = std::ranges::any_of(front.points, [&](const gen::ParetoPoint& q) {
          return q.cost <= p.cost && q.value <= p.value && (q.cost < p.cost || q.value < p.value);
        });
        EXPECT_EQ(p.on_front, !beaten) << front.input << " " << p.cost << " " << p.value;
      }
    }
  }
}

// Without time a bypass by MRPB changes nothing, and costs no bit.
TEST(StudyFronts, ThoseThatTieAreAllOnIt) {
  const auto on_front = [](const std::string& kinds) {
    const verif::TempFolder folder;
    const gen::Finished done =
        run(folder, "[grid.all]\nunit = \"l1d\"\nkeys.bypass.kind = " + kinds +
                        "\n[inputs]\ntraces = [\"builtin:nw?n=128\"]\n[measure.untimed]\n[pareto.misses]\n"
                        "cost = \"bits\"\nvalue = \"untimed.miss_rate\"\n");
    EXPECT_EQ(done.status, 0) << done.output;
    std::set<std::string> names;
    const json report = json::parse(folder.content("small-study/study.json"));
    for (const json& point : report["fronts"][0]["front"]) names.insert(point["configuration"]);
    return names;
  };
  const std::set<std::string> both{"all bypass.kind=none", "all bypass.kind=mrpb"};
  EXPECT_EQ(on_front("[\"none\", \"mrpb\"]"), both);
  EXPECT_EQ(on_front("[\"mrpb\", \"none\"]"), both);
}

// The configurations of study.json's fronts, in the page and the picture beside it.
TEST(StudyFronts, TablesCountsAndPicture) {
  if (!verif::can_draw()) GTEST_SKIP() << verif::no_drawing;
  const verif::TempFolder folder;
  folder.write("page.md", block("front") + block("counts"));
  const gen::Finished done = run(folder, study + tables);
  ASSERT_EQ(done.status, 0) << done.output;
  const json report = json::parse(folder.content("small-study/study.json"));
  std::map<std::string, std::string> printed{{"sectored", "sectored"}};
  std::map<std::string, json> settings;
  for (const json& row : report["rows"]) {
    const json& of = settings[row["configuration"]] = row["settings"];
    if (!of.empty())
      printed[row["configuration"]] =
          std::string(of["index.kind"]) + " of " + std::string(of["geometry.capacity_bytes"]);
  }
  std::string expected =
      "<!-- table small/front -->\n| on the front of 1,000 | bits | misses |\n| --- | ---: | "
      "---: |\n";
  std::string counts;
  for (const json& front : report["fronts"]) {
    std::map<std::string, int> of{{"all", 0}, {"sectored", 0}, {"pli", 0}, {"cvi", 0}, {"bxi", 0}};
    for (const json& point : front["front"]) {
      const std::string name = point["configuration"];
      ++of[name == "sectored" ? "sectored" : "all"];
      if (name != "sectored") ++of[settings[name]["index.kind"]];
      if (front["input"] != "") continue;
      expected += fmt::format("| {} | {} | {:.4g} |\n", printed[name],
                              with_commas(std::to_string(point["cost"].get<std::int64_t>())),
                              point["value"].get<double>());
      EXPECT_THAT(folder.content("misses.svg"), HasSubstr(" " + printed[name] + "</text>"));
    }
    EXPECT_GT(front["front"].size(), 1u);
    const std::string input = front["input"];
    const std::string line =
        fmt::format("| {} | {} | {} | {} | {} | {} |\n", input.empty() ? "geometric mean" : input, of["all"],
                    of["sectored"], of["pli"], of["cvi"], of["bxi"]);
    EXPECT_THAT(folder.content("page.md"), HasSubstr(line));
  }
  EXPECT_THAT(folder.content("page.md"), StartsWith(expected + "<!-- /table -->\n"));
  EXPECT_THAT(folder.content("small-study/tables/front.csv"),
              StartsWith("on the front of 1000,bits,misses\n"));
  EXPECT_THAT(folder.content("misses.svg"), StartsWith("<svg "));
}

TEST(StudyFronts, Refusals) {
  const auto refused = [](const std::string& more) {
    const verif::TempFolder folder;
    folder.write("page.md", "");
    const gen::Finished done = run(folder, study + more);
    EXPECT_EQ(done.status, 2) << done.output;
    EXPECT_FALSE(std::filesystem::exists(folder.path("misses.svg")));
    return done.output;
  };
  const std::string lines = "columns = \"configurations\"\ncell = \"1\"\n";
  EXPECT_EQ(refused("[table.t]\nrows = [\"inputs\", \"front.mises\"]\n" + lines),
            "l1forge: small.toml:18:19: [table.t]: front.mises: there is no [pareto.mises]\n");
  EXPECT_EQ(refused("[table.t]\nheading = \"{1 +}\"\nrows = \"inputs\"\n" + lines),
            "l1forge: small.toml:18:1: [table.t]: heading: ends too early\n");
  EXPECT_EQ(refused("[table.t]\nrows = \"inputs\"\ncolumns = \"a\"\ncell = \"{front.misses[$row][four]}\"\n"),
            "l1forge: small.toml:18:1: [table.t]: nw, a: front.misses[nw][four]: has no row \"four\"\n");
  EXPECT_EQ(refused("[pareto.other]\npicture = \"a.png\"\n"),
            "l1forge: small.toml:18:11: pareto.other.picture = \"a.png\": must end in .svg\n");
  EXPECT_EQ(refused("[measure.front]\nkind = \"timed\"\n"),
            "l1forge: small.toml:18:1: [measure.front]: figures call something else front\n");
}
