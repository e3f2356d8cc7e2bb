#include "hw/mshr/mshr_entries.h"

#include <fmt/format.h>

#include "hw/mshr/free_entry.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

namespace {

std::optional<ProbeWarp> warp_of_request(MshrPart& f, const std::optional<ProbeWarp>& warp) {
  if (!warp) return {};
  return ProbeWarp{.warp = f.in(warp->warp), .poison_all = f.in(warp->poison_all)};
}

EntriesPorts entries_ports(MshrPart& f, const MshrPorts& ports, const MshrNets& nets) {
  const MshrRequest& request = ports.request;
  const std::optional<LoadLine>& line = ports.load.line;
  return {.request = {.allocate = f.in(ports.probe.allocate),
                      .merge = f.in(net_if(f.by_chunk, ports.probe.merge)),
                      .missed = f.in(request.missed),
                      .poison = f.in(request.poison),
                      .warp = warp_of_request(f, request.warp)},
          .fill = {.valid = f.in(request.fill.valid),
                   .entry = f.in(request.fill.entry),
                   .mask = f.in(request.fill.mask)},
          .flush = f.in(request.flush),
          .match = {.match = f.in(ports.lookup.match),
                    .bits = f.in(nets.match.bits),
                    .number = f.in(nets.match.number),
                    .own = line ? f.in(nets.match.own) : std::nullopt,
                    .replay_bits = f.in(net_if(f.joins_late || line.has_value(), nets.replay.bits)),
                    .last_bits = f.in(nets.replay.last_bits),
                    .freed = f.in(nets.replay.freed)},
          .state = {.in_use = f.out(nets.entries.in_use),
                    .flushed = f.out(nets.entries.flushed),
                    .poisoned = f.out(nets.entries.poisoned),
                    .waits = f.out(nets.entries.waits),
                    .lowest_free = f.out(nets.entries.lowest_free),
                    .free_firsts = f.out(nets.entries.free_firsts),
                    .woken = f.out(nets.entries.woken),
                    .replay_pending = f.out(nets.entries.replay_pending)},
          .answer = {.has_free = f.out(ports.entry.has_free),
                     .entry = f.out(ports.entry.entry),
                     .match_pending = f.out(ports.lookup.pending),
                     .fill_installs = f.out(ports.offer.fill_installs),
                     .late = line ? std::optional(f.out(line->late)) : std::nullopt}};
}

std::optional<Expr> pending_register(MshrPart& f) {
  if (!f.joins_late) return {};
  return f.m.reg("pending_q", f.entries * f.pending, 0,
                 f.by_chunk ? "chunks of each entry's line on their way" : "lines on their way, by entry");
}

std::optional<Expr> stored_register(MshrPart& f) {
  if (!f.p.warps) return {};
  return f.m.data_reg("stored_q", f.entries * f.p.warps, "warps whose loads wait for the end of each entry");
}

}  // namespace

EntriesPart::EntriesPart(MshrTop& file, const MshrPorts& all, const MshrNets& nets, const rtl::Loc& loc)
    : MshrPart(file, "entries",
               "Entries of an MSHR file: which ones wait for a line, the one that a new line takes, and the "
               "one that a fill comes to.",
               loc),
      ports(entries_ports(*this, all, nets)) {}

EntryFlags entry_flags(EntriesPart& f) {
  rtl::Module& m = f.m;
  const int n = f.entries;
  m.section("State of the entries.");
  return {.in_use_q = m.reg("in_use_q", n, 0, "entries that wait for a line, or were freed just now"),
          .pending_q = pending_register(f),
          .poisoned_q = m.reg("poisoned_q", n, 0,
                              "a store came after the fetch: only its MSHR targets may have the line"),
          .stored_q = stored_register(f),
          .flushed_q = m.reg("flushed_q", n, 0, "a flush came after the fetch: the entry matches nothing")};
}

