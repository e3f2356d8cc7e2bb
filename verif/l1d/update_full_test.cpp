// 20 million lock-step cycles of caches whose stores write into lines: random shapes of every tag
// organisation, with each policy and the adaptive index, in a node, and in every topology.
#include "verif/l1d/lock_step.h"
#include "verif/parameters/decoupled_parameters.h"
#include "verif/parameters/reuse_filter_parameters.h"
#include "verif/parameters/small_topologies.h"
#include "verif/parameters/split_parameters.h"
#include "verif/unit_lock_step.h"

namespace {

// One organisation after the other, some with a policy, some with an index that moves.
hw::L1dParams random_updating(verif::Draw& draw) {
  static constexpr hw::L1dParams (*organisations[])(verif::Draw&) = {
      verif::random_l1d, verif::random_split, verif::random_reuse_l1d, verif::random_decoupled};
  hw::L1dParams p = organisations[draw.below(std::size(organisations))](draw);
  p.store_policy = hw::StorePolicyKind::update;
  if (p.tags == hw::TagKind::sectored && draw.percent(40)) p.fetch = hw::FetchSize::line;
  if (draw.percent(40)) p.bypass.kind = hw::BypassKind::mrpb;
  if (p.mode.kind != hw::ModeKind::dueling && hw::sets_of(p) <= 128 && draw.percent(30))
    p = verif::with_adaptive_index(p, draw, 256);
  return p;
}

}  // namespace

TEST(UpdateFull, RandomShapes) {
  verif::sampled_lock_step(40, 375'000, verif::fresh_seed(41), random_updating);
}

TEST(UpdateFull, InANodeAndInEveryTopology) {
  const verif::Flags update{"tags.store_policy=update"};
  std::uint64_t seed = verif::fresh_seed(43);
  for (const char* tags : {"conventional", "sectored", "split"})
    verif::expect_same("dc_l1_node", {"tags.store_policy=update", std::string("tags.kind=") + tags}, 500'000,
                       seed++);
  for (const char* kind : {"baseline", "private_nodes", "shared_nodes", "clustered", "cdxbar"})
    verif::expect_same("dc_l1", verif::with(verif::small_topology(kind), update), 450'000, seed++);
  for (const verif::Flags& shape : {verif::small_shared(), verif::small_butterfly(), verif::small_dyneb()})
    verif::expect_same("shared_l1", verif::with(shape, update), 450'000, seed++);
}
