// Sums of a period of page placement.
#include <fmt/format.h>

#include "hw/blpp/blpp.h"
#include "hw/prim/last_cycle.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::replicate, rtl::zext;

rtl::Module blpp_counters(const BlppParams& p, const std::string& name) {
  rtl::Module m(name, fmt::format("Events of a period of {} cycles (ACI thesis, section 5.2).", p.period));
  constexpr const char* events[] = {"a1", "m1", "a2", "m2", "flits"};
  constexpr const char* docs[] = {"loads at the L1s", "misses of the L1s", "loads at the L2 banks",
                                  "misses of the L2 banks", "flits at memory ports and link"};
  std::vector<Expr> in, sums;
  for (std::size_t i = 0; i < std::size(events); ++i)
    in.push_back(m.input(events[i], blpp_event_bits, docs[i]));
  const Expr last = m.output("last", 1, "the period's last cycle");
  for (const char* event : events)
    sums.push_back(m.output(fmt::format("{}_sum", event), blpp_sum_bits, "of the period, with this cycle's"));

  m.section("Cycle of the period.");
  const int bits = bits_to_number(p.period);
  const Expr cycle_q = m.reg("cycle_q", bits, 0, "cycle of the period");
  m.assign(last, cycle_q == last_cycle(m, bits, p.period));
  m.clocked("Count cycles.", [&] { m.set(cycle_q, (cycle_q + lit(bits, 1)) & ~replicate(bits, last)); });
  m.observe("cycle", cycle_q);

  m.section("Sums.");
  std::vector<Expr> counts;
  for (std::size_t i = 0; i < std::size(events); ++i) {
    counts.push_back(m.reg(fmt::format("{}_q", events[i]), blpp_sum_bits, 0, "of the period so far"));
    m.assign(sums[i], counts[i] + zext(in[i], blpp_sum_bits));
    m.observe(events[i], counts[i]);
  }
  m.clocked("Add up, and begin again behind the period.", [&] {
    for (std::size_t i = 0; i < std::size(events); ++i)
      m.set(counts[i], sums[i] & ~replicate(blpp_sum_bits, last));
  });
  return m;
}

}  // namespace hw
