// Requests of kind drop, which invalidate a line and are not answered: injected faults and beside them lock
// step.
#include <gtest/gtest.h>

#include "verif/l1d/drops.h"
#include "verif/mutate/mutation_run.h"

namespace {

using verif::high, verif::low;

}  // namespace

// The sound unit runs here, too.
TEST(Drops, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{{"drops_leave_the_line", "", "invalidate", "drops", low()},
                                         {"drops_do_not_poison", "", "poison", "", low()},
                                         {"drops_stay", "", "fire", "drops", low()},
                                         {"drops_are_loads", "", "load", "~probe_drop_q", high()}};
  verif::expect_all_found("l1d", verif::small_with_drops, faults, {.cycles = 60'000});
}
