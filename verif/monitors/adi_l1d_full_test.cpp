// 20 million lock-step cycles over 30 random legal configurations of the L1 data cache with the adaptive
// index: 1 to 8 index bits, periods of 16 to 4,096, split tags among them.
#include "verif/l1d/lock_step.h"
#include "verif/parameters/split_parameters.h"

namespace {

hw::L1dParams any_adaptive(verif::Draw& draw) {
  if (draw.percent(25)) return verif::random_adaptive_split(draw);
  return verif::with_adaptive_index(verif::random_l1d(draw), draw);
}

}  // namespace

TEST(L1dAdiFull, InLockStepWithGolden) {
  verif::sampled_lock_step(30, 670'000, verif::full_tier() ? std::random_device{}() : 9, any_adaptive);
}
