#include "hw/mshr/mshr_lookup.h"

#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

// The request that enters the tag-lookup stage, that in the stage, and the entry that it takes.
struct LookupProbe {
  Expr moves;
  std::optional<Expr> enter_set;
  Expr enter_tag, set, tag, allocate, lowest_free, free_firsts;
};

// Of all entries.
struct LookupFlags {
  Expr in_use, flushed, poisoned, mergeable;
  std::optional<Expr> waits, searching;
};

// What the replay stage, or a fill, did in the cycle before; the entry in the stage.
struct LookupBefore {
  std::optional<Expr> answered;  // where a load may join late
  Expr freed;
  std::optional<Expr> spent;
  Expr replay_bits;
};

struct LookupPorts {
  LookupProbe probe;
  LookupFlags flags;
  LookupBefore before;
  std::optional<Expr> fill_entry;
  LookupAnswer answer;
  MatchNets match;
  std::optional<Expr> own_before;
  Expr fill_set;
};

LookupProbe lookup_probe(MshrPart& f, const MshrProbe& probe, const EntryNets& entries) {
  return {.moves = f.in(probe.moves),
          .enter_set = f.in(probe.enter_set),
          .enter_tag = f.in(probe.enter_tag),
          .set = f.in(probe.set),
          .tag = f.in(probe.tag),
          .allocate = f.in(probe.allocate),
          .lowest_free = f.in(entries.lowest_free),
          .free_firsts = f.in(entries.free_firsts)};
}

LookupPorts lookup_part_ports(MshrPart& f, const MshrPorts& ports, const MshrNets& nets,
                              const std::optional<HoldingNets>& holding,
                              const std::optional<FreeingNets>& freeing) {
  return {.probe = lookup_probe(f, ports.probe, nets.entries),
          .flags = {.in_use = f.in(nets.entries.in_use),
                    .flushed = f.in(nets.entries.flushed),
                    .poisoned = f.in(nets.entries.poisoned),
                    .mergeable = f.in(nets.targets.mergeable),
                    .waits = f.in(nets.entries.waits),
                    .searching = f.in(ports.request.searching)},
          .before = {.answered = f.joins_late ? f.in(nets.replay.answered) : std::nullopt,
                     .freed = f.in(nets.replay.freed),
                     .spent = freeing ? std::optional(f.in(freeing->spent)) : std::nullopt,
                     .replay_bits = f.in(nets.replay.bits)},
          .fill_entry = f.in(ports.request.fill.entry),
          .answer = {.match = f.out(ports.lookup.match),
                     .poisoned = f.out(ports.lookup.poisoned),
                     .waits = f.out(ports.lookup.waits),
                     .mergeable = f.out(ports.lookup.mergeable),
                     .pending = {},
                     .searched = f.out(ports.lookup.searched)},
          .match = {.bits = f.out(nets.match.bits),
                    .number = f.out(nets.match.number),
                    .own = f.out(nets.match.own),
                    .sets = f.out(nets.match.sets)},
          .own_before = holding ? f.out(holding->own_before) : std::nullopt,
          .fill_set = f.out(ports.entry.fill_set)};
}

// Lines of all entries.
struct EntryLines {
  Expr set_q, tag_q;
};

EntryLines entry_lines(MshrPart& f, const LookupPorts& ports) {
  rtl::Module& m = f.m;
  m.section("Lines.");
  const EntryLines lines{.set_q = m.data_reg("set_q", f.entries * f.set_bits, "set of each entry"),
                         .tag_q = m.data_reg("tag_q", f.entries * f.tag_bits, "tag of each entry")};
  m.clocked(
      "The line of a new entry, in the lowest free one of each group: it is written before it is known that "
      "the request takes the entry, and which one; while they are free, nobody reads them.",
      [&] {
        m.loop("new_entry", f.entries, [&](const Expr& e) {
          m.when(ports.probe.free_firsts.at(e), [&] {
            m.set(lines.set_q.part(e, f.set_bits), ports.probe.set);
            m.set(lines.tag_q.part(e, f.tag_bits), ports.probe.tag);
          });
        });
      });
  m.assign(ports.match.sets, lines.set_q);
  m.assign(ports.fill_set,
           ports.fill_entry ? numbered(lines.set_q, *ports.fill_entry, f.set_bits) : lines.set_q);
  m.observe("set_number", lines.set_q, {{"entry", f.entries}});
  m.observe("tag", lines.tag_q, {{"entry", f.entries}});
  return lines;
}

// A request is compared with all entries as it enters the tag-lookup stage, so that the answer is there early
// in the cycles in which it stands there.
Expr compare_lines(MshrPart& f, const LookupPorts& ports, const EntryLines& lines) {
  rtl::Module& m = f.m;
  const Expr coming = m.wire("coming", f.entries, "the entry with the line of the request that enters");
  m.comb("Compare with all entries.", [&] {
    m.loop("e", f.entries, [&](const Expr& e) {
      Expr open = ports.flags.in_use.at(e) & ~ports.flags.flushed.at(e);
      if (ports.probe.enter_set) open = open & (lines.set_q.part(e, f.set_bits) == *ports.probe.enter_set);
      m.set(coming.at(e), open & (lines.tag_q.part(e, f.tag_bits) == ports.probe.enter_tag));
    });
  });
  return coming;
}

