// Random legal parameters of set-index units, the same for the same seed.
#pragma once
#include <bit>
#include <random>

#include "hw/index/index_unit.h"
#include "hw/require.h"

namespace verif {

// May be illegal.
inline hw::IndexParams any_index(std::mt19937_64& draw) {
  hw::IndexParams p;
  p.kind = static_cast<hw::IndexKind>(draw() % 6);
  p.address_bits = static_cast<int>(20 + draw() % 45);
  p.line_bytes = 32 << draw() % 4;
  p.sets = 2 << draw() % hw::max_index_bits;
  p.latency = static_cast<int>(draw() % 5);
  const int offset = std::countr_zero(static_cast<unsigned>(p.line_bytes));
  if (p.kind == hw::IndexKind::rxi) p.sets = 32, p.line_bytes = 128;
  if (p.kind == hw::IndexKind::pli && draw() % 2) {
    p.poly = static_cast<std::uint32_t>(p.sets | (draw() % p.sets));
    p.allow_reducible = draw() % 2;
  }
  if (p.kind == hw::IndexKind::lin)
    for (int i = 0; i < std::countr_zero(static_cast<unsigned>(p.sets)); ++i) {
      const std::uint64_t legal = (~std::uint64_t{0} >> (64 - p.address_bits)) >> offset << offset;
      p.taps[i] = (draw() & draw() & legal) | std::uint64_t{1} << (offset + i);
    }
  return p;
}

// Any kind, any width; with `max_block_bits` only units small enough to be driven with every block address.
inline hw::IndexParams sample_index(std::mt19937_64& draw, int max_block_bits = 64) {
  for (;;) {
    const hw::IndexParams p = any_index(draw);
    if (hw::block_address_bits(p) > max_block_bits) continue;
    try {
      hw::check(p);
      return p;
    } catch (const hw::ParamError&) {
      // Illegal, a singular matrix say: draw again.
    }
  }
}

}  // namespace verif