Expr freed_entries(EntriesPart& f, const EntryFlags& flags, const std::optional<Expr>& spent) {
  rtl::Module& m = f.m;
  const EntriesMatch& match = f.ports.match;
  const Expr replayed = match.last_bits.value_or(lit(1, 1)) & f.each(match.freed);
  const Expr gone = spent ? m.let("gone", replayed | *spent, "entries that were freed")
                          : m.let("gone", replayed, "the entry that was freed");
  m.assign(f.ports.state.in_use, flags.in_use_q & ~gone);
  m.assign(f.ports.state.flushed, flags.flushed_q);
  m.assign(f.ports.state.poisoned, flags.poisoned_q);
  return gone;
}

NewEntry find_free(EntriesPart& f, const std::optional<Expr>& spent) {
  rtl::Module& m = f.m;
  const EntriesPorts& p = f.ports;
  m.section("A new entry.");
  const Expr free = m.let("free_entries", ~p.state.in_use, "entries not in use");
  const FreeEntry found = free_entry(m, f.own_module("free"), free, p.state.lowest_free, p.state.free_firsts);
  const Expr created =
      m.let("created", p.state.lowest_free & f.each(p.request.allocate), "the entry that is taken");
  const Expr has_free_q = m.reg("has_free_q", 1, 1, "some entry was not in use in the cycle before");
  const Expr some_free = has_free_q | p.match.freed;
  m.assign(p.answer.has_free, spent ? some_free | rtl::any(*spent) : some_free);
  if (p.answer.entry) m.assign(*p.answer.entry, mux(p.match.match, *p.match.number, *found.number));
  return {.two = found.two, .has_free_q = has_free_q, .created = created};
}

std::optional<Expr> matched_pending(EntryValues& values, const EntriesPart& f, const EntryFlags& flags) {
  if (!f.by_chunk) return {};
  return values.add("entry_pending", *flags.pending_q, f.pending,
                    "chunks on their way of the entry that matched");
}

void drive_replay_pending(EntriesPart& f, const EntryFlags& flags) {
  const EntriesPorts& p = f.ports;
  if (!flags.pending_q) return;
  if (!f.by_chunk)
    return f.m.assign(*p.state.replay_pending, rtl::any(*flags.pending_q & *p.match.replay_bits));
  EntryValues values(f);
  const Expr pending = values.add("own_pending", *flags.pending_q, f.pending, "chunks still on their way");
  values.gather("Of the entry in the replay stage.", "of_replay", rtl::Condition::always(),
                *p.match.replay_bits);
  f.m.assign(*p.state.replay_pending, pending);
}

FilledEntry fill_entry(EntriesPart& f, const EntryFlags& flags) {
  rtl::Module& m = f.m;
  const EntriesPorts& p = f.ports;
  m.section("Fills.");
  const std::optional<Expr>& number = p.fill.entry;  // of several
  const Expr named =
      number ? one_hot_of(m, "named_entry", *number, f.entries, "the entry that fill_entry names, one-hot")
             : m.let("named_entry", lit(1, 1), "the one entry");
  const Expr filled =
      m.let("filled", named & f.each(p.fill.valid), "the entry that a fill comes to, one-hot");
  const Expr shut =
      m.let("shut", flags.poisoned_q | flags.flushed_q, "entries whose data nobody else may find");
  m.assign(p.answer.fill_installs, ~(number ? numbered(shut, *number, 1) : shut));
  if (p.answer.late)
    m.assign(*p.answer.late, rtl::any(shut & *p.match.replay_bits) | (p.request.poison & *p.match.own));
  return {named, filled};
}

void change_places(EntriesPart& f, const NewPlace& place) {
  if (place.empty()) return;
  rtl::Module& m = f.m;
  m.clocked(
      "Where the line of a new entry will lie, in the lowest free one of each group: it is written before it "
      "is known that the request takes the entry, and which one; while they are free, nobody reads them.",
      [&] {
        m.loop("new_entry", f.entries, [&](const Expr& e) {
          m.when(f.ports.state.free_firsts.at(e), [&] {
            for (const auto& [q, value] : place) m.set(q.part(e, value.width()), value);
          });
        });
      });
}

