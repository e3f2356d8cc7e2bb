// 20 million lock-step cycles over 40 random legal configurations of the L1 data cache.
#include "verif/l1d/lock_step.h"

TEST(L1dFull, InLockStepWithGolden) {
  verif::sampled_lock_step(40, 500'000, verif::full_tier() ? std::random_device{}() : 7);
}
