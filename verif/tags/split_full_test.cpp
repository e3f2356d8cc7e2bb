// 20 million lock-step cycles over 40 random legal L1 data caches with split tags, some of them under the
// adaptive index.
#include "verif/l1d/lock_step.h"
#include "verif/tags/split_parameters.h"

namespace {

hw::L1dParams any_split(verif::Draw& draw) {
  return draw.percent(15) ? verif::random_adaptive_split(draw) : verif::random_split(draw);
}

}  // namespace

TEST(L1dTscFull, InLockStepWithGolden) {
  verif::sampled_lock_step(40, 500'000, verif::full_tier() ? std::random_device{}() : 7, any_split);
}
