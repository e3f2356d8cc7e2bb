// Random traffic of an L1 data cache reaches the coverage goals of each preset and of the largest shape, and
// misses some where it aims at nothing: on the golden model alone, in another seed than the lock step's.
#include <gmock/gmock.h>

#include "gen/config/config.h"
#include "verif/l1d/golden_coverage.h"
#include "verif/l1d/lock_step.h"

namespace {

std::vector<std::string> missed(const verif::Goals& goals) {
  std::vector<std::string> names;
  for (const auto& [name, times] : goals)
    if (times == 0) names.push_back(name);
  return names;
}

TEST(FillingStimulus, ReachesTheGoalsOfEachPreset) {
  for (const gen::Config& config : verif::cache_presets()) {
    const auto& p = config.get<hw::L1dParams>();
    const auto goals = verif::golden_goals(p, verif::cycles_for_goals(p), 2);
    EXPECT_THAT(missed(goals), testing::IsEmpty()) << config.top;
    fmt::print("{}: {} goals\n", config.top, goals.size());
  }
}

TEST(FillingStimulus, ReachesTheGoalsOfTheLargest) {
  EXPECT_THAT(missed(verif::golden_goals(verif::largest_l1d(), 1'000'000, 2)), testing::IsEmpty());
}

TEST(FillingStimulus, GoalsAreMissedWithoutAim) {
  const auto p = gen::load_config("l1d").get<hw::L1dParams>();
  EXPECT_THAT(missed(verif::golden_goals(p, 2'000'000, 1, false)),
              testing::IsSupersetOf({"each MSHR entry full of targets", "each tag bit of each way alone",
                                     "each comparator bit of each MSHR entry alone"}));
}

}  // namespace
