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
  const auto update = [=](const std::optional<Expr>& touches, const Expr& way,
                          const std::optional<Expr>&) mutable {
    std::vector<Expr> next;
    for (int w = ways - 1; w >= 0; --w)
      next.push_back(mux(way.bit(w), lit(bits, 0), age[w] + rtl::zext(rtl::any(way & younger[w]), bits)));
    const Expr aged = m.let("aged", rtl::cat(next), "the touched way is the youngest, those younger age");
    follow(m, probe, touches.value(), age_q, ages, aged, "age", ways);
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
  const auto update = [=](const std::optional<Expr>& touches, const Expr& way,
                          const std::optional<Expr>&) mutable {
    const Expr marked = m.let("marked", used | way, "used ways with the touched one");
    const Expr after = m.let("used_after", marked & ~rtl::replicate(ways, rtl::all(marked)),
                             "when all are set, all are cleared");
    follow(m, probe, touches.value(), nru_q, used, after, "nru", ways);
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
  const auto update = [=](const std::optional<Expr>&, const Expr&,
                          const std::optional<Expr>& replaced) mutable {
    m.clocked("Step.", [&] {
      m.when(replaced.value(), [&] {
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
  if (p.ways == 1)
    return {candidates, [](const std::optional<Expr>&, const Expr&, const std::optional<Expr>&) {}};
  return p.replacement == Replacement::lru ? by_age(m, p, probe, candidates)
                                           : not_recently_used(m, p, probe, candidates);
}

}  // namespace hw
