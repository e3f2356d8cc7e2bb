// 20 million lock-step cycles over 40 random legal L1 data caches with decoupled sectored tags, some of them
// under the adaptive index: 1 to 8 tags a way, 1 to 16 ways, 1 to 16 chunks and more, both victims.
#include "verif/l1d/lock_step.h"
#include "verif/parameters/decoupled_parameters.h"

namespace {

hw::L1dParams any_decoupled(verif::Draw& draw) {
  return draw.percent(15) ? verif::random_adaptive_decoupled(draw) : verif::random_decoupled(draw);
}

}  // namespace

TEST(L1dDscFull, InLockStepWithGolden) {
  verif::sampled_lock_step(40, 500'000, verif::full_tier() ? std::random_device{}() : 12, any_decoupled);
}
