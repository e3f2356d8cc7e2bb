// Random legal parameters of an L1 data cache with split tags.
#pragma once
#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "verif/parameters/golden_parameters.h"

namespace verif {

// Sampler sets of each mode, none in both.
inline void random_samplers(hw::ModeParams& mode, int sets, Draw& draw) {
  std::vector<int> free(static_cast<std::size_t>(sets));
  std::iota(free.begin(), free.end(), 0);
  for (hw::SetList* list : {&mode.fine_sets, &mode.coarse_sets}) {
    list->count = draw.between(1, std::min(sets / 4, hw::SetList::most));
    for (int i = 0; i < list->count; ++i) {
      const auto at = static_cast<std::ptrdiff_t>(draw.below(free.size()));
      list->numbers[static_cast<std::size_t>(i)] = free[static_cast<std::size_t>(at)];
      free.erase(free.begin() + at);
    }
  }
}

inline hw::L1dParams random_split(Draw& draw) {
  hw::L1dParams p = random_l1d(draw);
  p.tags = hw::TagKind::split;
  p.replacement = hw::Replacement::nru;
  if (draw.percent(30)) p.store_scope = hw::StoreScope::mask;
  // Who compares every slot with every chunk takes long to compile.
  const int most = draw.percent(10) ? 64 * 32 : 128;
  do {
    p.line_bytes = draw.percent(60) ? 128 : 32 << draw.below(4);
    p.chunk_bytes = 8 << draw.below(4);
    p.split.groups = draw.percent(30) ? 4 : draw.between(1, 16);
    p.split.chunks_per_group = draw.percent(50) ? 0 : draw.between(1, 9);
    p.capacity_bytes = hw::slots_of(p) * p.chunk_bytes * (draw.percent(30) ? 32 : 2 << draw.below(7));
  } while (p.chunk_bytes > p.line_bytes || p.capacity_bytes < 1024 || p.capacity_bytes > 131072 ||
           hw::slots_of(p) < std::max(2, hw::chunks_of_line(p)) || hw::slots_of(p) > 64 ||
           hw::slots_of(p) * hw::chunks_of_line(p) > most);
  p.split.victim = static_cast<hw::SplitVictim>(draw.below(2));
  p.mode.kind = static_cast<hw::ModeKind>(draw.below(3));
  if (p.mode.kind == hw::ModeKind::dueling && hw::sets_of(p) < 8) p.mode.kind = hw::ModeKind::fine;
  p.mode.threshold = 1 << draw.below(6);
  p.mode.follow = p.mode.kind == hw::ModeKind::dueling && draw.percent(25);
  if (p.mode.kind == hw::ModeKind::dueling && draw.percent(50)) random_samplers(p.mode, hw::sets_of(p), draw);
  const hw::IndexKind kind = p.index.kind;
  const int latency = p.index.latency;
  p.index = {.kind = kind,
             .address_bits = p.address_bits,
             .line_bytes = p.line_bytes,
             .sets = hw::sets_of(p),
             .latency = latency};
  if (kind == hw::IndexKind::rxi && (p.index.sets != 32 || p.line_bytes != 128))
    p.index.kind = hw::IndexKind::pli;
  if (kind == hw::IndexKind::lin) random_taps(p.index, draw);
  // The tag has at least so many bits.
  const int tag = p.address_bits - std::countr_zero(static_cast<unsigned>(p.line_bytes)) -
                  std::countr_zero(static_cast<unsigned>(hw::sets_of(p)));
  p.split.private_tag_bits = draw.percent(20)   ? 0
                             : draw.percent(25) ? tag
                                                : draw.between(0, std::min(tag, 6));
  return p;
}

// The same with the adaptive index, whose tags are whole block addresses.
inline hw::L1dParams random_adaptive_split(Draw& draw, int longest = 4096) {
  hw::L1dParams p = with_adaptive_index(random_split(draw), draw, longest);
  if (draw.percent(20))
    p.split.private_tag_bits = p.address_bits - std::countr_zero(static_cast<unsigned>(p.line_bytes));
  return p;
}

}  // namespace verif
