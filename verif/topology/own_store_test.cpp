// The private-store rule of shared L1s with controllers: a load never returns data older than an earlier
// store of its own core. The scoreboard of the cores alone says so, without the reference model: it accuses
// nobody while both halves of the guard work, through changes of organisation and flushes, and each half
// alone is not enough.
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/topology/by_scoreboard.h"
#include "verif/unit_lock_step.h"

TEST(OwnStore, BothHalvesOfTheGuardAreNeeded) {
  // L1s that keep lines through phases, which are short.
  const verif::Flags settings = verif::with(
      verif::small_dyneb(), {"geometry.capacity_bytes=2048", "shared.min_home_l2=false",
                             "dyneb.miss_percent=0", "dyneb.sample_accesses=2", "dyneb.sample_cap=30",
                             "dyneb.execute_accesses=12", "dyneb.execute_cap=24"});
  const std::vector<verif::Fault> faults{{"no_copy_is_dropped", "_core", "drops", "", verif::low()},
                                         {"no_store_is_remembered", "_core", "written", "", verif::low()}};
  verif::expect_all_found("shared_l1", settings, faults,
                          {.cycles = 200'000, .change = verif::against_scoreboard});
}
