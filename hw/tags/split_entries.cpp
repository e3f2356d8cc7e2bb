#include "hw/tags/split_entries.h"

#include <algorithm>

#include "hw/prim/one_hot.h"
#include "hw/rtl/condition.h"
#include "hw/tags/split_slots.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

SplitEntries::SplitEntries(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                           const std::string& name)
    : HoldingEntries(p, lines, name),
      slots(slots_of(tags)),
      slot_width(slot_bits(tags)),
      widened(widens(tags)) {}

void SplitEntries::chunk_ports() {
  slot_numbers = m.input("slot_numbers", chunks * slot_width, "where the chunks of the probe's line lie");
  chunk_valid = m.input("chunk_valid", chunks, "chunks that are valid");
  load = m.input("load", 1, "the request is a load");
  effective = widened ? m.input("effective", chunks, "chunks that the request looks for") : mask;
  pending_slots_out = m.output("pending_slots", slots, "slots of the chunks that the matched entry awaits");
  fill_numbers_out = m.output("fill_numbers", chunks * slot_width, "slots of the fill's entry");
  fill_at_out = m.output("fill_at", chunks * slots, "where the chunks of the fill go, one-hot");
  if (widened) fill_released_out = m.output("fill_released", slots, "filled slots without an MSHR target");
  replay_at_out = m.output("replay_at", chunks * slots, "slots of the MSHR target's chunks, one-hot");
  replay_released_out =
      m.output("replay_released", slots, "slots without another MSHR target after the answer");
}

void SplitEntries::chunk_registers() {
  const int n = entries_n;
  slot_q = m.data_reg("slot_q", n * chunks * slot_width, "slot of each of its chunks");
  waits_register();
  if (widened) spent_q = m.reg("spent_q", n, 0, "the entry that a fill freed in the cycle before");
}

void SplitEntries::match_chunks(List& list) {
  match_slots = gathered(list, "match_slots", slot_q, chunks * slot_width, "slots of its chunks");
  HoldingEntries::match_chunks(list);
}

// The slots of the entry that fill_entry names: this begins the longest path. First in groups of four by the
// low bits of the number, and beside it the group by the others: so no bit drives more than it must.
Expr SplitEntries::slots_of_named() {
  const int row = chunks * slot_width, low_bits = std::min(2, entry_width), size = 1 << low_bits;
  if (entry_width == 0) return slot_q;
  const int number = (entries_n + size - 1) / size;
  const Expr place = one_hot_of(m, "named_place", fill_entry.slice(low_bits - 1, 0), size,
                                "position of the named entry among four");
  const Expr of_four = m.wire("slots_of_four", number * row, "slots of that entry of each four");
  m.comb("By the low bits of the number.", [&] {
    m.set(of_four, lit(number * row, 0));
    m.loop("of_four", entries_n, [&](const Expr& e) {
      const Expr four = number > 1 ? of_four.part_below(e.slice(entry_width - 1, low_bits), row) : of_four;
      const Expr here = place.at(e.slice(low_bits - 1, 0));
      m.set(four, four | (slot_q.part(e, row) & replicate(row, here)));
    });
  });
  if (number == 1) return of_four;
  const Expr four = one_hot_of(m, "named_four", fill_entry.slice(entry_width - 1, low_bits), number,
                               "the named entry's four");
  const Expr out = m.wire("filled_slots", row, "slots of the chunks of the fill's entry");
  m.comb("By the others.", [&] {
    m.set(out, lit(row, 0));
    m.loop("four", number,
           [&](const Expr& g) { m.set(out, out | (of_four.part(g, row) & replicate(row, four.at(g)))); });
  });
  return out;
}

void SplitEntries::fill_places(const Expr& named) {
  filled_slots = slots_of_named();
  m.assign(fill_numbers_out, filled_slots);
  if (widened) {
    List list;
    const Expr waits =
        gathered(list, "filled_waits", waits_q, chunks * count_width, "loads that wait for each chunk");
    filled_pending = gathered(list, "filled_pending", pending_q, chunks, "chunks on their way to it");
    filled_count = gathered(list, "filled_count", target_count_now(m, count_widths(), counts_of), count_width,
                            "loads that wait in it");
    gather("Of the entry that a fill comes to.", "of_fill", rtl::Condition::always(), named, list);
    filled_waits = m.let("filled_waits_now", mux(answered_q & rtl::any(named & last_own), last_waits, waits),
                         "waits of the fill's entry without the MSHR target that was answered");
  }
  const Expr arrives = m.let("arrives", fill_mask & replicate(chunks, fill), "chunks that a fill brings");
  m.assign(fill_at_out,
           decoded_slots(m, "fill_slot", filled_slots, arrives, slots, "where each goes, one-hot"));
  const Expr awaited = m.let("awaited", entry_pending & effective, "chunks of the probe's on their way");
  const Expr at =
      decoded_slots(m, "pending_slot", match_slots, awaited, slots, "where each will lie, one-hot");
  m.assign(pending_slots_out, slots_together(m, "pending_sum", at, chunks, "all their slots"));
}

