#include "hw/monitors/awl.h"

#include <fmt/format.h>

#include "hw/monitors/change.h"
#include "hw/monitors/iacm_ranges.h"
#include "hw/monitors/ipc_sum.h"
#include "hw/monitors/limit_ranges.h"
#include "hw/prim/last_cycle.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::zext;

struct AwlPorts {
  Expr kernel_start, total, start, issued;
  Expr limit, busy, done, moved;
};

AwlPorts awl_ports(rtl::Module& m, const AwlParams& p) {
  const int bits = warp_count_bits(p);
  return {
      .kernel_start = m.input("kernel_start", 1, "a kernel begins: no limit, no search"),
      .total = m.input("total", bits, "the kernel's warps in the limit's scope; counts with kernel_start"),
      .start = m.input("start", 1, "search, unless a search goes on"),
      .issued = m.input("issued", issued_bits(p), "thread instructions issued in this cycle"),
      .limit = m.output("limit", bits, "warps that may issue"),
      .busy = m.output("busy", 1, "a search goes on"),
      .done = m.output("done", 1, "the search has ended in the cycle before"),
      .moved = m.output("moved", 1, "the result differs from the one before by more than the fraction")};
}

// Registers of the search, and whether one begins.
struct AwlSearch {
  Expr active_q, origin_q, settled_q, total_q, busy_q, linear_q, up_q, done_q, moved_q;
  Expr begins, alone;

  int bits() const { return active_q.width(); }
  Expr count(int value) const { return lit(bits(), static_cast<std::uint64_t>(value)); }
  // Half the count, as far as it has bits.
  Expr half(const Expr& value) const {
    return bits() == 1 ? count(0) : zext(value.slice(bits() - 1, 1), bits());
  }
};

AwlSearch search_state(rtl::Module& m, const AwlParams& p, const Expr& start) {
  const int bits = warp_count_bits(p);
  const auto warps = static_cast<std::uint64_t>(p.warps);
  m.section("Counts of warps (of the thesis' names, N_C, N_S, N_P and N_T).");
  const Expr active_q = m.reg("active_q", bits, warps, "warps that may issue"),
             origin_q =
                 m.data_reg("origin_q", bits, "the count that the search, or a part of it, began with"),
             settled_q = m.reg("settled_q", bits, warps, "result of the search before"),
             total_q = m.reg("total_q", bits, warps, "warps of the kernel");
  m.section("The search.");
  const Expr busy_q = m.reg("busy_q", 1, 0, "a search goes on"),
             linear_q = m.reg("linear_q", 1, 0, "counts change by one; else they are halved or doubled"),
             up_q = m.reg("up_q", 1, 0, "counts grow"),
             done_q = m.reg("done_q", 1, 0, "a search has ended in the cycle before"),
             moved_q = m.reg("moved_q", 1, 0, "the last result has moved");
  const Expr begins = m.let("begins", start & ~busy_q, "a search is requested and none goes on"),
             alone = m.let("alone", total_q == lit(bits, 1), "there is nothing to search");
  return {active_q, origin_q, settled_q, total_q, busy_q, linear_q, up_q, done_q, moved_q, begins, alone};
}

// A period that ends with a count to be judged, and whether the count is better than the one before.
struct Period {
  Expr cycle_q, ipc_q, previous_q;
  Expr judged, pays;
};

Period period_sum(rtl::Module& m, const AwlParams& p, const AwlPorts& ports, const AwlSearch& search) {
  const int cycles = bits_to_number(p.period), ipc = ipc_bits(p, p.period);
  m.section("Thread instructions of a period.");
  const Expr cycle_q = m.reg("cycle_q", cycles, 0, "cycle of the period"),
             ipc_q = m.reg("ipc_q", ipc, 0, "issued so far"),
             previous_q = m.data_reg("previous_q", ipc,
                                     "issued with the count before; 0 where this one is the measure");
  const Expr last =
      m.let("last", cycle_q == last_cycle(m, cycles, p.period), "the cycle is the last of the period");
  const IpcSum sum(m, ipc_q, ports.issued);
  const Expr judged =
      m.let("judged", search.busy_q & last & sum.some(), "a period ends in which something was issued");
  const Expr pays = sum.above("pays", previous_q, "the count is better than the one before");
  const Expr counts = m.let("counts", search.busy_q & ~last & ~ports.kernel_start, "the period goes on");
  m.clocked("Count.", [&] {
    m.set(cycle_q, (cycle_q + lit(cycles, 1)) & rtl::replicate(cycles, counts));
    m.set(ipc_q, sum.now() & rtl::replicate(ipc, counts));
  });
  m.clocked("IPC that the next count is compared with.", [&] {
    m.when(search.begins, [&] { m.set(previous_q, lit(ipc, 0)); }).otherwise([&] {
      m.when(judged, [&] { m.set(previous_q, sum.now() & rtl::replicate(ipc, pays)); });
    });
  });
  return {cycle_q, ipc_q, previous_q, judged, pays};
}