namespace {

// Chunks on their way to each entry.
void change_pending(EntriesPart& f, const Expr& pending_q, const Expr& filled) {
  rtl::Module& m = f.m;
  const int v = f.pending;
  const EntriesPorts& p = f.ports;
  m.clocked("Chunks on their way: a free entry shows what the request fetches.", [&] {
    m.loop("chunks_of", f.entries, [&](const Expr& e) {
      const Expr left = pending_q.part(e, v) & ~(*p.fill.mask & replicate(v, filled.at(e)));
      const Expr more = left | (*p.request.missed & replicate(v, p.match.bits.at(e) & *p.request.merge));
      m.set(pending_q.part(e, v), mux(p.state.in_use.at(e), more, *p.request.missed));
    });
  });
}

// Loads of other warps may have what a store of one has made old, as long as it is on its way.
void wait_behind_stores(EntriesPart& f, const EntryFlags& flags) {
  rtl::Module& m = f.m;
  const EntriesPorts& p = f.ports;
  const int n = f.p.warps;
  m.section("Stores after the fetch.");
  const Expr warp_bits = one_hot_of(m, "warp_bits", p.request.warp->warp, n, "warp of the request, one-hot");
  m.comb("Behind a store of the request's warp, or with nothing on its way.", [&] {
    m.loop("behind", f.entries, [&](const Expr& e) {
      const Expr own = rtl::any(flags.stored_q->part(e, n) & warp_bits);
      m.set(p.state.waits->at(e), flags.poisoned_q.at(e) & (own | ~flags.pending_q->at(e)));
    });
  });
  const Expr storing =
      m.let("storing", warp_bits | replicate(n, p.request.warp->poison_all), "warps whose loads will wait");
  m.clocked("Warps whose loads wait for the end of an entry: none in a free one.", [&] {
    m.loop("stored_in", f.entries, [&](const Expr& e) {
      const Expr warps = flags.stored_q->part(e, n);
      m.when(p.state.free_firsts.at(e), [&] { m.set(warps, lit(n, 0)); });
      m.when(p.match.bits.at(e) & p.request.poison, [&] { m.set(warps, warps | storing); });
    });
  });
}

}  // namespace

void change_entries(EntriesPart& f, const EntryFlags& flags, const NewEntry& entry, const Expr& gone,
                    const Expr& filled) {
  rtl::Module& m = f.m;
  const EntriesPorts& p = f.ports;
  m.section("Changes.");
  m.clocked(
      fmt::format("Entries in use, poisoned, flushed{}.",
                  f.by_chunk || !flags.pending_q
                      ? ""
                      : "; lines on their way, as that of a free entry is, so that it is for a new one"),
      [&] {
        m.set(flags.in_use_q, p.state.in_use | entry.created);
        m.set(entry.has_free_q, mux(p.request.allocate, entry.two, p.answer.has_free));
        const Expr poisoned = p.match.bits & f.each(p.request.poison);
        m.set(flags.poisoned_q, (flags.poisoned_q | poisoned) & ~gone);
        const Expr flushed = p.state.in_use & f.each(p.flush);
        m.set(flags.flushed_q, (flags.flushed_q | flushed) & ~gone);
        if (flags.pending_q && !f.by_chunk)
          m.set(*flags.pending_q, (*flags.pending_q & ~filled) | ~p.state.in_use);
      });
  if (f.by_chunk) change_pending(f, *flags.pending_q, filled);
  if (flags.stored_q) wait_behind_stores(f, flags);
}

void show_entries(EntriesPart& f, const EntryFlags& flags) {
  rtl::Module& m = f.m;
  const rtl::Index entries{"entry", f.entries};
  m.observe("in_use", f.ports.state.in_use, {entries});
  m.observe("poisoned", flags.poisoned_q, {entries});
  m.observe("flushed", flags.flushed_q, {entries});
  if (flags.stored_q) m.observe("stored", *flags.stored_q, {entries});
  if (flags.pending_q) m.observe("pending", *flags.pending_q, {entries});
}

}  // namespace hw
