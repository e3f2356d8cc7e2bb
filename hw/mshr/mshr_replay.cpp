#include "hw/mshr/mshr_replay.h"

#include "hw/mshr/next_entry.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

// The MSHR target on offer, and the load of the request.
struct ReplayInputs {
  Expr woken;
  std::optional<Expr> pending;
  std::optional<Expr> mask;  // of lines that come by chunks
  rtl::Condition wrong;
  Expr last_target, granted;
  std::optional<Expr> merge, match_own;  // where a load may join late
  std::optional<Expr> ends;
};

struct ReplayOutputs {
  Expr ready, set;
  ReplayNets nets;
  std::optional<Expr> dealloc, takes, next_bits, answers_last;
};

// A value of the entries: that of all, and the output.
struct ReplayValue {
  std::string name, doc;
  Expr of_entries, out;
  bool registered = true;
};

struct ReplayPorts {
  ReplayInputs in;
  std::vector<ReplayValue> values;  // the set first
  ReplayOutputs out;
  std::optional<Expr> head, more;  // of the MSHR targets, where there may be several
};

std::vector<ReplayValue> values_in(MshrPart& f, const std::vector<EntryValue>& nets) {
  std::vector<ReplayValue> values;
  for (const EntryValue& v : nets) values.push_back({v.name, v.doc, f.in(v.of_entries), v.out, v.registered});
  return values;
}

ReplayInputs replay_inputs(MshrPart& f, const MshrPorts& ports, const MshrNets& nets,
                           const std::optional<FreeingNets>& freeing) {
  const rtl::Condition& wrong = ports.load.rows.wrong;
  return {.woken = f.in(nets.entries.woken),
          .pending = f.in(nets.entries.replay_pending),
          .mask = f.in(net_if(f.by_chunk, ports.load.mask)),
          .wrong = wrong.can_be() ? rtl::Condition(f.in(wrong.when())) : rtl::Condition(),
          .last_target = f.in(nets.targets.last_target),
          .granted = f.in(ports.request.granted),
          .merge = f.in(net_if(f.joins_late, ports.probe.merge)),
          .match_own = f.joins_late ? f.in(nets.match.own) : std::nullopt,
          .ends = freeing ? std::optional(f.in(freeing->ends)) : std::nullopt};
}

ReplayNets replay_outputs(MshrPart& f, const ReplayNets& nets) {
  const std::optional<Expr> valid = f.out(nets.valid);
  return {.valid = valid,
          .bits = f.entries > 1 ? f.out(nets.bits) : *valid,
          .next_found = f.out(nets.next_found),
          .next_number = f.out(nets.next_number),
          .next_head = f.out(nets.next_head),
          .next_more = f.out(nets.next_more),
          .last_bits = f.out(nets.last_bits),
          .answered = f.out(nets.answered),
          .freed = f.out(nets.freed)};
}

ReplayPorts replay_ports(MshrPart& f, const MshrPorts& ports, const MshrNets& nets,
                         const ReplayKinds& kinds) {
  std::vector<EntryValue> all{{"set", "set of the entry's line", nets.match.sets, ports.offer.set}};
  all.insert(all.end(), kinds.values.begin(), kinds.values.end());
  const ReplayInputs in = replay_inputs(f, ports, nets, kinds.freeing);
  std::vector<ReplayValue> values = values_in(f, all);
  const std::optional<Expr> head = f.in(nets.targets.heads), more = f.in(nets.targets.more);
  const Expr ready = f.out(ports.offer.ready);
  for (ReplayValue& v : values) v.out = f.out(v.out);
  const std::optional<SearchNets>& search = kinds.search;
  return {.in = in,
          .values = values,
          .out = {.ready = ready,
                  .set = values.front().out,
                  .nets = replay_outputs(f, nets.replay),
                  .dealloc = f.out(kinds.dealloc),
                  .takes = search ? std::optional(f.out(search->takes)) : std::nullopt,
                  .next_bits = search ? std::optional(f.out(search->next_bits)) : std::nullopt,
                  .answers_last =
                      kinds.freeing ? std::optional(f.out(kinds.freeing->answers_last)) : std::nullopt},
          .head = head,
          .more = more};
}

