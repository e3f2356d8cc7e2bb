#include "hw/shared/dyneb.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/require.h"
#include "hw/shared/dyneb_evaluation.h"
#include "hw/shared/dyneb_group.h"
#include "hw/shared/dyneb_ports.h"
#include "hw/shared/shared_ranges.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;
using Counters = std::vector<std::pair<std::string, Expr>>;  // of both groups, by name

enum Phase : std::uint64_t { sample, evaluate, drain_to_execute, execute, drain_to_sample };

Expr code_of(rtl::Module& m, Phase phase) {
  static constexpr std::array names{"PHASE_SAMPLE", "PHASE_EVALUATE", "PHASE_DRAIN_TO_EXECUTE",
                                    "PHASE_EXECUTE", "PHASE_DRAIN_TO_SAMPLE"};
  static constexpr std::array docs{"counts its own sets", "compares the organisations",
                                   "waits for answers, then executes", "runs as decided",
                                   "waits for answers, then samples"};
  return m.constant(names[phase], dyneb_phase_bits, phase, docs[phase]);
}

// Registers, and in which phase they are.
struct DynebState {
  Expr phase_q, even_q, odd_q, open_q, executed_q;
  std::optional<Expr> total_q;  // with caps
  Expr samples, executes, drains;

  Expr idle() const { return ~rtl::any(open_q); }
};

DynebState dyneb_state(rtl::Module& m, const DynebParams& p) {
  const int total = dyneb_total_bits(p);
  m.section("Phase, organisation, what is under way.");
  const Expr phase_q = m.reg("phase_q", code_of(m, sample), "sample, evaluate, drain, execute, drain"),
             even_q = m.reg("even_shared_q", 1, 0, "lines of even sets are shared"),
             odd_q = m.reg("odd_shared_q", 1, 1, "lines of odd sets are shared"),
             open_q = m.reg("open_q", dyneb_open_bits, 0, "requests that are not answered yet"),
             executed_q = m.reg("executed_q", dyneb_executed_bits(p), 0, "own loads in EXEC");
  std::optional<Expr> total_q;
  if (total) total_q = m.reg("total_q", total, 0, "loads of the phase, wherever they go");
  const auto in = [&](Phase phase) { return phase_q == code_of(m, phase); };
  return {.phase_q = phase_q,
          .even_q = even_q,
          .odd_q = odd_q,
          .open_q = open_q,
          .executed_q = executed_q,
          .total_q = total_q,
          .samples = m.let("samples", in(sample), "the phase is SAMPLE"),
          .executes = m.let("executes", in(execute), "the phase is EXEC"),
          .drains = m.let("drains", in(drain_to_execute) | in(drain_to_sample), "the phase is DRAIN")};
}

struct Cap {
  Expr last, reached_q;
};

// Wires of the groups, the counters of loads that went to homes, and the ends of phases.
struct Limits {
  Expr full, sampled, sent_q, sent_missed_q;
  Expr sample_ends, execute_ends, counts;
  std::vector<Cap> caps;
};

Limits limits(rtl::Module& m, const DynebParams& p, const DynebState& state) {
  std::vector<Cap> caps;
  // Adds the end by a cap, where the phase has one.
  const auto or_capped = [&](const Expr& ends, const char* last, const char* reached, int cap) {
    if (!cap) return ends;
    caps.push_back({m.constant(last, state.total_q->width(), static_cast<std::uint64_t>(cap - 1),
                               "loads before the one with which the phase ends in any case"),
                    m.reg(reached, 1, 0, "the total is at the cap")});
    return ends | caps.back().reached_q;
  };
  m.section("The end of a phase.");
  const Expr full = m.wire("full", 2, "a counter of even or odd sets is all ones"),
             sampled = m.wire("sampled", 2, "even or odd sets have had their own accesses"),
             sent_q = m.reg("sent_q", dyneb_count_bits, 0, "own loads of odd sets that went to homes"),
             sent_missed_q = m.reg("sent_missed_q", dyneb_count_bits, 0, "loads that missed at their homes");
  const Expr some_full = rtl::any(full) | rtl::all(sent_q) | rtl::all(sent_missed_q);
  const Expr all_sampled = rtl::all(sampled) | some_full;
  const Expr sample_ends = m.let(
      "sample_ends", state.samples & or_capped(all_sampled, "SAMPLE_LAST", "sample_capped_q", p.sample_cap),
      "the sample is complete");
  const Expr& executed = state.executed_q;
  const Expr all_executed =
      executed == m.constant("EXECUTE_ACCESSES", executed.width(),
                             static_cast<std::uint64_t>(p.execute_accesses), "own loads");
  const Expr execute_ends =
      m.let("execute_ends",
            state.executes & or_capped(all_executed, "EXECUTE_LAST", "execute_capped_q", p.execute_cap),
            "the time of EXEC is over");
  const Expr counts = m.let("counts", state.samples & ~sample_ends, "this cycle is in the sample");
  return {full, sampled, sent_q, sent_missed_q, sample_ends, execute_ends, counts, caps};
}

