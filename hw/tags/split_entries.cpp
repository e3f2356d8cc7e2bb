#include "hw/tags/split_entries.h"

#include <algorithm>
#include <optional>

#include "hw/mshr/holding_entries.h"
#include "hw/mshr/mshr_changes.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/split_slots.h"
#include "hw/tags/tag_ports.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

struct SplitMshrFrame : MshrFrame {
  SplitMshrFrame(const TagParams& tags, const MshrParams& p, const MshrLines& lines, const std::string& name)
      : MshrFrame(p, lines, name),
        slots(slots_of(tags)),
        slot_width(slot_bits(tags)),
        widened(widens(tags)) {}

  const int slots, slot_width;
  const bool widened;  // a load may look for more chunks than it asks for
};

// Chunks of the probe's line, and slots.
struct SplitPlacePorts {
  Expr numbers, valid, load;
  std::optional<Expr> effective;  // where a load may look for more chunks than it asks for
  Expr pending_slots, fill_numbers, fill_at;
  std::optional<Expr> fill_released;  // where it may, too
  Expr replay_at, replay_released;
};
struct SplitMshrPorts {
  MshrPorts file;
  SplitPlacePorts place;
};

SplitMshrPorts split_mshr_ports(SplitMshrFrame& f) {
  rtl::Module& m = f.m;
  const int n = f.chunks;
  return {{probe_ports(f), request_ports(f), lookup_ports(f), entry_ports(f), offer_ports(f), load_ports(f)},
          {.numbers = m.input("slot_numbers", n * f.slot_width, "where the chunks of the probe's line lie"),
           .valid = m.input("chunk_valid", n, "chunks that are valid"),
           .load = m.input("load", 1, "the request is a load"),
           .effective = input_if(m, f.widened, "effective", n, "chunks that the request looks for"),
           .pending_slots =
               m.output("pending_slots", f.slots, "slots of the chunks that the matched entry awaits"),
           .fill_numbers = m.output("fill_numbers", n * f.slot_width, "slots of the fill's entry"),
           .fill_at = m.output("fill_at", n * f.slots, "where the chunks of the fill go, one-hot"),
           .fill_released =
               output_if(m, f.widened, "fill_released", f.slots, "filled slots without an MSHR target"),
           .replay_at = m.output("replay_at", n * f.slots, "slots of the MSHR target's chunks, one-hot"),
           .replay_released =
               m.output("replay_released", f.slots, "slots without another MSHR target after the answer")}};
}

// Of each entry: slots of its chunks, loads that wait for each; of the cycle before.
struct SplitMshrState {
  MshrState file;
  Expr slot_q, waits_q;
  LeftWaits left_waits;
};

SplitMshrState split_mshr_state(SplitMshrFrame& f) {
  rtl::Module& m = f.m;
  const EntryLines lines = entry_lines(f);
  const EntryFlags flags = entry_flags(f);
  const Expr slot_q = m.data_reg("slot_q", f.entries * f.chunks * f.slot_width, "slot of each of its chunks");
  const Expr waits_q = waits_register(f);
  std::optional<Expr> spent;
  if (f.widened) spent = m.reg("spent_q", f.entries, 0, "the entry that a fill freed in the cycle before");
  const LeftOver left = left_over(f, lines, spent);
  return {{lines, flags, left}, slot_q, waits_q, waits_left_over(f)};
}

// Of the entry that matched: chunks on their way, their slots, loads that wait for each.
struct SplitMatch {
  MatchedChunks chunks;
  Expr slots;
  std::optional<TargetRow> targets;
};

SplitMatch match_split_entry(SplitMshrFrame& f, const MshrPorts& ports, const SplitMshrState& state,
                             const EntryLookup& lookup) {
  EntryValues values(f);
  const std::optional<Expr> pending = matched_pending(f, values, state.file);
  const std::optional<TargetRow> targets = matched_targets(f, values, state.file);
  const Expr slots = values.add("match_slots", state.slot_q, f.chunks * f.slot_width, "slots of its chunks");
  const Expr waits = matched_waits(f, values, state.waits_q);
  gather_matched(values, lookup);
  return {chunks_of_match(f, ports, state.file.left, state.left_waits, lookup, *pending, waits), slots,
          targets};
}

