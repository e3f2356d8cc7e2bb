// `l1forge explore` with the adaptive index: the timelines of sel and of the miss rate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "golden/l1d/timeline.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Arguments = std::vector<std::string>;

const std::string atax = verif::in_source("verif/traces/atax256_first_warps.rec.xz");

std::string output(Arguments arguments) {
  const Arguments common = {
      "--trace",           atax, "-s", "adaptive.period=250", "-s", "adaptive.counter_bits=8", "-s",
      "adaptive.idle=1000"};
  arguments.insert(arguments.begin(), "explore");
  arguments.insert(arguments.end(), common.begin(), common.end());
  const auto run = verif::l1forge(arguments);
  EXPECT_EQ(run.status, 0) << run.output;
  return run.output;
}

TEST(ExploreAdaptive, HistoryEndsWithTheRowsOfAtax) {
  for (const Arguments& mode : {Arguments{"--untimed"}, Arguments{"--timed"}}) {
    Arguments arguments{"l1d_adi", "--json", "-"};
    arguments.insert(arguments.end(), mode.begin(), mode.end());
    const json run = json::parse(output(arguments))["runs"][0];
    const json& history = run["adi_history"];
    EXPECT_EQ(history[0], json({{"loads", 0}, {"sel", {7, 8, 9, 10, 11}}}));
    auto sel = history.back()["sel"].get<std::vector<int>>();
    std::ranges::sort(sel);
    EXPECT_THAT(sel, testing::ElementsAre(14, 15, 16, 17, 18));
    EXPECT_EQ(run["adaptive"]["changes"], history.size() - 1);
    EXPECT_EQ(run["flushes"], history.size() - 1);
    EXPECT_GE(run["adaptive"]["selections"], run["adaptive"]["agree_with_exact_mrp"]);
    std::uint64_t loads = 0, misses = 0;
    for (const auto& n : run["timeline"]["loads"]) loads += n.get<std::uint64_t>();
    for (const auto& n : run["timeline"]["misses"]) misses += n.get<std::uint64_t>();
    EXPECT_EQ(run["loads"], loads);
    EXPECT_EQ(run["misses"], misses);
  }
}

// The Verilog under the same front end and memory changes its index at the same loads.
TEST(ExploreAdaptive, TimedHistoryIsThatOfTheVerilog) {
  const auto cosim =
      verif::l1forge({"cosim", "l1d_adi", "--trace", atax, "--json", "-", "-s", "adaptive.period=250", "-s",
                      "adaptive.counter_bits=8", "-s", "adaptive.idle=1000"});
  ASSERT_EQ(cosim.status, 0) << cosim.output;
  const json run = json::parse(output({"l1d_adi", "--timed", "--json", "-"}))["runs"][0];
  EXPECT_EQ(run["adi_history"], json::parse(cosim.output)["traces"][0]["adi_history"]);
}

TEST(ExploreAdaptive, TableAndPictureShowIt) {
  const verif::TempFolder folder;
  const std::string adaptive = folder.path("a.html"), fixed = folder.path("b.html");
  EXPECT_THAT(output({"l1d_adi", "--untimed", "--html", adaptive}),
              AllOf(HasSubstr("\nl1d_adi on atax256_first_warps: "),
                    HasSubstr("\n  sel from load        0: 7 8 9 10 11\n")));
  EXPECT_THAT(gen::read_file(adaptive),
              AllOf(HasSubstr("in the course of a run"), HasSubstr("\"step-after\""),
                    HasSubstr("address bits of its index")));
  const auto plain = verif::l1forge({"explore", "l1d", "--untimed", "--trace", atax, "--html", fixed});
  EXPECT_THAT(plain.output, Not(HasSubstr("sel from load")));
  EXPECT_THAT(gen::read_file(fixed), Not(HasSubstr("in the course of a run")));
}

TEST(ExploreAdaptive, ALongRunHasFewParts) {
  golden::Timeline timeline;
  golden::L1dCounters counters;
  for (int i = 0; i < 1'000'000; ++i) {
    ++counters.loads;
    counters.misses += i % 4 == 0;
    timeline.watch(counters);
  }
  timeline.finish(counters);
  std::uint64_t loads = 0, misses = 0;
  for (const auto& part : timeline.parts()) loads += part.loads, misses += part.misses;
  EXPECT_EQ(loads, 1'000'000u);
  EXPECT_EQ(misses, 250'000u);
  EXPECT_GE(timeline.parts().size(), 100u);
  EXPECT_LE(timeline.parts().size(), 256u);
}

}  // namespace
