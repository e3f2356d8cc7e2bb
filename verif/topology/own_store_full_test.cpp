// The private-store rule of shared L1s: kept in each organisation, and broken by controllers without its
// guard, as in the thesis. The scoreboard of the cores alone says so.
#include "verif/parameters/small_topologies.h"
#include "verif/topology/by_scoreboard.h"
#include "verif/unit_lock_step.h"

namespace {

verif::LockStep by_scoreboard(const verif::Flags& flags) {
  return verif::lock_step("shared_l1", flags, 1'000'000, verif::fresh_seed(8), verif::against_scoreboard);
}

class OwnStore : public testing::TestWithParam<const char*> {};

TEST_P(OwnStore, IsSeenByLoads) {
  const verif::LockStep run =
      by_scoreboard(verif::with(verif::small_dyneb(), {std::string("shared.organisation=") + GetParam()}));
  EXPECT_EQ(run.status, 0) << run.output;
}

INSTANTIATE_TEST_SUITE_P(Organisations, OwnStore, testing::Values("private", "shared", "dyneb"));

}  // namespace

TEST(OwnStoreOfTheThesis, IsMissedByLoads) {
  const verif::LockStep run =
      by_scoreboard(verif::with(verif::small_dyneb(), {"shared.own_store_guard=false"}));
  EXPECT_EQ(run.status, 1) << run.output;
  EXPECT_THAT(run.output, testing::HasSubstr("data, of the scoreboard"));
}