// Counts that may come next, and where the search stands.
struct Candidates {
  Expr less, more, twice;
  Expr at_all, at_one, at_half;
};

Candidates candidates(rtl::Module& m, const AwlSearch& s) {
  const Expr& active = s.active_q;
  const int bits = s.bits();
  m.section("Counts that may come next, and where the search stands.");
  const Expr less = m.let("less", active - s.count(1), "one warp less"),
             more = m.let("more", active + s.count(1), "one warp more");
  const Expr doubled = m.let("doubled", rtl::cat({active, lit(1, 0)}), "twice as many");
  const Expr twice =
      m.let("twice", mux(zext(s.total_q, bits + 1) < doubled, s.total_q, doubled.slice(bits - 1, 0)),
            "twice as many, up to all");
  return {.less = less,
          .more = more,
          .twice = twice,
          .at_all = m.let("at_all", active == s.total_q, "all warps"),
          .at_one = m.let("at_one", active == s.count(1), "one warp"),
          .at_half = m.let("at_half", active == s.half(s.origin_q), "half of what the search began with")};
}

// What a period leads to. The IPC is known last, so that both outcomes are worked out beside it.
struct Outcome {
  Expr active, ends, moved;
};

// The count is better than the one before: on in the same direction, to the end of the range.
Outcome paying(rtl::Module& m, const AwlParams& p, const AwlSearch& s, const Candidates& c) {
  const Expr &active = s.active_q, &linear = s.linear_q, &up = s.up_q;
  m.section("When the count pays.");
  const Expr at_twice = m.let("at_twice", zext(active, s.bits() + 1) == rtl::cat({s.origin_q, lit(1, 0)}),
                              "twice of what the search began with");
  const Expr ends =
      m.let("paying_ends", mux(up, c.at_all | (linear & at_twice), mux(linear, c.at_half, c.at_one)),
            "the range ends here");
  const Expr on = m.let("paying_on", mux(linear, mux(up, c.more, c.less), mux(up, c.twice, s.half(active))),
                        "the next count in this direction");
  return {.active = m.let("paying_active", mux(ends, active, on), "the next count"),
          .ends = ends,
          .moved = changed_by_more(m, "stay_moved", s.settled_q, active, p.warp_change)};
}

// It is not: back to where the search began and the other way, or to a finer search, or the one before is it.
struct Failing {
  Expr turns;
  Outcome outcome;
};

Failing failing(rtl::Module& m, const AwlParams& p, const AwlSearch& s, const Candidates& c) {
  const bool best = p.linear_from == LinearFrom::best;
  m.section("When the count does not pay.");
  const Expr below =
      m.let("below", s.active_q == s.origin_q - s.count(1), "one less than the search began with");
  const Expr turns =
      m.let("turns", ~s.up_q & mux(s.linear_q, below, c.at_half), "the first step down: try the way up");
  const Expr back = m.let("back", mux(s.up_q, c.less, c.more), "the count before, of a linear search");
  const Expr refined = mux(s.up_q, best ? s.origin_q : s.active_q, c.twice);
  const Expr next = mux(turns, s.origin_q, mux(s.linear_q, back, refined));
  return {turns,
          {.active = m.let("failing_active", next, "the next count"),
           .ends = m.let("failing_ends", s.linear_q & ~turns, "the count before is the result"),
           .moved = changed_by_more(m, "back_moved", s.settled_q, back, p.warp_change)}};
}

