#include "hw/client/event_counter.h"

#include <fmt/format.h>

#include <algorithm>

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
  const Expr q = m.reg("count_q", bits, 0, "drives count");
  const int carries = (bits - 1) / part;
  const Expr ends = carries ? m.reg("ends_q", carries, 0, "parts that are all ones") : Expr{};
  const auto end = [&](int k) { return carries == 1 ? ends : ends.bit(k); };
  m.assign(count, q);
  m.clocked("Events may come late in a cycle.", [&] { m.set(seen_q, seen); });
  m.clocked("A part goes on by one when all below it are at their end.", [&] {
    for (int k = 0; k <= carries; ++k) {
      const Expr mine = q.slice(std::min(bits, (k + 1) * part) - 1, k * part);
      const Expr steps = k == 0 ? seen_q : k == 1 ? seen_q & end(0) : seen_q & rtl::all(ends.slice(k - 1, 0));
      m.when(steps, [&] {
        m.set(mine, mine + lit(mine.width(), 1));
        if (k < carries) m.set(end(k), mine == lit(part, (1u << part) - 2));
      });
    }
  });
  return m;
}

}  // namespace hw
