// Random legal configurations of the L1 data cache with the adaptive index in lock step with golden, as many
// as fit the fast tier.
#include "verif/l1d/lock_step.h"

namespace {

hw::L1dParams quick_to_change(verif::Draw& draw) {
  return verif::with_adaptive_index(verif::random_l1d(draw), draw, 256);
}

}  // namespace

TEST(L1dAdiSampled, InLockStepWithGolden) { verif::sampled_lock_step(4, 250'000, 20240612, quick_to_change); }

// One index bit, which is always the victim; the shortest period; no idle.
TEST(L1dAdiSampled, SmallestInLockStepWithGolden) {
  hw::L1dParams p{.address_bits = 20,
                  .line_bytes = 32,
                  .chunk_bytes = 32,
                  .capacity_bytes = 1024,
                  .ways = 16,
                  .adaptive = {.period = 16, .counter_bits = 4, .idle = 0},
                  .counters = true};
  p.index = {.kind = hw::IndexKind::adi, .address_bits = 20, .line_bytes = 32, .sets = hw::sets_of(p)};
  EXPECT_EQ(verif::lock_step(verif::config_of(p, "l1d_adi_smallest"), {.random_cycles = 250'000}).status, 0);
}
