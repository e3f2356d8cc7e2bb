// Shared L1s over butterflies with a DynEB controller for each core in lock step.
#include "verif/parameters/small_topologies.h"
#include "verif/unit_lock_step.h"

TEST(DynebOverButterflies, LockStep) {
  verif::expect_same("shared_l1", verif::with_controllers(verif::small_butterfly()), 60'000,
                     verif::fresh_seed(6));
}
