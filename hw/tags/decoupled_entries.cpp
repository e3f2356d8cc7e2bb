#include "hw/tags/decoupled_entries.h"

#include <optional>

#include "hw/mshr/holding_entries.h"
#include "hw/mshr/mshr_changes.h"
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
  Expr fill_way, fill_early, replay_way, released;
};
struct DecoupledMshrPorts {
  MshrPorts file;
  DecoupledPlacePorts place;
};

DecoupledMshrPorts decoupled_mshr_ports(MshrFrame& f, int ways, int tags) {
  rtl::Module& m = f.m;
  const MshrProbe probe = probe_ports(f);
  const Expr way = m.input("way", ways, "way of the entry's line, one-hot");
  const std::optional<Expr> tag =
      input_if(m, tags > 1, "tag_there", tags, "tag of the line in the way, one-hot");
  const MshrRequest request = request_ports(f);
  const LookupAnswer lookup = lookup_ports(f);
  const Expr match_way = m.output("match_way", ways, "the way of the entry's line, one-hot, or 0");
  const std::optional<Expr> match_tag =
      output_if(m, tags > 1, "match_tag", tags, "tag of that line in the way, one-hot, or 0");
  const EntryAnswer entry = entry_ports(f);
  const Expr fill_way = m.output("fill_way", ways, "way of the fill's entry, one-hot");
  const Expr fill_early = m.output("fill_way_early", ways, "fill_way for what must be known early");
  const OfferAnswer offer = offer_ports(f);
  const Expr replay_way = m.output("replay_way", ways, "the way, one-hot");
  const LoadAnswer load = load_ports(f);
  const Expr released =
      m.output("replay_released", f.chunks, "chunks that nobody waits for after its answer");
  return {{probe, request, lookup, entry, offer, load},
          {way, tag, match_way, match_tag, fill_way, fill_early, replay_way, released}};
}

// Of each entry: way and tag of its line where there are several, loads that wait for each chunk.
struct DecoupledMshrState {
  MshrState file;
  std::optional<Expr> way_q, tag_q;
  Expr waits_q;
  LeftWaits left_waits;
};

DecoupledMshrState decoupled_mshr_state(MshrFrame& f, int ways, int tags) {
  rtl::Module& m = f.m;
  const EntryLines lines = entry_lines(f);
  std::optional<Expr> way_q, tag_q;
  if (ways > 1) way_q = m.data_reg("way_q", f.entries * ways, "way of each entry's line, one-hot");
  if (tags > 1) tag_q = m.data_reg("tag_there_q", f.entries * tags, "tag of the line in the way, one-hot");
  const EntryFlags flags = entry_flags(f);
  const Expr waits_q = waits_register(f);
  const LeftOver left = left_over(f, lines, {});
  return {{lines, flags, left}, way_q, tag_q, waits_q, waits_left_over(f)};
}

// Of the entry that matched: loads that wait for each chunk, rows of its MSHR targets.
struct DecoupledMatch {
  Expr waits;
  std::optional<TargetRow> targets;
};

DecoupledMatch match_decoupled_entry(MshrFrame& f, const DecoupledMshrPorts& ports,
                                     const DecoupledMshrState& state, const EntryLookup& lookup) {
  rtl::Module& m = f.m;
  const DecoupledPlacePorts& place = ports.place;
  EntryValues values(f);
  const std::optional<Expr> pending = matched_pending(f, values, state.file);
  std::optional<Expr> way, tag;
  if (state.way_q)
    way = values.add("entry_way", *state.way_q, place.way.width(), "way of the entry that matched, one-hot");
  if (state.tag_q)
    tag = values.add("entry_tag", *state.tag_q, place.tag->width(), "tag of that line there, one-hot");
  const std::optional<TargetRow> targets = matched_targets(f, values, state.file);
  const Expr waits = matched_waits(f, values, state.waits_q);
  gather_matched(values, lookup);
  const MatchedChunks chunks =
      chunks_of_match(f, ports.file, state.file.left, state.left_waits, lookup, *pending, waits);
  if (!way) m.unused("unused_way", place.way, "the one way has no number");
  m.assign(place.match_way, way ? *way & replicate(way->width(), lookup.matches) : lookup.matches);
  if (tag) m.assign(*place.match_tag, *tag & replicate(tag->width(), lookup.matches));
  return {chunks.waits, targets};
}

void fill_decoupled_way(MshrFrame& f, const DecoupledPlacePorts& ports, const std::optional<Expr>& way_q,
                        const FilledEntry& entry) {
  Expr way = lit(1, 1);
  if (way_q) {
    EntryValues values(f);
    way = values.add("filled_way", *way_q, ports.fill_way.width(), "way of the fill's entry, one-hot");
    values.gather("Of the entry that a fill comes to.", "of_fill", rtl::Condition::always(), entry.named);
  }
  f.m.assign(ports.fill_way, way);
  f.m.assign(ports.fill_early, way);
}

