#include "hw/bus/event_counter.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hw {

using rtl::Expr, rtl::lit;

rtl::Module event_counter(int bits) {
  constexpr int part = 8;
  rtl::Module m(
      fmt::format("event_counter_w{}", bits),
      fmt::format("Counts cycles with an event, in {} bits; parts of {} do not wait for each other's "
                  "carry.",
                  bits, part));
  const Expr seen = m.input("event_seen", 1, "an event");
  const Expr count =
      m.output("count", bits, "events so far, those of this cycle and the one before not among them");
  const Expr seen_q = m.reg("event_seen_q", 1, 0, "an event in the cycle before");
  const int parts = (bits + part - 1) / part;
  const Expr q = m.reg("count_q", parts * part, 0, "drives count, in whole parts");
  const Expr ends = m.reg("ends_q", parts, 0, "parts that are all ones");
  std::vector<Expr> moves{seen_q};
  for (int k = 1; k < parts; ++k)
    moves.push_back(m.let(fmt::format("moves_{}", k), moves.back() & ends.bit(k - 1),
                          fmt::format("part {} goes on by one: all below it are at their end", k)));
  std::reverse(moves.begin(), moves.end());
  const Expr move = m.let("moves", rtl::cat(moves), "parts that go on by one");
  m.unused("unused_end", ends.bit(parts - 1), "of the highest part");
  m.assign(count, q.slice(bits - 1, 0));
  if (parts * part > bits) m.unused("unused_top", q.slice(parts * part - 1, bits), "above the count");
  m.clocked("Events may come late in a cycle.", [&] { m.set(seen_q, seen); });
  m.clocked("Parts.", [&] {
    m.loop("k", parts, [&](const Expr& k) {
      const Expr mine = q.part(k, part);
      m.when(move.at(k), [&] {
        m.set(mine, mine + lit(part, 1));
        m.set(ends.at(k), mine == lit(part, (1u << part) - 2));
      });
    });
  });
  return m;
}

}  // namespace hw
