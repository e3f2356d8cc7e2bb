// Sums of a period of page placement.
#include <fmt/format.h>

#include "hw/monitors/blpp.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::replicate, rtl::zext;

namespace {

constexpr int part_bits = 8;  // of a sum; its events are no wider
static_assert(blpp_event_bits == part_bits && blpp_sum_bits % part_bits == 0);

// No carry passes more than a part: for the others a flop knows whether it would.
rtl::Module summed(const std::string& name) {
  rtl::Module m(name,
                "A sum and the events of a cycle, in parts; flops know which parts a carry would pass.");
  const Expr count = m.input("count", blpp_sum_bits, "the sum so far");
  const Expr events = m.input("events", blpp_event_bits, "of this cycle");
  const Expr last = m.input("last", 1, "the next sum begins behind this cycle");
  const Expr sum = m.output("sum", blpp_sum_bits, "with them");
  const Expr lowest =
      m.let("lowest", zext(count.slice(part_bits - 1, 0), part_bits + 1) + zext(events, part_bits + 1),
            "the lowest part, and its carry");
  constexpr int uppers = blpp_sum_bits / part_bits - 1;
  const Expr ones_q = m.reg("ones_q", uppers - 1, 0, "the upper parts but the highest are all ones");
  std::vector<Expr> parts{lowest.slice(part_bits - 1, 0)}, ones;
  Expr passes = lowest.bit(part_bits);
  for (int k = 0; k < uppers; ++k) {
    const int low = (k + 1) * part_bits;
    const Expr part = count.slice(low + part_bits - 1, low);
    if (k)
      passes =
          m.let(fmt::format("passes_{}", k), passes & ones_q.bit(k - 1), "the carry passes the part below");
    parts.insert(parts.begin(), rtl::mux(passes, part + lit(part_bits, 1), part));
    if (k + 1 < uppers)
      ones.insert(ones.begin(),
                  rtl::mux(passes, part == lit(part_bits, (1 << part_bits) - 2), ones_q.bit(k)));
  }
  m.assign(sum, rtl::cat(parts));
  m.clocked("A part is all ones if it is next to it and counts.",
            [&] { m.set(ones_q, rtl::cat(ones) & ~replicate(uppers - 1, last)); });
  return m;
}

// More flits than the limit: the upper bits are compared while the lowest part is added up.
Expr over_limit(rtl::Module& m, const BlppParams& p, const Expr& count, const Expr& events) {
  const auto limit = static_cast<std::uint64_t>(traffic_limit(p)), low = limit & 0xFF,
             high = limit >> part_bits;
  const int bits = part_bits + 1, high_bits = blpp_sum_bits - part_bits;
  const Expr lowest = m.let("flits_lowest", zext(count.slice(part_bits - 1, 0), bits) + zext(events, bits),
                            "the lowest part of the flits, and its carry");
  const Expr upper = count.slice(blpp_sum_bits - 1, part_bits);
  const Expr upper_limit = m.constant("UPPER_LIMIT", high_bits, high,
                                      "flits above which the network is busy, without the lowest 8 bits");
  const Expr lower_limit = m.constant("LOWER_LIMIT", bits, low, "lowest 8 bits of that number");
  Expr over = (upper_limit < upper) | ((upper == upper_limit) & (lower_limit < lowest));
  if (high)
    over = over |
           ((upper == upper_limit - lit(high_bits, 1)) & (lower_limit + lit(bits, 1 << part_bits) < lowest));
  return over;
}

}  // namespace

rtl::Module blpp_counters(const BlppParams& p, const std::string& name) {
  rtl::Module m(name, fmt::format("Events of a period of {} cycles (ACI thesis, section 5.2).", p.period));
  constexpr const char* events[] = {"a1", "m1", "a2", "m2", "flits"};
  constexpr const char* docs[] = {"loads at the L1s", "misses of the L1s", "loads at the L2 banks",
                                  "misses of the L2 banks", "flits at memory ports and link"};
  std::vector<Expr> in, sums;
  for (std::size_t i = 0; i < std::size(events); ++i)
    in.push_back(m.input(events[i], blpp_event_bits, docs[i]));
  const Expr last = m.output("last", 1, "the period's last cycle");
  for (std::size_t i = 0; i + 1 < std::size(events); ++i)
    sums.push_back(
        m.output(fmt::format("{}_sum", events[i]), blpp_sum_bits, "of the period, with this cycle's"));
  const Expr over = m.output("over", 1, "the period has had more flits than the limit, with this cycle's");
  sums.push_back(m.wire("flits_sum", blpp_sum_bits, "of the period, with this cycle's"));

  m.section("Cycle of the period.");
  const int bits = bits_to_number(p.period);
  const Expr cycle_q = m.reg("cycle_q", bits, 0, "cycle of the period");
  const Expr last_q = m.reg("last_q", 1, 0, "the period's last cycle, as seen in the one before");
  m.assign(last, last_q);
  m.clocked("Count cycles.", [&] {
    m.set(cycle_q, (cycle_q + lit(bits, 1)) & ~replicate(bits, last));
    m.set(last_q, cycle_q == m.constant("CYCLE_BEFORE_LAST", bits, static_cast<std::uint64_t>(p.period) - 2,
                                        fmt::format("of a period of {} cycles", p.period)));
  });
  m.observe("cycle", cycle_q);

  m.section("Sums.");
  const rtl::Module sum = summed(name + "_sum");
  std::vector<Expr> counts;
  for (std::size_t i = 0; i < std::size(events); ++i) {
    counts.push_back(m.reg(fmt::format("{}_q", events[i]), blpp_sum_bits, 0, "of the period so far"));
    m.instance(sum, fmt::format("sum_of_{}", events[i]),
               {{"count", counts[i]}, {"events", in[i]}, {"last", last}, {"sum", sums[i]}}, docs[i]);
    m.observe(events[i], counts[i]);
  }
  m.assign(over, over_limit(m, p, counts.back(), in.back()));
  m.clocked("Add up, and begin again behind the period.", [&] {
    for (std::size_t i = 0; i < std::size(events); ++i)
      m.set(counts[i], sums[i] & ~replicate(blpp_sum_bits, last));
  });
  return m;
}

}  // namespace hw