// The stage: whether it is full, its entry, what comes with the entry; entries to look at.
struct ReplayState {
  Expr valid_q, entry_bits_q;
  std::vector<std::optional<Expr>> values_q;  // in the order of the ports, where they are registered
  Expr awake_q;
};

std::vector<std::optional<Expr>> value_registers(MshrPart& f, const std::vector<ReplayValue>& values) {
  std::vector<std::optional<Expr>> out;
  for (const ReplayValue& v : values)
    out.push_back(v.registered ? std::optional(f.m.data_reg("replay_" + v.name + "_q", v.out.width(), v.doc))
                               : std::nullopt);
  return out;
}

ReplayState replay_state(MshrPart& f, const ReplayPorts& p) {
  rtl::Module& m = f.m;
  const int n = f.entries;
  m.section("The stage.");
  const Expr valid_q = m.reg("replay_valid_q", 1, 0, "an MSHR target is looked at");
  return {.valid_q = valid_q,
          .entry_bits_q = n > 1 ? m.reg("replay_entry_bits_q", n, 0,
                                        "entry of the stage, one-hot; none when the stage is empty")
                                : valid_q,
          .values_q = value_registers(f, p.values),
          .awake_q = m.reg("awake_q", n, 0,
                           "entries to look at: something came since the stage left them; not in the stage")};
}

// Whether the MSHR target is on offer, and whether the stage stays at its entry.
struct ReplayOutcome {
  Expr leaves, takes;
};

ReplayOutcome replay_outcome(MshrPart& f, const ReplayPorts& p, const ReplayState& state) {
  rtl::Module& m = f.m;
  rtl::Condition waits, parked;
  if (p.in.pending) {
    waits = p.in.mask ? rtl::any(*p.in.pending & *p.in.mask) : *p.in.pending;
    parked = m.let("parked", state.valid_q & waits & ~p.in.wrong,
                   "chunks of the MSHR target are on their way: it is left until a fill comes");
  }
  m.assign(p.out.ready, state.valid_q & ~waits & ~p.in.wrong);
  const Expr leaves =
      m.let("leaves", parked | (p.in.granted & p.in.last_target), "the stage leaves its entry");
  return {leaves, m.let("takes_next", ~state.valid_q | leaves, "the stage looks for another entry")};
}

// The next entry with its values, which the search finds.
struct ReplayNext {
  NextEntry entry;
  std::vector<Expr> values;  // in the order of the ports
};

ReplayNext find_next(MshrPart& f, const ReplayPorts& p, const ReplayState& state, const Expr& takes) {
  rtl::Module& m = f.m;
  m.section("The next entry.");
  std::vector<EntryField> fields;
  std::vector<Expr> values;
  for (const ReplayValue& v : p.values) {
    values.push_back(v.registered ? m.wire("next_" + v.name, v.out.width(), v.doc) : v.out);
    fields.push_back({v.name, v.of_entries, values.back(), v.doc});
  }
  if (p.head) fields.push_back({"head", *p.head, *p.out.nets.next_head, "slot of its oldest MSHR target"});
  if (p.more)
    fields.push_back(
        {"more", *p.more, *p.out.nets.next_more, "loads that wait in the entry besides its first"});
  return {next_entry(m, f.own_module("next"), state.awake_q, takes, fields,
                     {p.out.nets.next_found, p.out.nets.next_number, p.out.next_bits}),
          values};
}