void conclude(rtl::Module& m, const AwlPorts& ports, const AwlSearch& s, const Period& period,
              const Outcome& paid, const Outcome& failed) {
  const Expr &judged = period.judged, &pays = period.pays, &kernel_start = ports.kernel_start;
  m.section("The end of a search.");
  const Expr ends = m.let("ends", judged & mux(pays, paid.ends, failed.ends), "a search ends");
  const Expr next = m.let("next", mux(pays, paid.active, failed.active), "the next count, or the result");
  const Expr moved = mux(pays, paid.moved, failed.moved);
  m.clocked("Limit and result.", [&] {
    m.when(kernel_start, [&] {
       m.set(s.total_q, ports.total);
       m.set(s.active_q, ports.total);
       m.set(s.settled_q, ports.total);
       m.set(s.moved_q, lit(1, 0));
     }).otherwise([&] {
      m.when(judged, [&] { m.set(s.active_q, next); });
      m.when(ends, [&] {
        m.set(s.settled_q, next);
        m.set(s.moved_q, moved);
      });
    });
  });
  // One warp is its own result, which then never moves.
  m.clocked("Whether a search goes on; of one warp it ends as it begins.", [&] {
    m.set(s.busy_q, ~kernel_start & ~ends & (s.busy_q | (ports.start & ~s.alone)));
    m.set(s.done_q, ~kernel_start & (ends | (s.begins & s.alone)));
  });
}

void search_steps(rtl::Module& m, const AwlParams& p, const AwlSearch& s, const Period& period,
                  const Failing& failed, const Expr& at_one) {
  const bool best = p.linear_from == LinearFrom::best;
  const Expr& turns = failed.turns;
  const Expr fails = m.let("fails", period.judged & ~period.pays, "the search turns, gets finer or ends");
  Expr finer_up = turns, new_origin = ~s.linear_q & ~turns;
  if (best) {
    finer_up = turns | (s.up_q & (s.origin_q == s.count(1)));
    new_origin = new_origin & ~s.up_q;
  }
  m.clocked("Direction and kind of the search.", [&] {
    m.when(s.begins, [&] {
       m.set(s.linear_q, lit(1, 0));
       m.set(s.up_q, at_one);
     }).otherwise([&] {
      m.when(fails, [&] {
        m.set(s.linear_q, s.linear_q | ~turns);
        m.set(s.up_q, finer_up);
      });
    });
  });
  m.clocked("Count that the steps start from.", [&] {
    auto set = m.when(s.begins, [&] { m.set(s.origin_q, s.active_q); });
    set.otherwise([&] {
      m.when(fails & new_origin, [&] { m.set(s.origin_q, failed.outcome.active); });
      if (best)
        m.when(period.judged & period.pays & ~s.linear_q & s.up_q, [&] { m.set(s.origin_q, s.active_q); });
    });
  });
}

void awl_outputs(rtl::Module& m, const AwlPorts& ports, const AwlSearch& s) {
  m.section("Outputs");
  m.assign(ports.limit, s.active_q);
  m.assign(ports.busy, s.busy_q);
  m.assign(ports.done, s.done_q);
  m.assign(ports.moved, s.moved_q);
}

void observe_search(rtl::Module& m, const AwlSearch& s, const Period& period) {
  for (const auto& [name, q] : {std::pair{"active", s.active_q},
                                {"settled", s.settled_q},
                                {"total", s.total_q},
                                {"busy", s.busy_q},
                                {"origin", s.origin_q},
                                {"linear", s.linear_q},
                                {"up", s.up_q},
                                {"cycle", period.cycle_q},
                                {"ipc", period.ipc_q},
                                {"previous_ipc", period.previous_q}})
    m.observe(name, q);
}

}  // namespace

void check(const AwlParams& p) {
  require_in(LimitRanges::warps, "limit.warps", p.warps, "use 24 for a scheduler, 48 for a core of two");
  require_in(IacmRanges::period, "iacm.period", p.period, "use 6250, the thesis'");
  check_change("iacm.warp_change", p.warp_change);
  require_in(IacmRanges::issue_max, "iacm.issue_max", p.issue_max, "use 64, two warps of 32 lanes");
}

rtl::Module awl(const AwlParams& p, const std::string& name) {
  check(p);
  rtl::Module m(
      name, fmt::format("Adaptive warp limiting: finds how many of {} warps issue the most, in periods of "
                        "{} cycles (ACI thesis, section 4.2.3).",
                        p.warps, p.period));
  const AwlPorts ports = awl_ports(m, p);
  const AwlSearch search = search_state(m, p, ports.start);
  const Period period = period_sum(m, p, ports, search);
  const Candidates next = candidates(m, search);
  const Outcome paid = paying(m, p, search, next);
  const Failing failed = failing(m, p, search, next);
  conclude(m, ports, search, period, paid, failed.outcome);
  search_steps(m, p, search, period, failed, next.at_one);
  awl_outputs(m, ports, search);
  observe_search(m, search, period);
  return m;
}

}  // namespace hw