void SplitEntries::replay_chunks(List& list) {
  replay_slots = m.data_reg("replay_slots_q", chunks * slot_width, "slots of its chunks");
  HoldingEntries::replay_chunks(list);
}

void SplitEntries::next_chunks() { next_slots = of_next("slots", slot_q, "slots of its chunks"); }

// Slots for which the MSHR target on offer is the last. A load that joins it in this cycle and wants one of
// them finds it valid, and what a load finds so stays busy in spite of any release.
void SplitEntries::release_chunks() {
  const Expr offered = m.let("offered", replay_mask_out & replicate(chunks, replay_valid_q),
                             "chunks of the MSHR target on offer");
  const Expr at = decoded_slots(m, "replay_slot", replay_slots, offered, slots, "where each lies, one-hot");
  m.assign(replay_at_out, at);
  const Expr last = last_for();
  const Expr slots_left =
      slots_of_mask(m, "replay_sum", at, last, "slots of those chunks, if the MSHR target asks for them");
  m.assign(replay_released_out, slots_left & replicate(slots, replay_granted));
  if (widened) wakes();
}

// Coarse accesses also fetch what nobody waits for: then a fill may free slots or the entry, and a load may
// wait for nothing that is on its way.
void SplitEntries::wakes() {
  fills_own = m.let("fills_own", rtl::any(filled & own), "the fill comes to the entry in the replay stage");
  fill_joined =
      m.let("fill_joined", merge & rtl::any(match & filled), "the probe's load joins the entry of the fill");
  const Expr unwanted = m.wire("unwanted", chunks, "chunks of the fill's entry that nobody waits for");
  m.comb("Chunks without an MSHR target.", [&] {
    m.loop("chunk", chunks, [&](const Expr& c) {
      m.set(unwanted.at(c), ~(rtl::any(filled_waits.part(c, count_width)) | (fill_joined & mask.at(c))));
    });
  });
  m.assign(fill_released_out,
           slots_of_mask(m, "fill_sum", fill_at_out, unwanted, "slots that the fill leaves to nobody"));
  const Expr emptied = m.let("emptied", fills_own & replay_granted & last_target,
                             "the last MSHR target of the fill's entry is answered");
  const Expr waited = m.let("waited", fill_joined | (rtl::any(filled_count) & ~emptied),
                            "a load waits in the fill's entry after this cycle");
  const Expr complete =
      m.let("complete", fill & ~rtl::any(filled_pending & ~fill_mask), "the last chunks of the entry come");
  m.clocked("Entries that a fill frees.",
            [&] { m.set(*spent_q, filled & replicate(entries_n, complete & ~waited)); });
  ends = m.let("ends", ~rtl::any(replay_pending & ~(fill_mask & replicate(chunks, fills_own))),
               "nothing is on its way to the replay's entry after this cycle");
  const Expr at_once = m.let("at_once", joins & ~rtl::any(mask & (entry_pending | missed)),
                             "all that the probe's load asks for is there");
  woken = m.let("woken",
                (filled & replicate(entries_n, waited)) |
                    ((created | (match & replicate(entries_n, merge))) & replicate(entries_n, at_once)),
                "entries to look at");
}

void SplitEntries::place_changes() {
  const int slot_row = chunks * slot_width;
  const Expr known = m.let("known", chunk_valid | missed, "chunks whose slot the probe knows");
  change_wires();
  const Expr places = m.wire("new_slots", slot_row, "slots of the chunks of the probe's line");
  m.comb("Counts one more and one less.", [&] {
    m.loop("chunk", chunks, [&](const Expr& c) {
      change(c);
      m.set(places.part(c, slot_width),
            mux(known.at(c), slot_numbers.part(c, slot_width), match_slots.part(c, slot_width)));
    });
  });
  change_registers();
  // Written before it is known that the load leaves. In a free entry nobody reads it; in the one that
  // matched, a chunk that is waited for is either on its way or valid in the slot that it has.
  const Expr may_join = m.let("may_join", match & replicate(entries_n, matches & load & ~poisoned_out),
                              "the entry that it may wait in");
  m.clocked("Slots of the chunks.", [&] {
    m.loop("slots_of", entries_n, [&](const Expr& e) {
      m.when(free_firsts.at(e) | may_join.at(e), [&] { m.set(slot_q.part(e, slot_row), places); });
    });
  });
  const auto now = [&](const Expr& entry_bits, const Expr& slots) {
    return mux(rtl::any(may_join & entry_bits), places, slots);
  };
  const Expr next =
      m.let("next_slots_now", now(next_bits, next_slots), "slots of the next entry after this cycle");
  const Expr kept =
      m.let("replay_slots_now", now(own, replay_slots), "slots of the replay stage's MSHR target");
  m.clocked("Slots of the entry that is looked at.", [&] { m.set(replay_slots, mux(takes, next, kept)); });
}

void SplitEntries::places_shown() {
  waits_shown();
  m.observe("slot", slot_q, {{"entry", entries_n}, {"chunk", chunks}});
}

}  // namespace hw
