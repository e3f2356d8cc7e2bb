// What DynEB's comparison should come to, from the thesis' equations as fractions (DC-L1 thesis,
// section 4.4.2) and without products: compared digit by digit of their continued fractions.
#pragma once
#include <compare>
#include <cstdint>

#include "hw/shared/dyneb_params.h"

namespace verif {

struct Fraction {
  std::uint64_t over = 0, under = 1;
};

constexpr std::strong_ordering compare(Fraction a, Fraction b) {
  for (bool turned = false;; turned = !turned) {
    const auto digits = a.over / a.under <=> b.over / b.under;
    if (digits != 0) return turned ? 0 <=> digits : digits;
    a.over %= a.under, b.over %= b.under;
    if (a.over == 0 || b.over == 0) {
      const auto rest = a.over <=> b.over;
      return turned ? 0 <=> rest : rest;
    }
    a = {a.under, a.over}, b = {b.under, b.over};
  }
}

// One group's events, and the loads that its core sent to homes.
struct DynebTally {
  std::uint64_t accesses = 0, misses = 0, slice_replies = 0, home_replies = 0, sent = 0, sent_missed = 0;
};

// Equation 4.3: L2 replies over the miss rate, and replies of homes.
constexpr Fraction bandwidth(const DynebTally& t) {
  const std::uint64_t misses = t.misses ? t.misses : 1;
  return {t.slice_replies * t.accesses + t.home_replies * misses, misses};
}

// Equations 4.1 and 4.2 without the latency of a hit, which both sides have.
constexpr Fraction access_time(const DynebTally& t, const hw::DynebParams& p) {
  const auto l2 = static_cast<unsigned>(p.l2_latency), home = static_cast<unsigned>(p.home_latency);
  return {(t.misses + t.sent_missed) * l2 + t.sent * home, t.accesses + t.sent};
}

constexpr bool shared_is_better(const hw::DynebParams& p, const DynebTally& even, const DynebTally& odd) {
  if (even.accesses == 0 || odd.accesses == 0) return false;
  if (compare({even.misses, even.accesses}, {static_cast<unsigned>(p.miss_percent), 100}) < 0) return false;
  return p.metric == hw::DynebMetric::eb ? compare(bandwidth(odd), bandwidth(even)) > 0
                                         : compare(access_time(odd, p), access_time(even, p)) < 0;
}

}  // namespace verif
