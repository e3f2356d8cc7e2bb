#include "hw/tags/replacement.h"

#include <fmt/format.h>

#include "hw/prim/lfsr.h"
#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

// The state of all sets, `array`, follows that of the probe's set, `row`, a cycle late.
void follow(rtl::Module& m, const ProbeSet& probe, const Expr& touches, const Expr& array, const Expr& row,
            const Expr& touched, const std::string& name, int ways) {
  SetState state{.array = array, .row = row, .late = {}};
  const Expr left =
      m.let("left_row", mux(touches, touched, row), "the probe's set after this cycle if its request leaves");
  state.late =
      m.data_reg(fmt::format("late_{}_q", name), row.width(), "the probe's set after the cycle before");
  const Expr coming =
      m.let("coming_row", state.coming(probe.late, state.of(probe.next)), "the next request's set");
  const Expr set = m.looked_at("set", probe.next.width());
  m.observe(name, state.now(probe.late, set, state.of(set)), {{"way", ways}});
  m.clocked("The row that the others take over, if the request leaves.", [&] { m.set(state.late, left); });
  state.turn(m, "Replacement state of the probe's set.", probe.turnover, coming, left, row);
  m.clocked("Replacement state of all sets.", [&] { state.take_over(m, probe.late, "touched_set"); });
}