// The entry with the line of the request that stands in the tag-lookup stage next.
struct ComingMatch {
  Expr bits, any, own;
};

ComingMatch coming_match(MshrPart& f, const LookupPorts& ports, const EntryLines& lines) {
  rtl::Module& m = f.m;
  const LookupProbe& probe = ports.probe;
  const Expr coming = compare_lines(f, ports, lines);
  const Expr same_set = probe.enter_set ? probe.allocate & (*probe.enter_set == probe.set) : probe.allocate;
  const Expr same_line = m.let("same_line", same_set & (probe.enter_tag == probe.tag),
                               "the request that enters asks for the new entry's line");
  return {.bits = coming | (probe.lowest_free & f.each(same_line)),
          .any = rtl::any(coming) | same_line,
          .own = rtl::any(coming & ports.before.replay_bits)};
}

// The flag of the entry that matches, of those of all.
using FlagOfMatch = std::function<Expr(const Expr&)>;

FlagOfMatch match_register(MshrPart& f, const LookupPorts& ports, const ComingMatch& coming) {
  rtl::Module& m = f.m;
  const Expr bits = ports.match.bits;
  const Expr match_q = m.reg("match_q", f.entries, 0, "the entry with the line, if there is one");
  m.clocked("The entry with the line.",
            [&] { m.set(match_q, mux(ports.probe.moves, coming.bits, match_q)); });
  m.assign(bits, match_q);
  return [=](const Expr& flags) { return rtl::any(bits & flags); };
}

// It is known late whether the tag-lookup stage moves on, later than the flags of the entries.
FlagOfMatch match_side_by_side(MshrPart& f, const LookupPorts& ports, const ComingMatch& coming) {
  rtl::Module& m = f.m;
  const Expr entered_q =
      m.reg("entered_q", 1, 0, "the request in the tag-lookup stage entered in the cycle before");
  const Expr coming_q = m.reg("coming_q", f.entries, 0, "the entry with its line, one-hot, if so");
  const Expr stayed_q = m.reg("stayed_q", f.entries, 0,
                              "the entry with the line of the request, one-hot, if it stayed in the stage");
  m.clocked(
      "Entries that the next request and the one that stays match, side by side: whether the tag-lookup "
      "stage "
      "moves on is known late.",
      [&] {
        m.set(coming_q, coming.bits);
        m.set(stayed_q, ports.match.bits);
        m.set(entered_q, ports.probe.moves);
      });
  m.assign(ports.match.bits, mux(entered_q, coming_q, stayed_q));
  return [=](const Expr& flags) {
    return mux(entered_q, rtl::any(coming_q & flags), rtl::any(stayed_q & flags));
  };
}

}  // namespace

// That there is an entry is asked where it matters, beside which one it is.
void place_lookup(MshrTop& file, const MshrPorts& ports, const MshrNets& nets, MatchTiming timing,
                  const std::optional<HoldingNets>& holding, const std::optional<FreeingNets>& freeing) {
  MshrPart f(file, "lookup",
             "Lines of the entries of an MSHR file, and the entry with the line of the request in the "
             "tag-lookup stage.");
  rtl::Module& m = f.m;
  const LookupPorts p = lookup_part_ports(f, ports, nets, holding, freeing);
  const EntryLines lines = entry_lines(f, p);
  m.section("The match.");
  const ComingMatch coming = coming_match(f, p, lines);
  const Expr any_q = m.reg("match_any_q", 1, 0, "there is one, if the cycle before has not freed it");
  const Expr own_q =
      m.reg("match_own_q", 1, 0, "the matched entry is the one that the replay stage looked at");
  const FlagOfMatch of_match =
      timing == MatchTiming::late ? match_side_by_side(f, p, coming) : match_register(f, p, coming);
  Expr matched = any_q & ~(p.before.freed & own_q);
  if (p.before.spent) matched = matched & ~rtl::any(p.match.bits & *p.before.spent);
  m.assign(p.answer.match, matched);
  const Expr poisoned = of_match(p.flags.poisoned);
  m.assign(p.answer.poisoned, timing == MatchTiming::late ? poisoned : p.answer.match & poisoned);
  if (p.answer.waits) m.assign(*p.answer.waits, of_match(*p.flags.waits));
  if (p.answer.searched) m.assign(*p.answer.searched, of_match(*p.flags.searching));
  const Expr mergeable = of_match(p.flags.mergeable);
  m.assign(p.answer.mergeable, p.before.answered ? mergeable | (*p.before.answered & own_q) : mergeable);
  if (p.match.number)
    m.assign(*p.match.number, number_of(m, "number", p.match.bits, "number of the matched entry"));
  const Expr matched_own = rtl::any(p.match.bits & p.before.replay_bits);
  if (p.match.own) m.assign(*p.match.own, matched_own);
  const Expr own = p.match.own
                       ? *p.match.own
                       : m.let("match_own", matched_own, "the matched entry is that of the replay stage");
  if (p.own_before) m.assign(*p.own_before, own_q);
  m.clocked("Whether an entry matches, and whether the replay stage looked at it.", [&] {
    m.set(any_q, mux(p.probe.moves, coming.any, p.answer.match));
    m.set(own_q, mux(p.probe.moves, coming.own, own));
  });
  f.place("Finds the entry with the line of a request.");
}

}  // namespace hw