// The replay stage, way and waits of the entry in it, and the way of the next one.
struct DecoupledReplay {
  MshrReplay file;
  Expr way_q, waits, next_way;
};

DecoupledReplay replay_decoupled_entry(MshrFrame& f, const DecoupledMshrPorts& ports,
                                       const DecoupledMshrState& state) {
  const ReplayStage stage = replay_stage(f);
  const Expr way_q =
      f.m.data_reg("replay_way_q", ports.place.replay_way.width(), "way of the entry, one-hot");
  const StoredLoad load = stored_load(f, stage, ports.file);
  f.m.assign(ports.place.replay_way, way_q);
  EntryValues values(f);
  const ReplayEntry entry = replay_entry(f, stage, state.file, values);
  const Expr of_entry = replayed_waits(f, values, state.waits_q);
  gather_replay(values, stage, entry);
  const Expr waits = waits_of_replay(f, state.file.left, state.left_waits, of_entry);
  const ReplayOutcome outcome = replay_outcome(f, stage, load, entry, state.file, ports.file);
  NextFields fields = next_fields(f, state.file);
  const Expr way =
      state.way_q ? of_next(f, fields, "way", *state.way_q, "way of the entry, one-hot") : lit(1, 1);
  add_head(f, fields, state.file);
  return {find_next(f, {stage, load, entry, outcome}, fields, state.file), way_q, waits, way};
}

void change_decoupled_waits(MshrFrame& f, const MshrPorts& ports, const DecoupledMshrState& state,
                            const EntryLookup& lookup, const Expr& match_waits, const Expr& replay_waits,
                            const Expr& added) {
  const WaitChanges changes = wait_changes(f);
  f.m.comb("Counts one more and one less.", [&] {
    f.m.loop("chunk", f.chunks,
             [&](const Expr& c) { change_waits(f, changes, ports, match_waits, replay_waits, c); });
  });
  keep_waits(f, changes, ports, state.file.left, state.left_waits, state.waits_q, lookup, added);
}

void show_decoupled_entries(MshrFrame& f, const DecoupledMshrState& state, int ways, int tags) {
  show_waits(f, state.file.left, state.left_waits, state.waits_q);
  if (state.way_q) f.m.observe("way", *state.way_q, {{"entry", f.entries}, {"way", ways}});
  if (state.tag_q) f.m.observe("tag_there", *state.tag_q, {{"entry", f.entries}, {"tag", tags}});
}

}  // namespace

rtl::Module decoupled_mshr(const TagParams& tag_params, const MshrParams& p, const MshrLines& lines,
                           const std::string& name) {
  MshrFrame f(p, lines, name);
  const int ways = tag_params.ways, tags = tag_params.decoupled.tags_per_way;
  const DecoupledMshrPorts all = decoupled_mshr_ports(f, ways, tags);
  const MshrPorts& ports = all.file;
  const DecoupledMshrState kept = decoupled_mshr_state(f, ways, tags);
  const MshrState& state = kept.file;
  const EntryLookup lookup = look_up(f, ports, state, match_register(f));
  const DecoupledMatch match = match_decoupled_entry(f, all, kept, lookup);
  const FilledEntry fill = fill_entry(f, ports, state);
  fill_decoupled_way(f, all.place, kept.way_q, fill);
  const NewTarget joined = new_target(f, ports.probe, match.targets);
  const DecoupledReplay offer = replay_decoupled_entry(f, all, kept);
  const MshrReplay& replay = offer.file;
  target_ram(f, replay, joined, ports);
  const ReplayMeeting meeting = step_replay(f, replay, lookup, ports, {{offer.way_q, offer.next_way}});
  // A load that joins it in this cycle and wants one of them keeps it busy in spite of any release.
  f.m.assign(all.place.released,
             last_for(f, offer.waits) & ports.load.mask & replicate(f.chunks, ports.request.granted));
  const Expr freed = freed_entry(f, replay, meeting, ports, rtl::Condition::always());
  keep_result(f, replay, state.left, freed, ports);
  line_ram(f, replay, meeting, state, ports);
  change_match(f, ports, lookup, replay.entry, meeting);
  NextValues places;
  if (kept.way_q) places.emplace_back(*kept.way_q, all.place.way);
  if (kept.tag_q) places.emplace_back(*kept.tag_q, *all.place.tag);
  change_lines(f, ports, state, lookup.free, places);
  change_entries(f, ports, state, lookup, replay, fill.filled, fill.filled);
  change_decoupled_waits(f, ports, kept, lookup, match.waits, offer.waits, meeting.added);
  change_counts(f, ports, state.left, state.flags.counts, lookup.match, false);
  show_entries(f, state, replay.entry);
  show_decoupled_entries(f, kept, ways, tags);
  return f.m;
}

}  // namespace hw