// The slots of the entry that fill_entry names: this begins the longest path. First in groups of four by the
// low bits of the number, and beside it the group by the others: so no bit drives more than it must.
Expr slots_of_named(SplitMshrFrame& f, const std::optional<Expr>& entry, const Expr& slot_q) {
  if (!entry) return slot_q;
  rtl::Module& m = f.m;
  const int row = f.chunks * f.slot_width, low_bits = std::min(2, f.entry_width), size = 1 << low_bits;
  const int number = (f.entries + size - 1) / size;
  const Expr place = one_hot_of(m, "named_place", entry->slice(low_bits - 1, 0), size,
                                "position of the named entry among four");
  const Expr of_four = m.wire("slots_of_four", number * row, "slots of that entry of each four");
  m.comb("By the low bits of the number.", [&] {
    m.set(of_four, lit(number * row, 0));
    m.loop("of_four", f.entries, [&](const Expr& e) {
      const Expr four = number > 1 ? of_four.part_below(e.slice(f.entry_width - 1, low_bits), row) : of_four;
      const Expr here = place.at(e.slice(low_bits - 1, 0));
      m.set(four, four | (slot_q.part(e, row) & replicate(row, here)));
    });
  });
  if (number == 1) return of_four;
  const Expr four = one_hot_of(m, "named_four", entry->slice(f.entry_width - 1, low_bits), number,
                               "the named entry's four");
  const Expr out = m.wire("filled_slots", row, "slots of the chunks of the fill's entry");
  m.comb("By the others.", [&] {
    m.set(out, lit(row, 0));
    m.loop("four", number,
           [&](const Expr& g) { m.set(out, out | (of_four.part(g, row) & replicate(row, four.at(g)))); });
  });
  return out;
}

// Of the entry that a fill comes to, where nobody may wait in it: loads that wait for each chunk, chunks on
// their way, loads in it, and in each entry.
struct FilledWaits {
  Expr waits, pending, count, of_entries;
};

FilledWaits filled_waits(SplitMshrFrame& f, const SplitMshrState& state, const Expr& named) {
  rtl::Module& m = f.m;
  EntryValues values(f);
  const Expr waits =
      values.add("filled_waits", state.waits_q, f.chunks * f.count_width, "loads that wait for each chunk");
  const Expr pending =
      values.add("filled_pending", state.file.flags.pending_q, f.chunks, "chunks on their way to it");
  const Expr of_entries = target_count_now(m, f.count_widths());
  const Expr count = values.add("filled_count", of_entries, f.count_width, "loads that wait in it");
  values.gather("Of the entry that a fill comes to.", "of_fill", rtl::Condition::always(), named);
  const LeftOver& left = state.file.left;
  const Expr now = m.let("filled_waits_now",
                         mux(left.answered_q & rtl::any(named & left.last_own), state.left_waits.now, waits),
                         "waits of the fill's entry without the MSHR target that was answered");
  return {now, pending, count, of_entries};
}

struct SplitFill {
  FilledEntry entry;
  std::optional<FilledWaits> waits;  // where a load may look for more chunks than it asks for
};

SplitFill fill_split_entry(SplitMshrFrame& f, const SplitMshrPorts& ports, const SplitMshrState& state,
                           const SplitMatch& match) {
  rtl::Module& m = f.m;
  const MshrRequest& request = ports.file.request;
  const SplitPlacePorts& place = ports.place;
  const FilledEntry entry = fill_entry(f, ports.file, state.file);
  const Expr slots = slots_of_named(f, request.fill.entry, state.slot_q);
  m.assign(place.fill_numbers, slots);
  std::optional<FilledWaits> waits;
  if (f.widened) waits = filled_waits(f, state, entry.named);
  const Expr arrives = m.let("arrives", *request.fill.mask & replicate(f.chunks, request.fill.valid),
                             "chunks that a fill brings");
  m.assign(place.fill_at, decoded_slots(m, "fill_slot", slots, arrives, f.slots, "where each goes, one-hot"));
  const Expr looked_for = place.effective.value_or(request.mask);
  const Expr awaited =
      m.let("awaited", match.chunks.pending & looked_for, "chunks of the probe's on their way");
  const Expr at =
      decoded_slots(m, "pending_slot", match.slots, awaited, f.slots, "where each will lie, one-hot");
  m.assign(place.pending_slots, slots_together(m, "pending_sum", at, f.chunks, "all their slots"));
  return {entry, waits};
}

// The replay stage, slots and waits of the entry in it, and the slots of the next one.
struct SplitReplay {
  MshrReplay file;
  Expr slots_q, waits, next_slots;
};

SplitReplay replay_split_entry(SplitMshrFrame& f, const MshrPorts& ports, const SplitMshrState& state) {
  const ReplayStage stage = replay_stage(f);
  const StoredLoad load = stored_load(f, stage, ports);
  EntryValues values(f);
  const ReplayEntry entry = replay_entry(f, stage, state.file, values);
  const Expr slots_q = f.m.data_reg("replay_slots_q", f.chunks * f.slot_width, "slots of its chunks");
  const Expr of_entry = replayed_waits(f, values, state.waits_q);
  gather_replay(values, stage, entry);
  const Expr waits = waits_of_replay(f, state.file.left, state.left_waits, of_entry);
  const ReplayOutcome outcome = replay_outcome(f, stage, load, entry, state.file, ports);
  NextFields fields = next_fields(f, state.file);
  add_head(f, fields, state.file);
  const Expr next = of_next(f, fields, "slots", state.slot_q, "slots of its chunks");
  return {find_next(f, {stage, load, entry, outcome}, fields, state.file), slots_q, waits, next};
}