void step_stage(MshrPart& f, const ReplayPorts& p, const ReplayState& state, const ReplayOutcome& outcome,
                const ReplayNext& next) {
  rtl::Module& m = f.m;
  m.clocked("An MSHR target is looked at.", [&] {
    m.when(outcome.takes, [&] {
      m.set(state.valid_q, next.entry.some);
      if (f.entries > 1) m.set(state.entry_bits_q, next.entry.bits);
    });
  });
  m.clocked("Where the MSHR target's line lies.", [&] {
    m.when(p.out.nets.next_found, [&] {
      for (std::size_t i = 0; i < next.values.size(); ++i)
        if (state.values_q[i]) m.set(*state.values_q[i], next.values[i]);
    });
  });
  m.clocked("Entries to look at.", [&] {
    const Expr woken = p.in.woken & ~(state.entry_bits_q & f.each(~outcome.leaves));
    m.set(state.awake_q, (state.awake_q | woken) & ~(next.entry.bits & f.each(outcome.takes)));
  });
}

// Whether the MSHR target on offer is answered is known last in a cycle. So that it drives a few flops and
// not all entries, what follows for the entry is kept, done in the next cycle, and seen as done by all that
// read it.
void keep_outcome(MshrPart& f, const ReplayPorts& p, const ReplayState& state) {
  rtl::Module& m = f.m;
  const ReplayNets& out = p.out.nets;
  m.section("The outcome, for the next cycle.");
  std::optional<Expr> answered_q;
  if (out.answered) answered_q = m.reg("answered_q", 1, 0, "the MSHR target was answered");
  const Expr freed_q = m.reg("freed_q", 1, 0, "no load waits in its entry any more");
  rtl::Condition added;
  if (p.in.merge)
    added = m.let("added", *p.in.merge & *p.in.match_own,
                  "the request's load joins the MSHR targets of the entry");
  Expr last = p.in.granted & p.in.last_target;
  if (p.out.answers_last) {
    m.assign(*p.out.answers_last, last);
    last = *p.out.answers_last;
  }
  const Expr emptied = last & ~added;
  const Expr frees = m.let("frees", p.in.ends ? emptied & *p.in.ends : emptied,
                           "no load waits in the entry any more, nor is anything on its way to it");
  if (p.out.dealloc) m.assign(*p.out.dealloc, frees);
  m.clocked("Result of the replay.", [&] {
    if (answered_q) m.set(*answered_q, p.in.granted);
    m.set(freed_q, frees);
  });
  if (answered_q) m.assign(*out.answered, *answered_q);
  m.assign(out.freed, freed_q);
  if (!out.last_bits) return;
  const Expr last_bits_q = m.data_reg("last_entry_bits_q", f.entries, "entry of that MSHR target, one-hot");
  m.clocked("The entry that something is left to do for.", [&] { m.set(last_bits_q, state.entry_bits_q); });
  m.assign(*out.last_bits, last_bits_q);
}

}  // namespace

void place_replay(MshrTop& file, const MshrPorts& ports, const MshrNets& nets, const ReplayKinds& kinds) {
  MshrPart f(file, "replay",
             "Replay stage of an MSHR file: looks at the waiting loads one at a time, and offers those whose "
             "chunks have come.");
  rtl::Module& m = f.m;
  const ReplayPorts p = replay_ports(f, ports, nets, kinds);
  const ReplayState state = replay_state(f, p);
  if (p.out.nets.valid) m.assign(*p.out.nets.valid, state.valid_q);
  if (f.entries > 1) m.assign(p.out.nets.bits, state.entry_bits_q);
  for (std::size_t i = 0; i < p.values.size(); ++i)
    if (state.values_q[i]) m.assign(p.values[i].out, *state.values_q[i]);
  const ReplayOutcome outcome = replay_outcome(f, p, state);
  if (p.out.takes) m.assign(*p.out.takes, outcome.takes);
  step_stage(f, p, state, outcome, find_next(f, p, state, outcome.takes));
  keep_outcome(f, p, state);
  // An entry that is looked at is awake, though it is not to be looked at once more.
  m.observe("wake", state.awake_q | state.entry_bits_q, {{"entry", f.entries}});
  f.place("Offers the waiting loads whose chunks have come.");
}

}  // namespace hw
