// The closed loop of integrated adaptive cache management: warps of a trace issue as many as the controller
// in the cache says, in explore and with the generated units in cosim --trace; its timeline as a picture.
#include <gmock/gmock.h>

#include "gen/paths.h"
#include "gen/process.h"
#include "verif/l1d/lock_step.h"
#include "verif/run_l1forge.h"

namespace {

using nlohmann::json;
using testing::HasSubstr, testing::Not;

std::string trace(const std::string& name) {
  return (gen::paths::source() / "verif/traces" / (name + ".rec.xz")).string();
}

std::vector<int> values(const json& history, const char* key) {
  std::vector<int> all;
  for (const auto& change : history)
    all.push_back(change[key].is_array() ? change[key][0].get<int>() : change[key].get<int>());
  return all;
}

// The only run of a call of explore, and its picture.
std::pair<json, std::string> explored(std::vector<std::string> arguments) {
  const gen::TempDir work("loop");
  arguments.insert(arguments.begin(), "explore");
  arguments.insert(arguments.end(), {"--json", "run.json", "--html", "run.html"});
  const gen::Finished done = verif::l1forge(arguments, work.path());
  EXPECT_EQ(done.status, 0) << done.output;
  return {json::parse(gen::read_file(work / "run.json")), gen::read_file(work / "run.html")};
}

const json* found(const json& in, const std::string& key) {
  if (in.is_object() && in.contains(key)) return &in[key];
  if (in.is_structured())
    for (const auto& part : in)
      if (const json* there = found(part, key)) return there;
  return nullptr;
}

TEST(ClosedLoop, ExploreHoldsAsManyWarpsAsTheControllerSays) {
  const std::vector<std::string> atax{"--trace", trace("atax256_first_warps")};
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), atax.begin(), atax.end());
    return explored(arguments);
  };
  const auto [together, picture] = run({"l1d_iacm"});
  const json* const limits = found(together, "limit_history");
  ASSERT_TRUE(limits);
  const std::vector<int> counts = values(*limits, "limit");
  EXPECT_THAT(counts, testing::Each(testing::AllOf(testing::Ge(1), testing::Le(24))));
  EXPECT_GT(counts.size(), 4u);
  const json& came_to = together["runs"][0];
  EXPECT_EQ(came_to["limit"]["values"], counts.size());
  EXPECT_EQ(came_to["limit"]["last"], counts.back());
  for (const char* of : {"limit", "phase"}) {
    std::int64_t sum = 0, most = 0;
    for (const auto& [value, cycles] : came_to[of]["cycles"].items()) {
      sum += cycles.get<std::int64_t>();
      most = std::max(most, cycles.get<std::int64_t>());
    }
    EXPECT_EQ(sum, came_to["cycles"]) << of;
    EXPECT_DOUBLE_EQ(came_to[of]["longest_share"], static_cast<double>(most) / static_cast<double>(sum));
  }
  for (const char* words :
       {"warps that may issue", "what adapts", "thread instructions a cycle", "address bits of its index"})
    EXPECT_THAT(picture, HasSubstr(words));
  const auto [alone, other] = run({"l1d_iacm", "-s", "iacm.order=adi"});
  EXPECT_THAT(values(*found(alone, "limit_history"), "limit"),
              testing::Not(testing::Contains(testing::Lt(5))));
  EXPECT_NE(*found(together, "cycles"), *found(alone, "cycles")) << "the limit counts";
  const auto [plain, none] = run({"l1d"});
  EXPECT_FALSE(found(plain, "limit_history"));
  EXPECT_THAT(none, Not(HasSubstr("thread instructions a cycle")));
}

// The limiters are hardware, the count comes from hardware, and models run beside both.
TEST(ClosedLoop, GeneratedControllerHoldsWarpsThroughGeneratedLimiters) {
  const gen::Config config =
      gen::load_config("l1d_iacm", {"iacm.period=200", "iacm.adi_idle=200", "iacm.order=parallel",
                                    "adaptive.period=64", "limit.scope=core", "limit.warps=48"});
  const auto run =
      verif::lock_step(config, {.traces = {trace("streamcluster_two_launches")}, .coverage = false});
  ASSERT_EQ(run.status, 0) << run.report.dump(1);
  const auto& figures = run.report["traces"][0];
  EXPECT_GT(figures["limit_history"].size(), 3);
  EXPECT_GT(figures["phase_history"].size(), 2);
  EXPECT_GT(figures["thread_instructions"], 0);
}

}  // namespace