// Words of the ages of rows in which way w has age w.
std::vector<std::uint64_t> ages_in_order(int all, int ways) {
  const int bits = bits_to_number(ways);
  std::vector<std::uint64_t> words((static_cast<std::size_t>(all) + 63) / 64);
  for (int i = 0; i < all; ++i)
    if (i / bits % ways >> i % bits & 1)
      words[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << i % 64;
  return words;
}

// The ages of the W ways of a set, from 0 (youngest) to W - 1, are all different. Which way is younger than
// which is compared once, for the victim and for the new ages.
ReplacementLogic by_age(rtl::Module& m, const TagParams& p, const ProbeSet& probe, const Expr& candidates) {
  const int ways = p.ways, bits = bits_to_number(ways), all = p.sets * ways * bits;
  const Expr age_q =
      m.wide_reg("age_q", all, ages_in_order(all, ways), "age of each way of each set, 0 is the youngest");
  const Expr ages = m.wide_reg("row_ages_q", ways * bits, ages_in_order(ways * bits, ways),
                               "row of the probe's set, kept beside the array");
  std::vector<Expr> age, younger;
  for (int w = 0; w < ways; ++w) {
    age.push_back(ages.slice((w + 1) * bits - 1, w * bits));
    younger.push_back(m.wire(fmt::format("younger{}", w), ways, fmt::format("ways older than way {}", w)));
  }
  m.comb("Compare the ages.", [&] {
    m.loop("than", ways, [&](const Expr& u) {
      for (int w = 0; w < ways; ++w) m.set(younger[w].at(u), age[w] < ages.part(u, bits));
    });
  });
  std::vector<Expr> oldest;
  for (int w = ways - 1; w >= 0; --w)
    oldest.push_back(candidates.bit(w) & ~rtl::any(candidates & younger[w]));
  const Expr victim = m.let("victim", rtl::cat(oldest), "the oldest of the ways that may go");
  const auto update = [=](const WayTouch& touch) mutable {
    const Expr& way = touch.way;
    std::vector<Expr> next;
    for (int w = ways - 1; w >= 0; --w)
      next.push_back(mux(way.bit(w), lit(bits, 0), age[w] + rtl::zext(rtl::any(way & younger[w]), bits)));
    const Expr aged = m.let("aged", rtl::cat(next), "the touched way is the youngest, those younger age");
    follow(m, probe, touch.touches.value(), age_q, ages, aged, "age", ways);
  };
  return {victim, update};
}

ReplacementLogic not_recently_used(rtl::Module& m, const TagParams& p, const ProbeSet& probe,
                                   const Expr& candidates) {
  const int ways = p.ways;
  const Expr nru_q = m.reg("nru_q", p.sets * ways, 0, "ways used since their set was last cleared");
  const Expr used = m.reg("row_used_q", ways, 0, "row of the probe's set, kept beside the array");
  const Expr unused_ways = m.let("not_used", candidates & ~used, "ways that may go and were not used");
  const Expr pool = m.let("pool", mux(rtl::any(unused_ways), unused_ways, candidates), "of the victim");
  const Expr victim = lowest_of(m, "victim", pool, "lowest way of the pool, one-hot");
  const auto update = [=](const WayTouch& touch) mutable {
    const Expr marked = m.let("marked", used | touch.way, "used ways with the touched one");
    const Expr after = m.let("used_after", marked & ~rtl::replicate(ways, rtl::all(marked)),
                             "when all are set, all are cleared");
    follow(m, probe, touch.touches.value(), nru_q, used, after, "nru", ways);
  };
  return {victim, update};
}

// A re-reference prediction value (RRPV) of 2 bits a way, 3 the most distant (SRRIP with hit priority; Jaleel
// et al., ISCA 2010). The paper searches for a way with 3 in rounds, and adds 1 to all RRPVs after a round in
// vain. Here one cycle adds as much as the victim lacks.
ReplacementLogic by_prediction(rtl::Module& m, const TagParams& p, const ProbeSet& probe,
                               const Expr& candidates) {
  const int ways = p.ways, bits = 2, row = ways * bits;
  const auto all_ones = [](int n) {
    std::vector<std::uint64_t> words((static_cast<std::size_t>(n) + 63) / 64, ~std::uint64_t{0});
    if (n % 64) words.back() >>= 64 - n % 64;
    return words;
  };
  const Expr distant = m.constant("RRPV_DISTANT", bits, 3), inserted = m.constant("RRPV_LONG", bits, 2),
             promoted = m.constant("RRPV_IMMEDIATE", bits, 0);
  const Expr rrpv_q = m.wide_reg("rrpv_q", p.sets * row, all_ones(p.sets * row),
                                 "re-reference prediction value of each way of each set");
  const Expr rrpvs =
      m.wide_reg("row_rrpv_q", row, all_ones(row), "row of the probe's set, kept beside the array");
  const Expr high = m.wire("high_bits", ways, "high bit of each way's RRPV"),
             low = m.wire("low_bits", ways, "low bit of each way's RRPV");
  m.comb("The bits apart.", [&] {
    m.loop("bits_of", ways, [&](const Expr& w) {
      m.set(high.at(w), rtl::any(rrpvs.part(w, bits) & lit(bits, 2)));
      m.set(low.at(w), rtl::any(rrpvs.part(w, bits) & lit(bits, 1)));
    });
  });
  const Expr far = m.let("far", candidates & high, "ways that may go, of RRPV 2 or 3");
  const Expr some_far = m.let("some_far", rtl::any(far), "there is one");
  const Expr high_pool = m.let("high_pool", mux(some_far, far, candidates), "those of the larger high bit");
  const Expr odd = m.let("odd", high_pool & low, "of them those of RRPV 1 or 3");
  const Expr some_odd = m.let("some_odd", rtl::any(odd), "there is one");
  const Expr pool = m.let("pool", mux(some_odd, odd, high_pool), "ways of the largest RRPV");
  const Expr victim = lowest_of(m, "victim", pool, "lowest way of the pool, one-hot");
  const Expr largest = m.let("largest", rtl::cat({some_far, some_odd}), "RRPV of the victim");
  const Expr lacks = m.let("lacks", ~largest, "what the victim's RRPV lacks of 3");
  const Expr risen = m.wire("risen", row, "RRPVs with so much more");
  m.comb("A way that may not go can be above the victim: it stays at the end.", [&] {
    m.loop("rrpv_of", ways, [&](const Expr& w) {
      const Expr own = rrpvs.part(w, bits);
      m.set(risen.part(w, bits), mux(largest < own, distant, own + lacks));
    });
  });
  const auto update = [=](const WayTouch& touch) mutable {
    // With closed ways a load may leave that takes none.
    Expr goes = touch.new_line.value() & touch.full.value();
    if (p.closed_ways) goes = goes & rtl::any(candidates);
    const Expr replaces = m.let("replaces", goes, "the victim goes, if a load leaves");
    const Expr touched =
        m.let("touched_rrpv", mux(touch.new_line.value(), inserted, promoted), "of the touched way");
    const Expr after = m.wire("rrpv_after", row, "RRPVs of the set if a load leaves");
    m.comb("The touched way, and the others.", [&] {
      m.set(after, mux(replaces, risen, rrpvs));
      m.loop("way_of", ways,
             [&](const Expr& w) { m.when(touch.way.at(w), [&] { m.set(after.part(w, bits), touched); }); });
    });
    follow(m, probe, touch.touches.value(), rrpv_q, rrpvs, after, "rrpv", ways);
  };
  return {victim, update};
}

// The victim is candidate number (LFSR mod n) of n. The remainders by every n are registers beside the LFSR:
// they are worked out in the cycle before.
ReplacementLogic at_random(rtl::Module& m, const TagParams& p, const Expr& candidates) {
  const int ways = p.ways, bits = bits_to_number(ways);
  const Expr lfsr_q = m.reg("lfsr_q", 16, lfsr_seed, "steps when a victim was taken");
  m.observe("lfsr", lfsr_q);
  const Expr next = m.let("lfsr_after", lfsr_next(lfsr_q), "next state of the register");
  std::vector<std::pair<Expr, Expr>> steps{{lfsr_q, next}};
  std::vector<std::pair<std::uint64_t, Expr>> remainders;
  for (int n = 2; n <= ways; ++n) {
    const Expr r = remainder_of(m, next, n);
    const Expr q = m.reg(fmt::format("mod{}_q", n), r.width(), lfsr_seed % static_cast<std::uint64_t>(n),
                         fmt::format("lfsr_q mod {}", n));
    steps.emplace_back(q, r);
    remainders.emplace_back(n, q);
  }
  const auto update = [=](const WayTouch& touch) mutable {
    m.clocked("Step.", [&] {
      m.when(touch.replaced.value(), [&] {
        for (const auto& [q, value] : steps) m.set(q, value);
      });
    });
  };
  if (ways == 1) return {candidates, update};

  const Expr count = ones_of(m, "candidates_number", candidates, "ways that may go");
  const Expr number = m.wire("victim_number", bits, "of the victim among the ways that may go");
  m.comb("The LFSR modulo their number.", [&] {
    m.set(number, lit(bits, 0));
    for (const auto& [n, q] : remainders)
      m.when(count == lit(count.width(), n), [&] { m.set(number, rtl::zext(q, bits)); });
  });
  const Expr victim = m.wire("victim", ways, "the candidate of that number");
  const Expr below = m.wire("below", count.width(), "candidates counted so far");
  m.comb("Count up to it.", [&] {
    m.set(below, lit(count.width(), 0));
    m.loop("way_number", ways, [&](const Expr& w) {
      m.set(victim.at(w), candidates.at(w) & (below == rtl::zext(number, count.width())));
      m.set(below, below + rtl::zext(candidates.at(w), count.width()));
    });
  });
  return {victim, update};
}

}  // namespace

ReplacementLogic replacement(rtl::Module& m, const TagParams& p, const ProbeSet& probe,
                             const Expr& candidates) {
  if (p.replacement == Replacement::random) return at_random(m, p, candidates);
  if (p.ways == 1) return {candidates, [](const WayTouch&) {}};
  if (p.replacement == Replacement::srrip) return by_prediction(m, p, probe, candidates);
  return p.replacement == Replacement::lru ? by_age(m, p, probe, candidates)
                                           : not_recently_used(m, p, probe, candidates);
}

std::string_view replacement_name(Replacement policy) {
  switch (policy) {
    case Replacement::lru:
      return "lru";
    case Replacement::nru:
      return "nru";
    case Replacement::srrip:
      return "srrip";
    default:
      return "random";
  }
}

}  // namespace hw
