#include "hw/tags/way_entries.h"

#include <optional>

#include "hw/mshr/mshr_changes.h"
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
  const Expr taken = m.input("way", ways, "where its line will lie, one-hot");
  const MshrRequest request = request_ports(f);
  const LookupAnswer lookup = lookup_ports(f);
  const Expr matched = m.output("match_way", ways, "the entry's way, one-hot, or 0");
  const EntryAnswer entry = entry_ports(f);
  const Expr filled = m.output("fill_way", ways, "way of the fill's entry, one-hot");
  const Expr early = m.output(
      "fill_way_early", ways,
      "way of the fill's entry, one-hot: kept so beside its number, for what has no time to decode it");
  const OfferAnswer offer = offer_ports(f);
  const Expr replayed = m.output("replay_way", ways, "the way, one-hot");
  const LoadAnswer load = load_ports(f);
  const Expr dealloc = m.output("dealloc", 1, "the entry of the replay is freed, its way no longer busy");
  return {{probe, request, lookup, entry, offer, load}, {taken, matched, filled, early, replayed, dealloc}};
}

// The way of each entry, of several.
struct EntryWays {
  Expr number_q, bits_q;
};

std::optional<EntryWays> ways_of_entries(MshrFrame& f, int ways) {
  if (ways == 1) return {};
  return EntryWays{
      .number_q =
          f.m.data_reg("way_q", f.entries * bits_to_number(ways), "way of each entry, where a fill goes"),
      .bits_q = f.m.data_reg("way_bits_q", f.entries * ways,
                             "way of each entry once more, one-hot, for what has no time to decode it")};
}

struct WayMshrState {
  MshrState file;
  std::optional<EntryWays> ways;
};

WayMshrState way_mshr_state(MshrFrame& f, int ways) {
  const EntryLines lines = entry_lines(f);
  const std::optional<EntryWays> of_entries = ways_of_entries(f, ways);
  const EntryFlags flags = entry_flags(f);
  return {{lines, flags, left_over(f, lines, {})}, of_entries};
}

// Returns the rows of the MSHR targets of the entry that matched.
std::optional<TargetRow> match_entry_way(MshrFrame& f, const WayMshrPorts& ports, const WayMshrState& state,
                                         const EntryLookup& lookup) {
  rtl::Module& m = f.m;
  EntryValues values(f);
  const std::optional<Expr> pending = matched_pending(f, values, state.file);
  std::optional<Expr> way;
  if (state.ways)
    way = values.add("entry_way", state.ways->bits_q, ports.way.matched.width(),
                     "way of the entry that matched, one-hot");
  const std::optional<TargetRow> targets = matched_targets(f, values, state.file);
  gather_matched(values, lookup);
  if (pending) m.assign(*ports.file.lookup.pending, *pending);
  if (!way) m.unused("unused_way", ports.way.taken, "the one way has no number");
  m.assign(ports.way.matched, way ? *way : lookup.matches);
  return targets;
}

void fill_entry_way(MshrFrame& f, const EntryWayPorts& ports, const std::optional<EntryWays>& of_entries,
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

// The replay stage, and the way of the entry in it.
struct WayReplay {
  MshrReplay file;
  Expr way_q, next_way;
};

WayReplay replay_entry_way(MshrFrame& f, const WayMshrPorts& ports, const WayMshrState& state) {
  const int ways = ports.way.replayed.width();
  const ReplayStage stage = replay_stage(f);
  const Expr way_q = f.m.data_reg("replay_way_q", ways, "way of the entry, one-hot");
  const StoredLoad load = stored_load(f, stage, ports.file);
  f.m.assign(ports.way.replayed, way_q);
  EntryValues values(f);
  const ReplayEntry entry = replay_entry(f, stage, state.file, values);
  gather_replay(values, stage, entry);
  const ReplayOutcome outcome = replay_outcome(f, stage, load, entry, state.file, ports.file);
  NextFields fields = next_fields(f, state.file);
  const Expr way =
      state.ways ? of_next(f, fields, "way", state.ways->bits_q, "way of the entry, one-hot") : lit(1, 1);
  add_head(f, fields, state.file);
  return {find_next(f, {stage, load, entry, outcome}, fields, state.file), way_q, way};
}

void change_entry_ways(MshrFrame& f, const WayMshrPorts& ports, const WayMshrState& state,
                       const EntryLookup& lookup) {
  NextValues places;
  if (state.ways) {
    const Expr number = f.m.let("way_number", number_of(ports.way.taken), "of the new line's way");
    places = {{state.ways->number_q, number}, {state.ways->bits_q, ports.way.taken}};
  }
  change_lines(f, ports.file, state.file, lookup.free, places);
}

}  // namespace

rtl::Module way_mshr(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                     const std::string& name) {
  MshrFrame f(p, lines, name);
  const WayMshrPorts all = way_mshr_ports(f, tags.ways);
  const MshrPorts& ports = all.file;
  const WayMshrState kept = way_mshr_state(f, tags.ways);
  const MshrState& state = kept.file;
  const EntryLookup lookup = look_up(f, ports, state, match_side_by_side(f));
  const std::optional<TargetRow> targets = match_entry_way(f, all, kept, lookup);
  const FilledEntry fill = fill_entry(f, ports, state);
  fill_entry_way(f, all.way, kept.ways, fill);
  const NewTarget joined = new_target(f, ports.probe, targets);
  const WayReplay offer = replay_entry_way(f, all, kept);
  const MshrReplay& replay = offer.file;
  target_ram(f, replay, joined, ports);
  const ReplayMeeting meeting = step_replay(f, replay, lookup, ports, {{offer.way_q, offer.next_way}});
  const rtl::Expr freed = freed_entry(f, replay, meeting, ports, rtl::Condition::always());
  f.m.assign(all.way.dealloc, freed);
  keep_result(f, replay, state.left, freed, ports);
  line_ram(f, replay, meeting, state, ports);
  change_match(f, ports, lookup, replay.entry, meeting);
  change_entry_ways(f, all, kept, lookup);
  change_entries(f, ports, state, lookup, replay, fill.filled, fill.filled);
  // With short tags alone to compare it is known soon whether the probe's load joins.
  const bool soon = traits_of(tags.tags).keeps_way && !by_chunk(tags.tags) && !lines.tag_is_line;
  change_counts(f, ports, state.left, state.flags.counts, lookup.match, soon);
  show_entries(f, state, replay.entry);
  if (kept.ways) f.m.observe("way", kept.ways->number_q, {{"entry", f.entries}});
  return f.m;
}

}  // namespace hw
