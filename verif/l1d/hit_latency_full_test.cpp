// Random legal configurations of the L1 data cache whose hits are answered in the cycle of their lookup
// (core.hit_latency = 1), in lock step.
#include "verif/l1d/lock_step.h"

namespace {

hw::L1dParams random_at_once(verif::Draw& draw) {
  hw::L1dParams p = verif::random_l1d(draw);
  p.hit_latency = 1;
  p.request_slice = draw.percent(20);
  if (draw.percent(50)) p.store_policy = hw::StorePolicyKind::update;
  return p;
}

}  // namespace

TEST(HitLatencyFull, InLockStepWithGolden) {
  verif::sampled_lock_step(20, 500'000, verif::full_tier() ? std::random_device{}() : 7, random_at_once);
}
