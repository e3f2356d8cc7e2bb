// `l1forge explore` on split tags: partial misses, the history of fine and coarse, and who decides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using nlohmann::json;
using Arguments = std::vector<std::string>;

const std::string streamcluster = verif::in_source("verif/traces/streamcluster_two_launches.rec.xz");

std::string output(Arguments arguments, int status = 0) {
  arguments.insert(arguments.begin(), "explore");
  const auto run = verif::l1forge(arguments);
  EXPECT_EQ(run.status, status) << run.output;
  return run.output;
}

json first_run(Arguments arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  return json::parse(output(arguments))["runs"][0];
}

}  // namespace

// Set 4 is always coarse, set 0 always fine: two misses of it shift the counters, fine 1 * 2, coarse 0 * 2.
TEST(ExploreModes, HistoryOfAList) {
  const verif::TempFolder folder;
  const std::string list = folder.write("list", "L 200 f\nL 0 1\nL 1000 1\nL 80 1\nL 80 8\nL 0 3\n");
  const json run =
      first_run({"l1d_tsc", "--requests", list, "-s", "mode.kind=dueling", "-s", "mode.threshold=1"});
  EXPECT_EQ(run["mode_history"],
            json::parse(R"([{"loads": 0, "mode": "fine"}, {"loads": 3, "mode": "coarse"}])"));
  EXPECT_EQ(run["misses"], 4);
  EXPECT_EQ(run["partial_misses"], 1) << "set 0 is fine for ever";
  EXPECT_EQ(run["hits"], 1) << "set 1 became coarse";
  EXPECT_EQ(run["chunks_requested"], 4 + 1 + 1 + 4 + 1);
  EXPECT_FALSE(first_run({"l1d_tsc", "--requests", list}).contains("mode_history"));
}

// Cache 0 decides: as many changes as in a run of its own would be, and each SM has its counters.
TEST(ExploreModes, TheOthersFollowCache0) {
  for (const Arguments& mode : {Arguments{"--untimed"}, Arguments{"--timed"}}) {
    Arguments arguments{"l1d_tsc", "--trace",           streamcluster, "--sms",           "2",
                        "-s",      "mode.kind=dueling", "-s",          "mode.threshold=4"};
    arguments.insert(arguments.end(), mode.begin(), mode.end());
    const json run = first_run(arguments);
    EXPECT_GT(run["mode_history"].size(), 1u);
    EXPECT_GT(run["per_sm"][1]["chunks_requested"], run["per_sm"][1]["requests_down"]);
    EXPECT_EQ(run["loads"], run["hits"].get<int>() + run["hit_pending"].get<int>() +
                                run["partial_misses"].get<int>() + run["misses"].get<int>());
  }
}

TEST(ExploreModes, NobodyDrivesAFollower) {
  EXPECT_EQ(
      output({"l1d_tsc", "-s", "mode.kind=dueling", "-s", "mode.follow=true", "--trace", streamcluster}, 2),
      "l1forge: -s mode.follow=true: mode.follow = true: waits for an input that nobody drives here; leave "
      "it "
      "out: with mode.kind = \"dueling\" cache 0 decides and the others follow\n");
}
