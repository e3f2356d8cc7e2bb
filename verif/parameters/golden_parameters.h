// Random legal parameters of the L1 data cache, small enough that its corners are met often.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <ostream>
#include <random>

#include "hw/l1d/l1d_params.h"

namespace verif {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  // 0 .. n-1
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low + 1)));
  }
  bool percent(unsigned p) { return below(100) < p; }
  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

// A matrix that is regular over the low block-address bits: ones on the diagonal, anything above it.
inline void random_taps(hw::IndexParams& p, Draw& draw) {
  const int offset = std::countr_zero(static_cast<unsigned>(p.line_bytes));
  const int sets = std::countr_zero(static_cast<unsigned>(p.sets));
  const std::uint64_t address = ~std::uint64_t{0} >> (64 - p.address_bits);
  for (int i = 0; i < sets; ++i)
    p.taps[i] = (draw.bits() & draw.bits() & address & ~std::uint64_t{0} << (offset + i)) |
                std::uint64_t{1} << (offset + i);
}

inline hw::IndexParams random_index(hw::IndexParams p, Draw& draw) {
  using enum hw::IndexKind;
  p.kind = static_cast<hw::IndexKind>(draw.below(6));
  if (p.kind == rxi && (p.sets != 32 || p.line_bytes != 128)) p.kind = pli;
  if (p.kind == lin) random_taps(p, draw);
  p.latency = draw.percent(50) ? 0 : draw.between(1, 4);
  return p;
}

inline hw::L1dParams random_l1d(Draw& draw) {
  hw::L1dParams p;
  do {
    p.address_bits = draw.percent(30) ? 32 : draw.between(20, 64);
    p.line_bytes = draw.percent(40) ? 128 : 32 << draw.below(4);
    p.chunk_bytes = 8 << draw.below(4);
    p.ways = draw.between(1, 16);
    p.capacity_bytes = p.line_bytes * p.ways * (draw.percent(30) ? 32 : 2 << draw.below(7));
  } while (p.chunk_bytes > p.line_bytes || p.capacity_bytes < 1024 || p.capacity_bytes > 131072);
  p.tags = draw.percent(50) ? hw::TagKind::sectored : hw::TagKind::conventional;
  p.replacement = static_cast<hw::Replacement>(draw.below(4));
  if (p.tags == hw::TagKind::sectored && draw.percent(50)) p.store_scope = hw::StoreScope::mask;
  p.mshr_entries = draw.percent(50) ? draw.between(1, 6) : draw.between(1, 128);
  p.mshr_merges = draw.percent(70) ? draw.between(1, 5) : draw.between(1, 64);
  p.miss_queue = draw.percent(70) ? draw.between(1, 4) : draw.between(1, 64);
  p.core_id_bits = draw.between(5, 32);
  p.index.address_bits = p.address_bits;
  p.index.line_bytes = p.line_bytes;
  p.index.sets = hw::sets_of(p);
  p.index = random_index(p.index, draw);
  return p;
}

// All that can be large is.
inline hw::L1dParams largest_l1d() {
  hw::L1dParams p{.address_bits = 64,
                  .line_bytes = 256,
                  .chunk_bytes = 8,
                  .capacity_bytes = 131072,
                  .ways = 16,
                  .tags = hw::TagKind::sectored,
                  .store_scope = hw::StoreScope::mask,
                  .mshr_entries = 128,
                  .mshr_merges = 64,
                  .miss_queue = 64,
                  .core_id_bits = 32};
  p.index = {.kind = hw::IndexKind::pli, .address_bits = 64, .line_bytes = 256, .sets = hw::sets_of(p)};
  return p;
}

// Few sets of many ways, with one set among them: of models alone where it is one, or has more than 64 ways.
inline hw::L1dParams random_wide_l1d(Draw& draw) {
  hw::L1dParams p = random_l1d(draw);
  p.line_bytes = 32 << draw.below(3);
  p.chunk_bytes = std::min(p.chunk_bytes, p.line_bytes);
  p.ways = draw.percent(50) ? 32 << draw.below(5) : draw.between(17, 512);
  p.capacity_bytes = p.line_bytes * p.ways * (1 << draw.below(3));
  p.mshr_entries = draw.between(1, 512);
  p.index = {.address_bits = p.address_bits, .line_bytes = p.line_bytes, .sets = hw::sets_of(p)};
  return p;
}

