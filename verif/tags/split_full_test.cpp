// 20 million lock-step cycles over 40 random legal L1 data caches with split tags, some of them under the
// adaptive index, and the largest.
#include "verif/l1d/lock_step.h"
#include "verif/parameters/split_parameters.h"

namespace {

hw::L1dParams any_split(verif::Draw& draw) {
  return draw.percent(15) ? verif::random_adaptive_split(draw) : verif::random_split(draw);
}

}  // namespace

TEST(L1dTscFull, InLockStepWithGolden) {
  verif::sampled_lock_step(40, 500'000, verif::full_tier() ? std::random_device{}() : 7, any_split);
}

// As many slots, chunks a line, entries and merges as there may be; it takes minutes to compile.
TEST(L1dTscFull, LargestInLockStepWithGolden) {
  hw::L1dParams p{.address_bits = 64,
                  .line_bytes = 256,
                  .chunk_bytes = 8,
                  .capacity_bytes = 16384,
                  .tags = hw::TagKind::split,
                  .split = {.private_tag_bits = 12, .groups = 16, .chunks_per_group = 4},
                  .mode = {.kind = hw::ModeKind::dueling, .threshold = 100},
                  .replacement = hw::Replacement::nru,
                  .store_scope = hw::StoreScope::mask,
                  .mshr_entries = 128,
                  .mshr_merges = 64,
                  .miss_queue = 64,
                  .core_id_bits = 32};
  p.index = {.kind = hw::IndexKind::pli, .address_bits = 64, .line_bytes = 256, .sets = hw::sets_of(p)};
  const auto run =
      verif::lock_step(verif::config_of(p, "l1d_tsc_largest"), {.random_cycles = 30'000, .coverage = false});
  EXPECT_EQ(run.status, 0) << run.report.dump(1);
}