// Slots for which the MSHR target on offer is the last. A load that joins it in this cycle and wants one of
// them finds it valid, and what a load finds so stays busy in spite of any release.
void release_split_slots(SplitMshrFrame& f, const SplitMshrPorts& ports, const SplitReplay& replay) {
  rtl::Module& m = f.m;
  const SplitPlacePorts& place = ports.place;
  const Expr offered = m.let("offered", ports.file.load.mask & replicate(f.chunks, replay.file.stage.valid_q),
                             "chunks of the MSHR target on offer");
  const Expr at =
      decoded_slots(m, "replay_slot", replay.slots_q, offered, f.slots, "where each lies, one-hot");
  m.assign(place.replay_at, at);
  const Expr last = last_for(f, replay.waits);
  const Expr slots_left =
      slots_of_mask(m, "replay_sum", at, last, "slots of those chunks, if the MSHR target asks for them");
  m.assign(place.replay_released, slots_left & replicate(f.slots, ports.file.request.granted));
}

// Entries to look at, and whether nothing is on its way to the replay's entry.
struct SplitWakes {
  Expr woken;
  rtl::Condition ends;
};

void release_filled_slots(SplitMshrFrame& f, const SplitMshrPorts& ports, const FilledWaits& filled,
                          const Expr& fill_joined) {
  rtl::Module& m = f.m;
  const Expr unwanted = m.wire("unwanted", f.chunks, "chunks of the fill's entry that nobody waits for");
  m.comb("Chunks without an MSHR target.", [&] {
    m.loop("chunk", f.chunks, [&](const Expr& c) {
      m.set(unwanted.at(c),
            ~(rtl::any(filled.waits.part(c, f.count_width)) | (fill_joined & ports.file.request.mask.at(c))));
    });
  });
  m.assign(*ports.place.fill_released, slots_of_mask(m, "fill_sum", ports.place.fill_at, unwanted,
                                                     "slots that the fill leaves to nobody"));
}

// Coarse accesses also fetch what nobody waits for: then a fill may free slots or the entry, and a load may
// wait for nothing that is on its way.
SplitWakes wake_split_entries(SplitMshrFrame& f, const SplitMshrPorts& ports, const SplitMshrState& state,
                              const EntryLookup& lookup, const SplitMatch& match, const FilledEntry& entry,
                              const FilledWaits& waits, const SplitReplay& replay, const Expr& joins) {
  rtl::Module& m = f.m;
  const MshrRequest& request = ports.file.request;
  const Expr& filled = entry.filled;
  const Expr& merge = ports.file.probe.merge;
  const Expr fills_own = m.let("fills_own", rtl::any(filled & replay.file.entry.own),
                               "the fill comes to the entry in the replay stage");
  const Expr fill_joined = m.let("fill_joined", merge & rtl::any(lookup.match.bits & filled),
                                 "the probe's load joins the entry of the fill");
  release_filled_slots(f, ports, waits, fill_joined);
  const Expr emptied = m.let("emptied", fills_own & request.granted & replay.file.outcome.last_target,
                             "the last MSHR target of the fill's entry is answered");
  const Expr waited = m.let("waited", fill_joined | (rtl::any(waits.count) & ~emptied),
                            "a load waits in the fill's entry after this cycle");
  const Expr complete = m.let("complete", request.fill.valid & ~rtl::any(waits.pending & ~*request.fill.mask),
                              "the last chunks of the entry come");
  m.clocked("Entries that a fill frees.",
            [&] { m.set(*state.file.left.spent, filled & f.each(complete & ~waited)); });
  const Expr arrived = *request.fill.mask & replicate(f.chunks, fills_own);
  const Expr ends = m.let("ends", ~rtl::any(replay.file.entry.pending & ~arrived),
                          "nothing is on its way to the replay's entry after this cycle");
  const Expr at_once =
      m.let("at_once", joins & ~rtl::any(request.mask & (match.chunks.pending | *request.missed)),
            "all that the probe's load asks for is there");
  const Expr joined = lookup.free.created | (lookup.match.bits & f.each(merge));
  return {m.let("woken", (filled & f.each(waited)) | (joined & f.each(at_once)), "entries to look at"), ends};
}