// The same cache with the adaptive index. Periods of 16 to `longest`, every counter wraps in half of them.
inline hw::L1dParams with_adaptive_index(hw::L1dParams p, Draw& draw, int longest = 4096) {
  p.index.kind = hw::IndexKind::adi;
  p.index.poly = 0;
  p.index.taps = {};
  int width = draw.between(4, std::bit_width(static_cast<unsigned>(longest)) - 1);
  p.adaptive.period = draw.percent(50) ? 1 << width : draw.between((1 << (width - 1)) + 1, 1 << width);
  p.adaptive.period = std::max(p.adaptive.period, 16);
  if (draw.percent(25)) width += draw.between(1, 2);
  p.adaptive.counter_bits = width;
  p.adaptive.idle = draw.percent(50) ? draw.between(0, 4) : draw.between(0, 300);
  return p;
}

// Line addresses that compete: twice the ways of two sets, and some anywhere.
inline std::uint64_t random_address(const hw::L1dParams& p, Draw& draw) {
  const std::uint64_t line = static_cast<std::uint64_t>(p.line_bytes);
  const std::uint64_t sets = static_cast<std::uint64_t>(hw::sets_of(p));
  std::uint64_t block = draw.bits();
  const int ways = p.tags == hw::TagKind::split ? hw::slots_of(p) / hw::chunks_of_line(p) + 1 : p.ways;
  if (draw.percent(95)) block = draw.below(2) + sets * draw.below(2 * static_cast<std::uint64_t>(ways));
  return block * line & ~std::uint64_t{0} >> (64 - p.address_bits);
}

// Kinds of requests beside loads that the cache takes: snoops are of conventional tags and no bypass.
inline unsigned kinds_of(const hw::L1dParams& p) {
  return p.tags == hw::TagKind::conventional && p.bypass.kind == hw::BypassKind::none ? 5 : 4;
}

inline std::uint32_t random_mask(const hw::L1dParams& p, Draw& draw) {
  const std::uint64_t all = std::uint64_t{1} << hw::chunks_of_line(p);
  if (draw.percent(30)) return static_cast<std::uint32_t>(all - 1);
  return static_cast<std::uint32_t>(1 + draw.below(all - 1));
}

}  // namespace verif

namespace hw {

inline void PrintTo(const L1dParams& p, std::ostream* out) {
  *out << "N " << p.address_bits << " line " << p.line_bytes << " chunk " << p.chunk_bytes << " sets "
       << sets_of(p) << " ways " << p.ways << " index " << static_cast<int>(p.index.kind) << "+"
       << p.index.latency << (by_chunk(p.tags) ? " by chunk" : " by line") << " replacement "
       << static_cast<int>(p.replacement) << (p.store_scope == StoreScope::mask ? " scope mask" : "")
       << (p.store_policy == StorePolicyKind::update ? " stores update" : "")
       << (p.fetch == FetchSize::line ? " fetches lines" : "") << " mshr " << p.mshr_entries << "x"
       << p.mshr_merges << " queue " << p.miss_queue << " id " << p.core_id_bits;
  if (p.tags == TagKind::reuse_filter)
    *out << " reuse filter: entries " << p.reuse.ways << " threshold " << p.reuse.threshold << " of "
         << p.reuse.rc_bits << " bits" << (p.reuse.tag_victim == TagVictim::lfu ? "" : " dataless first")
         << (p.reuse.follow ? " follows" : "");
  if (p.tags == TagKind::split)
    *out << " split " << p.split.groups << "x" << chunks_of_group(p) << " private "
         << p.split.private_tag_bits << (p.split.victim == SplitVictim::group ? " by group" : " by chunk")
         << " mode " << static_cast<int>(p.mode.kind) << (p.mode.follow ? " follows" : "") << " threshold "
         << p.mode.threshold << " samplers " << p.mode.fine_sets.count << "+" << p.mode.coarse_sets.count;
  if (p.tags == TagKind::decoupled)
    *out << " decoupled: tags a way " << p.decoupled.tags_per_way
         << (p.decoupled.victim == DecoupledVictim::way ? " by way" : " by tag");
  if (p.index.kind == IndexKind::adi)
    *out << " adaptive T " << p.adaptive.period << " M " << p.adaptive.counter_bits << " idle "
         << p.adaptive.idle;
}

}  // namespace hw
