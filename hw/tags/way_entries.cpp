#include "hw/tags/way_entries.h"

#include <optional>

#include "hw/mshr/mshr_entries.h"
#include "hw/mshr/mshr_lookup.h"
#include "hw/mshr/mshr_replay.h"
#include "hw/mshr/mshr_targets.h"
#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

// Where lines lie, one-hot.
struct EntryWayPorts {
  Expr taken, matched, filled, filled_early, replayed, dealloc;
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
  const Expr filled = m.output("fill_way", ways, "way of the fill's entry, one-hot");
  const Expr early = m.output(
      "fill_way_early", ways,
      "way of the fill's entry, one-hot: kept so beside its number, for what has no time to decode it");
  const OfferAnswer offer = offer_ports(f);
  const Expr replayed = m.output("replay_way", ways, "way of the MSHR target's line, one-hot");
  const LoadAnswer load = load_ports(f);
  const Expr dealloc = m.output("dealloc", 1, "the entry of the replay is freed, its way no longer busy");
  return {{probe, request, lookup, entry, offer, load}, {taken, matched, filled, early, replayed, dealloc}};
}

// The ways of all entries, of several, in the entries; their ports there, and to the replay stage.
struct EntryWays {
  Expr number_q, bits_q;
};
struct EntriesWayPorts {
  Expr taken, matched, filled, filled_early;
  std::optional<Expr> of_entries;  // of several ways
};

EntriesWayPorts entries_way_ports(EntriesPart& f, const EntryWayPorts& ports,
                                  const std::optional<Expr>& of_entries) {
  return {.taken = f.in(ports.taken),
          .matched = f.out(ports.matched),
          .filled = f.out(ports.filled),
          .filled_early = f.out(ports.filled_early),
          .of_entries = f.out(of_entries)};
}

std::optional<EntryWays> ways_of_entries(EntriesPart& f, const EntriesWayPorts& ports) {
  if (!ports.of_entries) return {};
  const int ways = ports.taken.width();
  const EntryWays of_entries{
      .number_q =
          f.m.data_reg("way_q", f.entries * bits_to_number(ways), "way of each entry, where a fill goes"),
      .bits_q = f.m.data_reg("way_bits_q", f.entries * ways,
                             "way of each entry once more, one-hot, for what has no time to decode it")};
  f.m.assign(*ports.of_entries, of_entries.bits_q);
  return of_entries;
}

void match_entry_way(EntriesPart& f, const EntriesWayPorts& ports, const EntryFlags& flags,
                     const std::optional<EntryWays>& of_entries) {
  rtl::Module& m = f.m;
  const Expr& match = f.ports.match.match;
  EntryValues values(f);
  const std::optional<Expr> pending = matched_pending(values, f, flags);
  std::optional<Expr> way;
  if (of_entries)
    way = values.add("matched_way", of_entries->bits_q, ports.matched.width(),
                     "way of the entry that matched, one-hot");
  values.gather("Of the entry that matched.", "of_match", match, f.ports.match.bits);
  if (pending) m.assign(*f.ports.answer.match_pending, *pending);
  if (!way) m.unused("unused_way", ports.taken, "the one way has no number");
  m.assign(ports.matched, way ? *way : match);
}

void fill_entry_way(EntriesPart& f, const EntriesWayPorts& ports, const std::optional<EntryWays>& of_entries,
                    const FilledEntry& entry) {
  rtl::Module& m = f.m;
  if (!of_entries) {
    m.assign(ports.filled, lit(1, 1));
    m.assign(ports.filled_early, lit(1, 1));
    return;
  }
  const int ways = ports.filled.width();
  EntryValues values(f);
  const Expr way =
      values.add("filled_way", of_entries->number_q, bits_to_number(ways), "way of the fill's entry");
  const Expr early = values.add("filled_way_early", of_entries->bits_q, ways,
                                "way of the fill's entry, one-hot, without a decoder");
  values.gather("Of the entry that a fill comes to.", "of_fill", rtl::Condition::always(), entry.named);
  m.assign(ports.filled, one_hot_of(m, "filled_way_bits", way, ways, "way of the fill's entry, one-hot"));
  m.assign(ports.filled_early, early);
}

void change_entry_ways(EntriesPart& f, const EntriesWayPorts& ports,
                       const std::optional<EntryWays>& of_entries) {
  if (!of_entries) return;
  const Expr number = f.m.let("way_number", number_of(ports.taken), "number of the new line's way");
  change_places(f, {{of_entries->number_q, number}, {of_entries->bits_q, ports.taken}});
}

void place_way_entries(MshrTop& file, const WayMshrPorts& all, const MshrNets& nets,
                       const std::optional<Expr>& entry_way) {
  EntriesPart f(file, all.file, nets);
  const EntriesWayPorts ports = entries_way_ports(f, all.way, entry_way);
  const EntryFlags flags = entry_flags(f);
  const std::optional<EntryWays> of_entries = ways_of_entries(f, ports);
  const Expr gone = freed_entries(f, flags, {});
  const NewEntry entry = find_free(f, {});
  match_entry_way(f, ports, flags, of_entries);
  drive_replay_pending(f, flags);
  const FilledEntry fill = fill_entry(f, flags);
  f.m.assign(f.ports.state.woken, fill.filled);
  fill_entry_way(f, ports, of_entries, fill);
  change_entry_ways(f, ports, of_entries);
  change_entries(f, flags, entry, gone, fill.filled);
  show_entries(f, flags);
  if (of_entries) f.m.observe("way", of_entries->number_q, {{"entry", f.entries}});
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
