// The lookup of an MSHR file: the entry with the probe's line, and a free one.
#include "hw/mshr/mshr_parts.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

Expr EntryMatch::of(const Expr& flags) const {
  if (!ahead) return rtl::any(bits & flags);
  return mux(ahead->entered_q, rtl::any(ahead->coming_q & flags), rtl::any(ahead->stayed_q & flags));
}

// It is known early whether the tag-lookup stage moves on, earlier than what follows from the entry; and that
// there is one is asked where it matters.
EntryMatch match_register(MshrFrame& f) {
  f.m.section("Lookup.");
  return {f.m.reg("match_q", f.entries, 0,
                  "the entry with the line of the request in the tag-lookup stage, if match is set"),
          {}};
}

EntryMatch match_side_by_side(MshrFrame& f) {
  rtl::Module& m = f.m;
  m.section("Lookup.");
  const MatchAhead ahead{
      .entered_q =
          m.reg("entered_q", 1, 0, "the request in the tag-lookup stage entered in the cycle before"),
      .coming_q = m.reg("coming_q", f.entries, 0, "the entry with its line, one-hot, if so"),
      .stayed_q = m.reg("stayed_q", f.entries, 0,
                        "the entry with the line of the probe, one-hot, if the request stayed")};
  return {m.let("match_bits", mux(ahead.entered_q, ahead.coming_q, ahead.stayed_q),
                "the matched entry, if match is set"),
          ahead};
}

namespace {

// Of all entries: whether it has the line of the request that enters, and takes one more load.
struct EntriesCompared {
  Expr coming, mergeable;
};

EntriesCompared compare_entries(MshrFrame& f, const MshrProbe& probe, const MshrState& state) {
  rtl::Module& m = f.m;
  const Expr coming = m.wire("coming", f.entries, "the entry with the line of the request that enters");
  const Expr mergeable = m.wire("mergeable", f.entries, "entries that can take one more load");
  const Expr most =
      m.constant("MERGES", f.count_width, static_cast<std::uint64_t>(f.merges), "loads an entry");
  m.comb("Compare with all entries.", [&] {
    m.loop("e", f.entries, [&](const Expr& e) {
      Expr open = state.left.in_use.at(e) & ~state.flags.flushed_q.at(e);
      if (probe.enter_set) open = open & (state.lines.set_q.part(e, f.set_bits) == *probe.enter_set);
      m.set(coming.at(e), open & (state.lines.tag_q.part(e, f.tag_bits) == probe.enter_tag));
      m.set(mergeable.at(e), state.flags.counts.count.part(e, f.count_width) != most);
    });
  });
  return {coming, mergeable};
}

// Loads of other warps may have what a store of one has made old, as long as it is on its way. Returns the
// warp of the request, one-hot.
Expr wait_behind_store(MshrFrame& f, const MshrPorts& ports, const EntryFlags& flags,
                       const EntryMatch& match) {
  rtl::Module& m = f.m;
  const int warps = f.p.warps;
  const Expr warp_bits =
      one_hot_of(m, "warp_bits", ports.request.warp->warp, warps, "warp of the request, one-hot");
  const Expr waits = m.wire("waits", f.entries, "entries in which a load of the probe's warp may not wait");
  m.comb("Behind a store of the probe's warp, or with nothing on its way.", [&] {
    m.loop("behind", f.entries, [&](const Expr& e) {
      const Expr own = rtl::any(flags.stored_q->part(e, warps) & warp_bits);
      m.set(waits.at(e), flags.poisoned_q.at(e) & (own | ~flags.pending_q.at(e)));
    });
  });
  m.assign(*ports.lookup.waits, match.of(waits));
  return warp_bits;
}

NewEntry find_free(MshrFrame& f, const MshrPorts& ports, const LeftOver& left, const EntryMatch& match,
                   const Expr& matches) {
  rtl::Module& m = f.m;
  const Expr free = m.let("free_entries", ~left.in_use, "entries not in use");
  const FreeEntry found = free_entry(m, m.name() + "_free", free);
  const Expr created = m.let("created", found.bits & f.each(ports.probe.allocate), "the entry that is taken");
  const Expr has_free_q = m.reg("has_free_q", 1, 1, "some entry was not in use in the cycle before");
  const Expr some_free = has_free_q | left.freed_q;
  m.assign(ports.entry.has_free, left.spent ? some_free | rtl::any(*left.spent) : some_free);
  if (ports.entry.entry) {
    const Expr number = number_of(m, "match_number", match.bits, "number of the entry that matches");
    m.assign(*ports.entry.entry, mux(matches, number, *found.number));
  }
  return {.bits = found.bits,
          .firsts = found.firsts,
          .two = found.two,
          .has_free_q = has_free_q,
          .created = created};
}

}  // namespace

// A request is compared with all entries as it enters the tag-lookup stage, so that the answer is there early
// in the cycles in which it stands there.
EntryLookup look_up(MshrFrame& f, const MshrPorts& ports, const MshrState& state, const EntryMatch& match) {
  rtl::Module& m = f.m;
  const LeftOver& left = state.left;
  const Expr any_q = m.reg("match_any_q", 1, 0, "there is one, if the cycle before has not freed it");
  const Expr own_q =
      m.reg("match_own_q", 1, 0, "the entry that matched is the one that the replay stage looked at");
  const EntriesCompared compared = compare_entries(f, ports.probe, state);
  Expr matched = any_q & ~(left.freed_q & own_q);
  if (left.spent) matched = matched & ~rtl::any(match.bits & *left.spent);
  const Expr matches = m.let("any_match", matched, "an entry has the probe's line");
  m.assign(ports.lookup.match, matches);
  const Expr poisoned = match.of(state.flags.poisoned_q);
  m.assign(ports.lookup.poisoned, match.ahead ? poisoned : matches & poisoned);
  std::optional<Expr> warp_bits;
  if (ports.request.warp) warp_bits = wait_behind_store(f, ports, state.flags, match);
  m.assign(ports.lookup.mergeable, match.of(compared.mergeable) | (left.answered_q & own_q));
  return {.match = match,
          .match_any_q = any_q,
          .match_own_q = own_q,
          .coming = compared.coming,
          .matches = matches,
          .free = find_free(f, ports, left, match, matches),
          .warp_bits = warp_bits};
}

std::optional<Expr> matched_pending(MshrFrame& f, EntryValues& values, const MshrState& state) {
  if (!f.by_chunk) return {};
  return values.add("entry_pending", state.flags.pending_q, f.pending,
                    "chunks on their way of the entry that matched");
}

std::optional<TargetRow> matched_targets(MshrFrame& f, EntryValues& values, const MshrState& state) {
  const TargetCounts& counts = state.flags.counts;
  if (!counts.rows) return {};
  const Expr head =
      values.add("entry_head", counts.rows->head, f.place_width, "slot of its oldest MSHR target");
  return TargetRow{head, values.add("entry_count", counts.count, f.count_width, "loads that wait in it")};
}

void gather_matched(const EntryValues& values, const EntryLookup& lookup) {
  if (values.none()) return;
  values.gather("Of the entry that matched.", "of_match",
                lookup.match.ahead ? rtl::Condition(lookup.matches) : rtl::Condition::always(),
                lookup.match.bits);
}

}  // namespace hw
