#include "hw/mshr/mshr_changes.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void change_match(MshrFrame& f, const MshrPorts& ports, const EntryLookup& lookup, const ReplayEntry& entry,
                  const ReplayMeeting& meeting) {
  rtl::Module& m = f.m;
  m.section("Changes.");
  const MshrProbe& probe = ports.probe;
  const Expr same_set = probe.enter_set ? probe.allocate & (*probe.enter_set == probe.set) : probe.allocate;
  const Expr same_line = m.let("same_line", same_set & (probe.enter_tag == probe.tag),
                               "the request that enters asks for the new entry's line");
  m.clocked("The entry that the probe matches.", [&] {
    m.set(lookup.match_any_q, mux(probe.moves, rtl::any(lookup.coming) | same_line, lookup.matches));
    m.set(lookup.match_own_q, mux(probe.moves, rtl::any(lookup.coming & entry.own), meeting.match_own));
  });
  const Expr after = lookup.coming | (lookup.free.bits & f.each(same_line));
  const EntryMatch& match = lookup.match;
  if (!match.ahead) {
    m.clocked("The entry with the line.", [&] { m.set(match.bits, mux(probe.moves, after, match.bits)); });
    return;
  }
  m.clocked(
      "Entries that the next request and the one that stays match, side by side: whether the "
      "tag-lookup stage moves on is known late.",
      [&] {
        m.set(match.ahead->coming_q, after);
        m.set(match.ahead->stayed_q, match.bits);
        m.set(match.ahead->entered_q, probe.moves);
      });
}

void change_lines(MshrFrame& f, const MshrPorts& ports, const MshrState& state, const NewEntry& entry,
                  const NextValues& place) {
  rtl::Module& m = f.m;
  m.clocked(
      "Requested chunks of a new entry, in the lowest free one of each group: it is written before it is "
      "known that the probe takes the entry, and which one; while they are free, nobody reads them.",
      [&] {
        m.loop("new_entry", f.entries, [&](const Expr& e) {
          m.when(entry.firsts.at(e), [&] {
            m.set(state.lines.set_q.part(e, f.set_bits), ports.probe.set);
            m.set(state.lines.tag_q.part(e, f.tag_bits), ports.probe.tag);
            for (const auto& [q, value] : place) m.set(q.part(e, value.width()), value);
          });
        });
      });
}

namespace {

// Chunks on their way to each entry.
void change_pending(MshrFrame& f, const MshrRequest& request, const MshrState& state,
                    const EntryLookup& lookup, const Expr& merge, const Expr& filled) {
  rtl::Module& m = f.m;
  const int v = f.pending;
  const Expr& pending_q = state.flags.pending_q;
  m.clocked("Chunks on their way: a free entry shows what the probe fetches.", [&] {
    m.loop("chunks_of", f.entries, [&](const Expr& e) {
      const Expr left = pending_q.part(e, v) & ~(*request.fill.mask & replicate(v, filled.at(e)));
      const Expr more = left | (*request.missed & replicate(v, lookup.match.bits.at(e) & merge));
      m.set(pending_q.part(e, v), mux(state.left.in_use.at(e), more, *request.missed));
    });
  });
}

void change_stored(MshrFrame& f, const MshrRequest& request, const Expr& stored_q,
                   const EntryLookup& lookup) {
  rtl::Module& m = f.m;
  const int n = f.p.warps;
  const Expr storing = m.let("storing", *lookup.warp_bits | replicate(n, request.warp->poison_all),
                             "warps whose loads will wait");
  m.clocked("Warps whose loads wait for the end of an entry: none in a free one.", [&] {
    m.loop("stored_in", f.entries, [&](const Expr& e) {
      const Expr warps = stored_q.part(e, n);
      m.when(lookup.free.firsts.at(e), [&] { m.set(warps, lit(n, 0)); });
      m.when(lookup.match.bits.at(e) & request.poison, [&] { m.set(warps, warps | storing); });
    });
  });
}

}  // namespace

void change_entries(MshrFrame& f, const MshrPorts& ports, const MshrState& state, const EntryLookup& lookup,
                    const MshrReplay& replay, const Expr& filled, const Expr& woken) {
  rtl::Module& m = f.m;
  const EntryFlags& flags = state.flags;
  const LeftOver& left = state.left;
  m.clocked(
      fmt::format(
          "Entries in use, poisoned, flushed, to look at{}.",
          f.by_chunk ? "" : "; lines on their way, as that of a free entry is, so that it is for a new one"),
      [&] {
        m.set(state.lines.in_use_q, left.in_use | lookup.free.created);
        m.set(lookup.free.has_free_q, mux(ports.probe.allocate, lookup.free.two, ports.entry.has_free));
        const Expr poisoned = lookup.match.bits & f.each(ports.request.poison);
        m.set(flags.poisoned_q, (flags.poisoned_q | poisoned) & ~left.gone);
        const Expr flushed = left.in_use & f.each(ports.request.flush);
        m.set(flags.flushed_q, (flags.flushed_q | flushed) & ~left.gone);
        const Expr kept = woken & ~(replay.entry.own & f.each(~replay.outcome.leaves));
        m.set(flags.awake_q, (flags.awake_q | kept) & ~(replay.next.bits & f.each(replay.outcome.takes)));
        if (!f.by_chunk) m.set(flags.pending_q, (flags.pending_q & ~filled) | ~left.in_use);
      });
  if (f.by_chunk) change_pending(f, ports.request, state, lookup, ports.probe.merge, filled);
  if (flags.stored_q) change_stored(f, ports.request, *flags.stored_q, lookup);
}

void change_counts(MshrFrame& f, const MshrPorts& ports, const LeftOver& left, const TargetCounts& counts,
                   const EntryMatch& match, bool soon) {
  rtl::Module& m = f.m;
  TargetChanges changes{.in_use = left.in_use, .answered = left.answered_q, .last = left.last_own};
  if (f.merges > 1 || left.spent)
    changes.joined = m.let("joined", match.bits & f.each(ports.probe.merge), "the entry that a load joins");
  if (left.behind) changes.behind = left.behind->passed_head_q;
  drive_target_counts(m, m.name() + "_counts", f.count_widths(), counts, changes, soon);
}

// An entry that is looked at is awake, though it is not to be looked at once more.
void show_entries(MshrFrame& f, const MshrState& state, const ReplayEntry& entry) {
  rtl::Module& m = f.m;
  const rtl::Index entries{"entry", f.entries};
  m.observe("in_use", state.left.in_use, {entries});
  m.observe("poisoned", state.flags.poisoned_q, {entries});
  m.observe("flushed", state.flags.flushed_q, {entries});
  if (state.flags.stored_q) m.observe("stored", *state.flags.stored_q, {entries});
  m.observe("wake", state.flags.awake_q | entry.own, {entries});
  m.observe("pending", state.flags.pending_q, {entries});

  m.observe("set_number", state.lines.set_q, {entries});
  m.observe("tag", state.lines.tag_q, {entries});
}

}  // namespace hw
