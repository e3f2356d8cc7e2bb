// The arbiter in front of a shared L1: lock step with and without a limit of waiting, refusals, injected
// faults.
#include "golden/shared/l1_arbiter.h"

#include "gen/unit/unit.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::high, verif::low, verif::stuck;

std::vector<std::string> limited(int cycles) { return {fmt::format("shared.remote_wait_limit={}", cycles)}; }

}  // namespace

TEST(L1Arbiter, ARequestGoesFirstAfterTheLimit) {
  golden::L1Arbiter arbiter({.remote_wait_limit = 64});
  const golden::L1Arbiter::In busy{.local = true, .served = true, .ready = true};
  int cycles = 0;
  for (; !arbiter.serves(busy); ++cycles) arbiter.edge(busy);
  EXPECT_EQ(cycles, 64);
  arbiter.edge(busy);
  EXPECT_FALSE(arbiter.serves(busy)) << "the next one waits rehashed";
}

TEST(L1Arbiter, LockStep) {
  for (const int limit : {0, 5, 64})
    verif::expect_same("l1_arbiter", limited(limit), 200'000, verif::fresh_seed(1));
}

TEST(L1Arbiter, Refusals) {
  try {
    gen::elaborate(gen::load_config("l1_arbiter", limited(1024)));
    FAIL();
  } catch (const gen::ConfigError& e) {
    EXPECT_STREQ(e.what(),
                 "-s shared.remote_wait_limit=1024: shared.remote_wait_limit = 1024: must be from 0 to "
                 "1023; the nearest is 1023");
  }
}

TEST(L1Arbiter, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"the_core_never_gives_way", "", "serves", "local_failed", low()},
      {"others_go_first", "", "serves", "~local_valid", high()},
      {"age_does_not_count", "", "serves", "old", low()},
      {"a_cycle_late", "", "old", "WAIT_LIMIT", stuck(6)},
      {"others_that_are_taken_stay_old", "", "waited_q", "serves & ready", low()},
      {"old_before_they_are_taken", "", "waited_q", "ready", high()}};
  verif::expect_all_found("l1_arbiter", limited(5), faults);
}
