#include "hw/tags/decoupled_entries.h"

#include <optional>

#include "hw/mshr/mshr_entries.h"
#include "hw/mshr/mshr_lookup.h"
#include "hw/mshr/mshr_replay.h"
#include "hw/mshr/mshr_targets.h"
#include "hw/tags/tag_ports.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::replicate;

// Where lines lie: ways one-hot, and of several tags of a way the line's, one-hot; chunks of a way that go.
struct DecoupledPlacePorts {
  Expr way;
  std::optional<Expr> tag;
  Expr match_way;
  std::optional<Expr> match_tag;
  Expr fill_way, replay_way, released;
};
struct DecoupledMshrPorts {
  MshrPorts file;
  DecoupledPlacePorts place;
};

DecoupledMshrPorts decoupled_mshr_ports(MshrFrame& f, int ways, int tags) {
  rtl::Module& m = f.m;
  const MshrProbe probe = probe_ports(f);
  const Expr way = m.input("way", ways, "way of the request's line, one-hot");
  const std::optional<Expr> tag =
      input_if(m, tags > 1, "tag_there", tags, "tag of the line in the way, one-hot");
  const MshrRequest request = request_ports(f);
  const LookupAnswer lookup = lookup_ports(f);
  const Expr match_way = m.output("match_way", ways, "way of the matched entry's line, one-hot, or 0");
  const std::optional<Expr> match_tag =
      output_if(m, tags > 1, "match_tag", tags, "tag of that line in the way, one-hot, or 0");
  const EntryAnswer entry = entry_ports(f);
  const Expr fill_way = m.output("fill_way", ways, "way of the fill's entry, one-hot");
  const OfferAnswer offer = offer_ports(f);
  const Expr replay_way = m.output("replay_way", ways, "way of the MSHR target's line, one-hot");
  const LoadAnswer load = load_ports(f);
  const Expr released =
      m.output("replay_released", f.chunks, "chunks that nobody waits for after the replay's answer");
  return {{probe, request, lookup, entry, offer, load},
          {way, tag, match_way, match_tag, fill_way, replay_way, released}};
}

// In the entries: way and tag of each entry's line where there are several.
struct DecoupledPlaces {
  std::optional<Expr> way_q, tag_q;
};
struct EntriesPlacePorts {
  Expr way;
  std::optional<Expr> tag;
  Expr match_way;
  std::optional<Expr> match_tag;
  Expr fill_way;
  std::optional<Expr> of_entries;  // of several ways
};

EntriesPlacePorts entries_place_ports(EntriesPart& f, const DecoupledPlacePorts& ports,
                                      const std::optional<Expr>& of_entries) {
  return {.way = f.in(ports.way),
          .tag = f.in(ports.tag),
          .match_way = f.out(ports.match_way),
          .match_tag = f.out(ports.match_tag),
          .fill_way = f.out(ports.fill_way),
          .of_entries = f.out(of_entries)};
}

DecoupledPlaces places_of_entries(EntriesPart& f, const EntriesPlacePorts& ports) {
  rtl::Module& m = f.m;
  DecoupledPlaces places;
  if (ports.of_entries) {
    places.way_q = m.data_reg("way_q", f.entries * ports.way.width(), "way of each entry's line, one-hot");
    m.assign(*ports.of_entries, *places.way_q);
  }
  if (ports.tag)
    places.tag_q = m.data_reg("tag_there_q", f.entries * ports.tag->width(),
                              "tag of each entry's line in the way, one-hot");
  return places;
}

