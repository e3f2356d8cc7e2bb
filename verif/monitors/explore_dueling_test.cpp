// SM dueling in explore, timed and untimed: who filters, who follows, and what is refused.
#include <gmock/gmock.h>

#include "gen/config/config.h"
#include "gen/config/error.h"
#include "gen/explore/explore.h"
#include "gen/explore/report.h"
#include "gen/paths.h"

namespace {

gen::Config config(std::vector<std::string> settings) {
  settings.push_back("tags.reuse_filter.dueling=true");
  return gen::load_config("l1d_reuse_filter", settings);
}

gen::RunResult run(const std::vector<std::string>& settings, bool timed) {
  gen::ExploreRequest request;
  request.timed = timed;
  request.sms = 4;
  request.threads = 1;
  request.traces = {(gen::paths::source() / "verif/traces/streamcluster_two_launches.rec.xz").string()};
  return (timed ? gen::explore_timed : gen::explore_untimed)({config(settings)}, request).at(0);
}

std::string refusal(const std::vector<std::string>& settings, int sms) {
  gen::ExploreRequest request;
  request.sms = sms;
  request.traces = {"builtin:kmeans"};
  try {
    gen::explore({gen::load_config("l1d_reuse_filter", settings)}, request);
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

// With a margin of 100 points the filter is never worse: the followers filter from the first decision on.
TEST(ExploreDueling, CachesZeroAndOneStayAndTheOthersFollow) {
  for (const bool timed : {false, true}) {
    const auto result = run({"tags.reuse_filter.dueling_margin_percent=100"}, timed);
    EXPECT_GT(result.duel.intervals, 20u);
    EXPECT_EQ(result.duel.switches, 1u);
    EXPECT_GE(result.duel.filtering + 2, result.duel.intervals);
    EXPECT_GT(result.sms[0].counters.bypasses, 0u);
    EXPECT_EQ(result.sms[1].counters.bypasses, 0u);
    for (const int follower : {2, 3}) EXPECT_GT(result.sms[follower].counters.bypasses, 0u);
    EXPECT_EQ(gen::explore_json({result})["runs"][0]["dueling"]["switches"], 1);
    EXPECT_THAT(gen::explore_table({result}), testing::HasSubstr("bypass %"));
  }
}

// Where lines are used twice at most, an interval in which the filter loses sends its followers back.
TEST(ExploreDueling, FollowersChangeTheirMind) {
  for (const bool timed : {false, true}) {
    const auto result =
        run({"tags.reuse_filter.dueling_margin_percent=0", "tags.reuse_filter.dueling_interval=64"}, timed);
    EXPECT_GT(result.duel.switches, 2u);
    EXPECT_GT(result.duel.filtering, 0u);
    EXPECT_LT(result.duel.filtering, result.duel.intervals);
  }
}

TEST(ExploreDueling, OneSmCannotDuel) {
  EXPECT_EQ(refusal({"tags.reuse_filter.dueling=true"}, 1),
            "-s tags.reuse_filter.dueling=true: tags.reuse_filter.dueling = true: compares two SMs, this run "
            "has one; "
            "use --sms 2 or more");
  EXPECT_EQ(refusal({"tags.reuse_filter.follow=true"}, 4),
            "-s tags.reuse_filter.follow=true: tags.reuse_filter.follow = true: waits for an input that "
            "nobody drives "
            "here; use tags.reuse_filter.dueling = true and --sms 2 or more");
}
