#include "hw/tags/way_entries.h"

#include <optional>

#include "hw/mshr/mshr_entries.h"
#include "hw/mshr/mshr_lookup.h"
#include "hw/mshr/mshr_replay.h"
#include "hw/mshr/mshr_targets.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/tag_ports.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

// Where lines lie, one-hot.
struct EntryWayPorts {
  Expr taken, matched;
  std::optional<Expr> filled;  // where a fill's id does not name it
  Expr replayed, dealloc;
};
struct WayMshrPorts {
  MshrPorts file;
  EntryWayPorts way;
};

WayMshrPorts way_mshr_ports(MshrFrame& f, int ways) {
  rtl::Module& m = f.m;
  const MshrProbe probe = probe_ports(f);
  const Expr taken = m.input("way", ways, "where the request's line will lie, one-hot");
  const MshrRequest request = request_ports(f);
  const LookupAnswer lookup = lookup_ports(f);
  const Expr matched = m.output("match_way", ways, "the matched entry's way, one-hot, or 0");
  const EntryAnswer entry = entry_ports(f);
  const std::optional<Expr> filled =
      output_if(m, !f.p.ways_named, "fill_way", ways, "way of the fill's entry, one-hot");
  const OfferAnswer offer = offer_ports(f);
  const Expr replayed = m.output("replay_way", ways, "way of the MSHR target's line, one-hot");
  const LoadAnswer load = load_ports(f);
  const Expr dealloc = m.output("dealloc", 1, "the entry of the replay is freed, its way no longer busy");
  return {{probe, request, lookup, entry, offer, load}, {taken, matched, filled, replayed, dealloc}};
}

// The ports of the entries for the ways.
struct EntriesWayPorts {
  Expr taken, matched;
  std::optional<Expr> filled;
  std::optional<Expr> of_entries;  // of several ways
};

EntriesWayPorts entries_way_ports(EntriesPart& f, const EntryWayPorts& ports,
                                  const std::optional<Expr>& of_entries) {
  return {.taken = f.in(ports.taken),
          .matched = f.out(ports.matched),
          .filled = f.out(ports.filled),
          .of_entries = f.out(of_entries)};
}

// The ways of all entries, of several: one-hot, since it is known late which entry a fill comes to.
std::optional<Expr> ways_of_entries(EntriesPart& f, const EntriesWayPorts& ports) {
  if (!ports.of_entries) return {};
  const Expr way_q =
      f.m.data_reg("way_q", f.entries * ports.taken.width(), "way of each entry's line, one-hot");
  f.m.assign(*ports.of_entries, way_q);
  return way_q;
}

void match_entry_way(EntriesPart& f, const EntriesWayPorts& ports, const EntryFlags& flags,
                     const std::optional<Expr>& way_q) {
  rtl::Module& m = f.m;
  const Expr& match = f.ports.match.match;
  EntryValues values(f);
  const std::optional<Expr> pending = matched_pending(values, f, flags);
  std::optional<Expr> way;
  if (way_q)
    way = values.add("matched_way", *way_q, ports.matched.width(), "way of the entry that matched, one-hot");
  values.gather("Of the entry that matched.", "of_match", match, f.ports.match.bits);
  if (pending) m.assign(*f.ports.answer.match_pending, *pending);
  if (!way) m.unused("unused_way", ports.taken, "the one way has no number");
  m.assign(ports.matched, way ? *way : match);
}

void fill_entry_way(EntriesPart& f, const EntriesWayPorts& ports, const std::optional<Expr>& way_q,
                    const FilledEntry& entry) {
  if (!ports.filled) return;
  if (!way_q) return f.m.assign(*ports.filled, lit(1, 1));
  EntryValues values(f);
  const Expr way =
      values.add("filled_way", *way_q, ports.filled->width(), "way of the fill's entry, one-hot");
  values.gather("Of the entry that a fill comes to.", "of_fill", rtl::Condition::always(), entry.named);
  f.m.assign(*ports.filled, way);
}

void place_way_entries(MshrTop& file, const WayMshrPorts& all, const MshrNets& nets,
                       const std::optional<Expr>& entry_way) {
  EntriesPart f(file, all.file, nets);
  const EntriesWayPorts ports = entries_way_ports(f, all.way, entry_way);
  const EntryFlags flags = entry_flags(f);
  const std::optional<Expr> way_q = ways_of_entries(f, ports);
  const Expr gone = freed_entries(f, flags, {});
  const NewEntry entry = find_free(f, {});
  match_entry_way(f, ports, flags, way_q);
  drive_replay_pending(f, flags);
  const FilledEntry fill = fill_entry(f, flags);
  f.m.assign(f.ports.state.woken, fill.filled);
  fill_entry_way(f, ports, way_q, fill);
  if (way_q) change_places(f, {{*way_q, ports.taken}});
  change_entries(f, flags, entry, gone, fill.filled);
  show_entries(f, flags);
  if (way_q) f.m.observe("way", *way_q, {{"entry", f.entries}, {"way", ports.taken.width()}});
  f.place("Takes new lines and fills.");
}

}  // namespace

rtl::Module way_mshr(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                     const std::string& name) {
  MshrTop f(p, lines, name);
  const WayMshrPorts ports = way_mshr_ports(f, tags.ways);
  const MshrNets nets = mshr_nets(f);
  std::optional<Expr> entry_way;
  if (tags.ways > 1) {
    f.m.section("Where lines lie.");
    entry_way = f.m.wire("entry_way", f.entries * tags.ways, "way of each entry's line, one-hot");
  }
  place_lookup(f, ports.file, nets, MatchTiming::late, {}, {});
  place_way_entries(f, ports, nets, entry_way);
  ReplayKinds replay{.dealloc = ports.way.dealloc};
  if (entry_way)
    replay.values.push_back({"way", "way of the entry's line, one-hot", *entry_way, ports.way.replayed});
  else
    f.m.assign(ports.way.replayed, lit(1, 1));
  place_replay(f, ports.file, nets, replay);
  // With short tags alone to compare it is known soon whether the request's load joins.
  place_targets(f, ports.file, nets,
                {.match = MatchTiming::late,
                 .joins_soon = traits_of(tags.tags).keeps_way && !by_chunk(tags.tags) && !lines.tag_is_line});
  return f.m;
}

}  // namespace hw
