// 20 million lock-step cycles over 40 random legal L1 data caches with the reuse-count filter.
#include "verif/l1d/lock_step.h"
#include "verif/parameters/reuse_filter_parameters.h"

TEST(L1dReuseFull, InLockStepWithGolden) {
  verif::sampled_lock_step(40, 500'000, verif::full_tier() ? std::random_device{}() : 7,
                           verif::random_reuse_l1d);
}
