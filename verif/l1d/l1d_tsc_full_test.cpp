// 20 million lock-step cycles over 40 random legal L1 data caches with split tags.
#include "verif/l1d/lock_step.h"
#include "verif/l1d/split_parameters.h"

TEST(L1dTscFull, InLockStepWithGolden) {
  verif::sampled_lock_step(40, 500'000, verif::full_tier() ? std::random_device{}() : 7, verif::random_split);
}