void match_decoupled_entry(EntriesPart& f, const EntriesPlacePorts& ports, const EntryFlags& flags,
                           const DecoupledPlaces& places) {
  rtl::Module& m = f.m;
  const Expr& match = f.ports.match.match;
  EntryValues values(f);
  const std::optional<Expr> pending = matched_pending(values, f, flags);
  std::optional<Expr> way, tag;
  if (places.way_q)
    way =
        values.add("matched_way", *places.way_q, ports.way.width(), "way of the entry that matched, one-hot");
  if (places.tag_q)
    tag = values.add("matched_tag", *places.tag_q, ports.tag->width(), "tag of that line there, one-hot");
  values.gather("Of the entry that matched.", "of_match", rtl::Condition::always(), f.ports.match.bits);
  const auto if_matched = [&](const Expr& value) { return value & replicate(value.width(), match); };
  m.assign(*f.ports.answer.match_pending, if_matched(*pending));
  if (!way) m.unused("unused_way", ports.way, "the one way has no number");
  m.assign(ports.match_way, way ? if_matched(*way) : match);
  if (tag) m.assign(*ports.match_tag, if_matched(*tag));
}

void fill_decoupled_way(EntriesPart& f, const EntriesPlacePorts& ports, const std::optional<Expr>& way_q,
                        const FilledEntry& entry) {
  Expr way = lit(1, 1);
  if (way_q) {
    EntryValues values(f);
    way = values.add("filled_way", *way_q, ports.fill_way.width(), "way of the fill's entry, one-hot");
    values.gather("Of the entry that a fill comes to.", "of_fill", rtl::Condition::always(), entry.named);
  }
  f.m.assign(ports.fill_way, way);
}

void place_decoupled_entries(MshrTop& file, const DecoupledMshrPorts& all, const MshrNets& nets,
                             const std::optional<Expr>& entry_way) {
  EntriesPart f(file, all.file, nets);
  const EntriesPlacePorts ports = entries_place_ports(f, all.place, entry_way);
  const EntryFlags flags = entry_flags(f);
  const DecoupledPlaces places = places_of_entries(f, ports);
  const Expr gone = freed_entries(f, flags, {});
  const NewEntry entry = find_free(f, {});
  match_decoupled_entry(f, ports, flags, places);
  drive_replay_pending(f, flags);
  const FilledEntry fill = fill_entry(f, flags);
  f.m.assign(f.ports.state.woken, fill.filled);
  fill_decoupled_way(f, ports, places.way_q, fill);
  NewPlace taken;
  if (places.way_q) taken.emplace_back(*places.way_q, ports.way);
  if (places.tag_q) taken.emplace_back(*places.tag_q, *ports.tag);
  change_places(f, taken);
  change_entries(f, flags, entry, gone, fill.filled);
  show_entries(f, flags);
  const rtl::Index entries{"entry", f.entries};
  if (places.way_q) f.m.observe("way", *places.way_q, {entries, {"way", ports.way.width()}});
  if (places.tag_q) f.m.observe("tag_there", *places.tag_q, {entries, {"tag", ports.tag->width()}});
  f.place("Takes new lines and fills.");
}

}  // namespace

rtl::Module decoupled_mshr(const TagParams& tag_params, const MshrParams& p, const MshrLines& lines,
                           const std::string& name) {
  MshrTop f(p, lines, name);
  const int ways = tag_params.ways;
  const DecoupledMshrPorts ports = decoupled_mshr_ports(f, ways, tag_params.decoupled.tags_per_way);
  const MshrNets nets = mshr_nets(f);
  const HoldingNets holding = holding_nets(f);
  std::optional<Expr> entry_way;
  if (ways > 1) {
    f.m.section("Where lines lie.");
    entry_way = f.m.wire("entry_way", f.entries * ways, "way of each entry's line, one-hot");
  }
  place_lookup(f, ports.file, nets, MatchTiming::in_time, holding, {});
  place_decoupled_entries(f, ports, nets, entry_way);
  ReplayKinds replay;
  if (entry_way)
    replay.values.push_back({"way", "way of the entry's line, one-hot", *entry_way, ports.place.replay_way});
  else
    f.m.assign(ports.place.replay_way, lit(1, 1));
  place_replay(f, ports.file, nets, replay);
  place_targets(f, ports.file, nets, {.holding = holding});
  // A load that joins it in this cycle and wants one of them keeps it busy in spite of any release.
  f.m.assign(ports.place.released,
             holding.last_for & ports.file.load.mask & replicate(f.chunks, ports.file.request.granted));
  return f.m;
}

}  // namespace hw
