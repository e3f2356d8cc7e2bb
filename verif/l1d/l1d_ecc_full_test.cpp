// 100 million lock-step cycles of caches with protected RAMs of data, of tags as well, or of waiting loads
// and queued requests, under upsets: random shapes, with policies and with the adaptive index.
#include "verif/l1d/lock_step.h"
#include "verif/parameters/decoupled_parameters.h"
#include "verif/parameters/split_parameters.h"
#include "verif/unit_lock_step.h"

namespace {

hw::L1dParams with_protected_data(hw::L1dParams p, verif::Draw& draw) {
  p.ecc.data = draw.percent(50) ? hw::Protection::parity : hw::Protection::secded;
  p.ecc.data_bits = std::min(8 << draw.below(4), 8 * p.chunk_bytes);
  if (p.tags == hw::TagKind::sectored && draw.percent(40)) p.fetch = hw::FetchSize::line;
  if (!hw::traits_of(p.tags).in_slots && draw.percent(30)) {
    p.store_policy = hw::StorePolicyKind::update;
    p.ecc.data_bits = 8;
  }
  if (draw.percent(30)) p.bypass.kind = hw::BypassKind::mrpb;
  if (draw.percent(30)) p.request_slice = true;
  if (hw::sets_of(p) <= 128 && draw.percent(30)) p = verif::with_adaptive_index(p, draw, 256);
  return p;
}

hw::L1dParams random_protected(verif::Draw& draw) {
  return with_protected_data(verif::random_l1d(draw), draw);
}

// Lines that share the ways or the slots of a set.
hw::L1dParams random_protected_sharing(verif::Draw& draw) {
  return with_protected_data(draw.percent(50) ? verif::random_decoupled(draw) : verif::random_split(draw),
                             draw);
}

hw::L1dParams with_protected_tags(hw::L1dParams p, verif::Draw& draw) {
  p.ecc.tags = draw.percent(50) || p.address_bits > 60 ? hw::Protection::parity : hw::Protection::secded;
  if (draw.percent(70)) p.ecc.data = hw::Protection::none;
  if (p.ecc.data == hw::Protection::none && draw.percent(30)) p.store_policy = hw::StorePolicyKind::update;
  return p;
}

hw::L1dParams random_protected_tags(verif::Draw& draw) {
  return with_protected_tags(random_protected(draw), draw);
}

hw::L1dParams random_protected_shared_tags(verif::Draw& draw) {
  return with_protected_tags(random_protected_sharing(draw), draw);
}

hw::L1dParams random_protected_rows(verif::Draw& draw) {
  hw::L1dParams p = draw.percent(50) ? random_protected(draw) : verif::random_l1d(draw);
  p.ecc.mshr = draw.percent(50) ? hw::Protection::parity : hw::Protection::secded;
  return p;
}

}  // namespace

TEST(L1dEccFull, RandomShapes) {
  verif::sampled_lock_step(40, 500'000, verif::fresh_seed(54), random_protected);
}

TEST(L1dEccFull, RandomShapesWithProtectedTags) {
  verif::sampled_lock_step(40, 500'000, verif::fresh_seed(54), random_protected_tags);
}

TEST(L1dEccFull, RandomShapesThatShare) {
  verif::sampled_lock_step(40, 500'000, verif::fresh_seed(54), random_protected_sharing);
}

TEST(L1dEccFull, RandomShapesThatShareWithProtectedTags) {
  verif::sampled_lock_step(40, 500'000, verif::fresh_seed(54), random_protected_shared_tags);
}

TEST(L1dEccFull, RandomShapesWithProtectedRows) {
  verif::sampled_lock_step(40, 500'000, verif::fresh_seed(54), random_protected_rows);
}