// The events of a cycle that the sample counts, by the parity of their sets.
struct Sampled {
  Expr own, access, slice;
};

Sampled sampled_events(rtl::Module& m, const DynebParams& p, const DynebPorts& ports) {
  const Expr own = m.let("own", ~ports.probe.served, "the load is the core's own");
  const bool served = p.count_served;
  const Expr access = served && p.metric == DynebMetric::eb
                          ? ports.probe.valid
                          : m.let("access", ports.probe.valid & own, "a load that counts");
  const Expr slice = served ? ports.slice.valid
                            : m.let("slice_counts", ports.slice.valid & ~ports.slice.served,
                                    "a reply of a slice that counts");
  if (served) m.unused("unused_served", ports.slice.served, "replies for all cores count");
  return {own, access, slice};
}

Counters sampling(rtl::Module& m, const DynebParams& p, const DynebPorts& ports, const Limits& limits,
                  const Expr& clear) {
  m.section("The sample.");
  const auto [own, access, slice] = sampled_events(m, p, ports);
  Counters counters;
  const rtl::Module group = dyneb_group(p, m.name() + "_group");
  for (int odd = 0; odd < 2; ++odd) {
    const std::string name = odd ? "odd" : "even";
    const auto here = [&](const Expr& event, const Expr& of) { return event & (odd ? of : ~of); };
    Counters pins{{"clear", clear},
                  {"counts", limits.counts},
                  {"access", here(access, ports.probe.odd)},
                  {"own", own},
                  {"miss", here(access & ports.probe.miss, ports.probe.odd)},
                  {"slice_reply", here(slice, ports.slice.odd)},
                  {"home_reply", here(ports.home.valid, ports.home.odd)},
                  {"full", limits.full.bit(odd)},
                  {"sampled", limits.sampled.bit(odd)}};
    for (const char* count : {"accesses", "misses", "slice_replies", "home_replies"}) {
      const std::string wire = name + "_" + count;
      counters.emplace_back(wire, m.wire(wire, dyneb_count_bits, "counter of " + name + " sets"));
      pins.emplace_back(count, counters.back().second);
    }
    m.instance(group, name, pins, odd ? "Shared sets." : "Private sets.");
  }
  const int bits = dyneb_count_bits;
  const auto count = [&](const Expr& counter, const Expr& event) {
    m.when(clear, [&] { m.set(counter, lit(bits, 0)); }).otherwise([&] {
      m.when(limits.counts & event, [&] { m.set(counter, counter + lit(bits, 1)); });
    });
  };
  m.clocked("Own loads that went to homes.", [&] {
    const auto& request = ports.request;
    const auto& home = ports.home;
    count(limits.sent_q, request.valid & request.load & request.odd & request.home);
    count(limits.sent_missed_q, home.valid & home.load & home.odd & ~home.hit);
  });
  return counters;
}

// The last cycle of EVAL, and whether shared is better.
struct Evaluated {
  Expr last, decision;
};

Evaluated evaluation(rtl::Module& m, const DynebParams& p, const DynebState& state, const Limits& limits,
                     const Counters& counters, const Expr& flush) {
  m.section("The comparison.");
  const Evaluated result{.last = m.wire("last", 1, "the last cycle of EVAL"),
                         .decision = m.wire("decision", 1, "shared is better")};
  Counters pins{{"clear", flush},
                {"run", limits.sample_ends | (state.phase_q == code_of(m, evaluate))},
                {"sent", limits.sent_q},
                {"sent_missed", limits.sent_missed_q}};
  pins.insert(pins.end(), counters.begin(), counters.end());
  pins.insert(pins.end(), {{"last", result.last}, {"decision", result.decision}});
  m.instance(dyneb_evaluation(p, m.name() + "_evaluation"), "evaluation", pins, "Begins as the sample ends.");
  return result;
}

void phases(rtl::Module& m, const DynebPorts& ports, const DynebState& state, const Limits& limits,
            const Evaluated& evaluated) {
  m.section("Phases.");
  const Expr drained = m.let("drained", state.drains & state.idle() & ~ports.request.valid,
                             "half of the sets may change over");
  const Expr to_execute =
      m.let("to_execute", drained & (state.phase_q == code_of(m, drain_to_execute)), "to EXEC");
  const auto to = [&](Phase phase) { m.set(state.phase_q, code_of(m, phase)); };
  m.clocked("From phase to phase.", [&] {
    m.when(ports.flush, [&] { to(sample); }).otherwise([&] {
      m.when(limits.sample_ends, [&] { to(evaluate); });
      m.when(evaluated.last, [&] { to(drain_to_execute); });
      m.when(limits.execute_ends, [&] { to(drain_to_sample); });
      m.when(drained, [&] { to(sample); });
      m.when(to_execute, [&] { to(execute); });
    });
  });
  m.clocked("Sets change over when nothing is under way.", [&] {
    m.when(ports.flush | drained, [&] {
      m.set(state.even_q, to_execute & ~ports.flush & evaluated.decision);
      m.set(state.odd_q, ~to_execute | ports.flush | evaluated.decision);
    });
  });
}