// Waits of the chunks; returns the slots of the chunks of the probe's line.
Expr change_split_waits(SplitMshrFrame& f, const SplitMshrPorts& ports, const SplitMshrState& state,
                        const EntryLookup& lookup, const SplitMatch& match, const SplitReplay& replay,
                        const Expr& added) {
  rtl::Module& m = f.m;
  const int bits = f.slot_width;
  const SplitPlacePorts& place = ports.place;
  const Expr known =
      m.let("known", place.valid | *ports.file.request.missed, "chunks whose slot the probe knows");
  const WaitChanges changes = wait_changes(f);
  const Expr places = m.wire("new_slots", f.chunks * bits, "slots of the chunks of the probe's line");
  m.comb("Counts one more and one less.", [&] {
    m.loop("chunk", f.chunks, [&](const Expr& c) {
      change_waits(f, changes, ports.file, match.chunks.waits, replay.waits, c);
      m.set(places.part(c, bits), mux(known.at(c), place.numbers.part(c, bits), match.slots.part(c, bits)));
    });
  });
  keep_waits(f, changes, ports.file, state.file.left, state.left_waits, state.waits_q, lookup, added);
  return places;
}

// Slots are written before it is known that the load leaves. In a free entry nobody reads it; in the one that
// matched, a chunk that is waited for is either on its way or valid in the slot that it has.
void change_split_slots(SplitMshrFrame& f, const SplitMshrPorts& ports, const Expr& slot_q,
                        const EntryLookup& lookup, const SplitReplay& replay, const Expr& places) {
  rtl::Module& m = f.m;
  const int row = places.width();
  const Expr may_join = m.let(
      "may_join", lookup.match.bits & f.each(lookup.matches & ports.place.load & ~ports.file.lookup.poisoned),
      "the entry that it may wait in");
  m.clocked("Slots of the chunks.", [&] {
    m.loop("slots_of", f.entries, [&](const Expr& e) {
      m.when(lookup.free.firsts.at(e) | may_join.at(e), [&] { m.set(slot_q.part(e, row), places); });
    });
  });
  const auto now = [&](const Expr& entry_bits, const Expr& slots) {
    return mux(rtl::any(may_join & entry_bits), places, slots);
  };
  const Expr next = m.let("next_slots_now", now(replay.file.next.bits, replay.next_slots),
                          "slots of the next entry after this cycle");
  const Expr kept = m.let("replay_slots_now", now(replay.file.entry.own, replay.slots_q),
                          "slots of the replay stage's MSHR target");
  m.clocked("Slots of the entry that is looked at.",
            [&] { m.set(replay.slots_q, mux(replay.file.outcome.takes, next, kept)); });
}

}  // namespace

rtl::Module split_mshr(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                       const std::string& name) {
  SplitMshrFrame f(tags, p, lines, name);
  const SplitMshrPorts all = split_mshr_ports(f);
  const MshrPorts& ports = all.file;
  const SplitMshrState kept = split_mshr_state(f);
  const MshrState& state = kept.file;
  const EntryLookup lookup = look_up(f, ports, state, match_register(f));
  const SplitMatch match = match_split_entry(f, ports, kept, lookup);
  const SplitFill fill = fill_split_entry(f, all, kept, match);
  const NewTarget joined = new_target(f, ports.probe, match.targets);
  const SplitReplay offer = replay_split_entry(f, ports, kept);
  const MshrReplay& replay = offer.file;
  target_ram(f, replay, joined, ports);
  const ReplayMeeting meeting = step_replay(f, replay, lookup, ports, {});
  release_split_slots(f, all, offer);
  SplitWakes wakes{fill.entry.filled, rtl::Condition::always()};
  if (fill.waits)
    wakes = wake_split_entries(f, all, kept, lookup, match, fill.entry, *fill.waits, offer, joined.joins);
  const Expr freed = freed_entry(f, replay, meeting, ports, wakes.ends);
  keep_result(f, replay, state.left, freed, ports);
  line_ram(f, replay, meeting, state, ports);
  change_match(f, ports, lookup, replay.entry, meeting);
  change_lines(f, ports, state, lookup.free, {});
  change_entries(f, ports, state, lookup, replay, fill.entry.filled, wakes.woken);
  const Expr places = change_split_waits(f, all, kept, lookup, match, offer, meeting.added);
  change_split_slots(f, all, kept.slot_q, lookup, offer, places);
  TargetCounts counts = state.flags.counts;
  if (fill.waits) counts.count_now = fill.waits->of_entries;
  change_counts(f, ports, state.left, counts, lookup.match, false);
  show_entries(f, state, replay.entry);
  show_waits(f, state.left, kept.left_waits, kept.waits_q);
  f.m.observe("slot", kept.slot_q, {{"entry", f.entries}, {"chunk", f.chunks}});
  return f.m;
}

}  // namespace hw
