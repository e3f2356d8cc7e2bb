// Random legal L1 data caches with BUCL's bypass, on every tag organisation.
#pragma once
#include "verif/parameters/decoupled_parameters.h"
#include "verif/parameters/reuse_filter_parameters.h"
#include "verif/parameters/split_parameters.h"

namespace verif {

inline hw::Fraction random_fraction(Draw& draw, int of) { return {2, {draw.between(0, of), of}}; }

inline hw::BuclParams random_bucl(Draw& draw) {
  hw::BuclParams p;
  p.update = static_cast<hw::BuclUpdate>(draw.below(2));
  p.period = draw.percent(20) ? 1000 : draw.between(1, 100);
  p.hit_rate = random_fraction(draw, draw.percent(50) ? 5 : draw.between(1, 255));
  p.buffer_use = random_fraction(draw, draw.between(1, 20));
  p.highest = draw.between(0, 63);
  p.lowest = draw.between(0, p.highest);
  p.initial = draw.between(p.lowest, p.highest);
  p.sub_partitions = draw.percent(30) ? 12 : draw.between(1, 64);
  p.buffer_entries = draw.between(1, 64);
  p.sms = draw.between(1, 20);
  p.designated_sm = draw.between(0, p.sms - 1);
  p.profile_cycles = draw.between(1, 200);
  p.thresholds = {.count = draw.between(1, 20)};
  for (int i = 0; i < p.thresholds.count; ++i)
    p.thresholds.numbers[static_cast<std::size_t>(i)] = draw.between(0, 63);
  p.issue_max = draw.between(1, 255);
  return p;
}

inline hw::L1dParams random_bucl_l1d(Draw& draw) {
  const auto base = draw.below(5);
  hw::L1dParams p = base == 0   ? random_split(draw)
                    : base == 1 ? random_reuse_l1d(draw)
                    : base == 2 ? random_decoupled(draw)
                                : random_l1d(draw);
  if (draw.percent(10)) p = with_adaptive_index(p, draw, 256);
  const bool follow = draw.percent(50);
  p.bypass = {.kind = hw::BypassKind::bucl, .follow = follow, .bucl = random_bucl(draw)};
  return p;
}

}  // namespace verif
