// 20 million lock-step cycles over 40 random legal L1 data caches with BUCL's bypass, on every tag
// organisation, with inputs to follow and with units of their own.
#include "verif/l1d/lock_step.h"
#include "verif/policy/bucl_parameters.h"

TEST(BuclFull, InLockStepWithGolden) {
  verif::sampled_lock_step(40, 500'000, verif::full_tier() ? std::random_device{}() : 7,
                           verif::random_bucl_l1d);
}