void count_total(rtl::Module& m, const DynebPorts& ports, const DynebState& state, const Limits& limits,
                 const Expr& clear) {
  const Expr& total_q = state.total_q.value();
  const int bits = total_q.width();
  const Expr another = m.let(
      "another",
      (limits.counts | (state.executes & ~limits.execute_ends)) & ports.request.valid & ports.request.load,
      "one more load of the phase");
  m.clocked("Loads of the phase; a cap is compared as they are counted, not as the phase is to end.", [&] {
    m.when(clear, [&] {
       m.set(total_q, lit(bits, 0));
       for (const Cap& cap : limits.caps) m.set(cap.reached_q, lit(1, 0));
     }).otherwise([&] {
      m.when(another, [&] {
        m.set(total_q, total_q + lit(bits, 1));
        for (const Cap& cap : limits.caps) m.set(cap.reached_q, total_q == cap.last);
      });
    });
  });
}

void count_requests(rtl::Module& m, const DynebPorts& ports, const DynebState& state, const Limits& limits,
                    const Expr& clear) {
  const Expr &open_q = state.open_q, &executed_q = state.executed_q;
  const int open = dyneb_open_bits, executed = executed_q.width();
  const Expr &request = ports.request.valid, &answer = ports.answer;
  m.clocked("Requests under way.", [&] {
    m.when(ports.flush, [&] { m.set(open_q, lit(open, 0)); }).otherwise([&] {
      m.when(request & ~answer, [&] { m.set(open_q, open_q + lit(open, 1)); });
      m.when(answer & ~request, [&] { m.set(open_q, open_q - lit(open, 1)); });
    });
  });
  m.clocked("Own loads in EXEC.", [&] {
    m.when(clear, [&] { m.set(executed_q, lit(executed, 0)); }).otherwise([&] {
      m.when(state.executes & ~limits.execute_ends & ports.probe.valid & ~ports.probe.served,
             [&] { m.set(executed_q, executed_q + lit(executed, 1)); });
    });
  });
  if (state.total_q) count_total(m, ports, state, limits, clear);
}

void outputs(rtl::Module& m, const DynebPorts::Result& result, const DynebState& state) {
  m.section("Outputs");
  m.assign(result.phase, state.phase_q);
  m.assign(result.even, state.even_q);
  m.assign(result.odd, state.odd_q);
  m.assign(result.hold, state.drains | rtl::all(state.open_q));
  m.assign(result.idle, state.idle());
}

void observe(rtl::Module& m, const DynebState& state, const Limits& limits) {
  m.observe("phase", state.phase_q);
  m.observe("even_shared", state.even_q);
  m.observe("odd_shared", state.odd_q);
  m.observe("open", state.open_q);
  m.observe("executed", state.executed_q);
  if (state.total_q) m.observe("total", *state.total_q);
  m.observe("sent", limits.sent_q);
  m.observe("sent_missed", limits.sent_missed_q);
}

}  // namespace

void check(const DynebParams& p) {
  require_in(DynebRanges::sample_accesses, "dyneb.sample_accesses", p.sample_accesses,
             "use 512, the thesis'");
  require_in(DynebRanges::execute_accesses, "dyneb.execute_accesses", p.execute_accesses,
             "use 16384, the thesis'");
  require_in(DynebRanges::cap, "dyneb.sample_cap", p.sample_cap, "use 0 for none");
  require_in(DynebRanges::cap, "dyneb.execute_cap", p.execute_cap, "use 0 for none");
  require_in(DynebRanges::miss_percent, "dyneb.miss_percent", p.miss_percent, "use 10, the thesis'");
  require_in(DynebRanges::latency, "dyneb.l2_latency", p.l2_latency, "use 247, the thesis'");
  require_in(DynebRanges::latency, "dyneb.home_latency", p.home_latency, "use 54, the thesis'");
}

rtl::Module dyneb(const DynebParams& p, const std::string& name) {
  check(p);
  rtl::Module m(
      name, fmt::format("DynEB: chooses between private and shared L1 for one core, by {} (DC-L1 thesis, "
                        "chapter 4).",
                        p.metric == DynebMetric::eb ? "effective bandwidth" : "average memory access time"));
  const DynebPorts ports(m);
  const DynebState state = dyneb_state(m, p);
  const Limits ends = limits(m, p, state);
  const Expr clear = ports.flush | state.drains;
  const Counters counters = sampling(m, p, ports, ends, clear);
  const Evaluated evaluated = evaluation(m, p, state, ends, counters, ports.flush);
  phases(m, ports, state, ends, evaluated);
  count_requests(m, ports, state, ends, clear);
  outputs(m, ports.result, state);
  observe(m, state, ends);
  return m;
}

}  // namespace hw
