// Slots in the MSHR file of split tags: where each chunk of a line lies, and how many loads wait for it, so
// that the slot is kept for them (TSC paper, section 3).
#include <fmt/format.h>

#include "hw/l1d/mshr_builder.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/split_slots.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void MshrBuilder::slot_ports() {
  const int slots = slots_of(p);
  slot_numbers = m.input("slot_numbers", chunks * slot_bits(p), "where the chunks of the probe's line lie");
  chunk_valid = m.input("chunk_valid", chunks, "those that are valid");
  effective = widened ? m.input("effective", chunks, "those that it looks for") : mask;
  pending_slots_out = m.output("pending_slots", slots, "slots of those that the entry that matched awaits");
  fill_at_out = m.output("fill_at", chunks * slots, "where the chunks of the fill go, one-hot");
  if (widened) fill_released_out = m.output("fill_released", slots, "those slots for which nobody waits");
  replay_at_out = m.output("replay_at", chunks * slots, "where the chunks of the waiter lie, one-hot");
  replay_released_out =
      m.output("replay_released", slots, "those for which nobody else waits, when it is answered");
}

void MshrBuilder::slot_state() {
  const int n = entries_n;
  slot_q = m.data_reg("slot_q", n * chunks * slot_bits(p), "slot of each of its chunks");
  waits_q = m.reg("waits_q", n * chunks * count_width, 0, "loads that wait for each of its chunks");
  if (widened) spent_q = m.reg("spent_q", n, 0, "the entry that a fill freed in the cycle before");
}

void MshrBuilder::slot_fills(const Expr& named) {
  const int slots = slots_of(p);
  std::vector<Gathered> list;
  filled_slots = gathered(list, "filled_slots", slot_q, chunks * slot_bits(p), "slots of its chunks");
  if (widened) {
    filled_waits =
        gathered(list, "filled_waits", waits_q, chunks * count_width, "loads that wait for each chunk");
    filled_pending = gathered(list, "filled_pending", pending_q, chunks, "chunks on their way to it");
    filled_count = gathered(list, "filled_count", count, count_width, "loads that wait in it");
  }
  gather("Of the entry that a fill comes to.", "of_fill", Expr{}, named, list);
  const Expr arrives = m.let("arrives", fill_mask & replicate(chunks, fill), "chunks that a fill brings");
  m.assign(fill_at_out,
           decoded_slots(m, "fill_slot", filled_slots, arrives, slots, "where each goes, one-hot"));
  const Expr awaited = m.let("awaited", entry_pending & effective, "chunks of the probe's on their way");
  const Expr at =
      decoded_slots(m, "pending_slot", match_slots, awaited, slots, "where each will lie, one-hot");
  m.assign(pending_slots_out, slots_together(m, "pending_sum", at, chunks, "all their slots"));
}

// Slots for which the waiter on offer is the last. A load that joins it in this cycle and wants one of them
// finds it valid, and what a load finds so stays busy whatever is released.
void MshrBuilder::slot_replay() {
  const int slots = slots_of(p);
  const Expr offered =
      m.let("offered", replay_mask_out & replicate(chunks, replay_valid_q), "chunks of the waiter on offer");
  const Expr at = decoded_slots(m, "replay_slot", replay_slots, offered, slots, "where each lies, one-hot");
  m.assign(replay_at_out, at);
  const Expr last = m.wire("last_for", chunks, "chunks that nobody waits for after it");
  m.comb("Chunks with one waiter.", [&] {
    m.loop("chunk", chunks, [&](const Expr& c) {
      m.set(last.at(c),
            replay_granted & offered.at(c) & (replay_waits.part(c, count_width) == lit(count_width, 1)));
    });
  });
  m.assign(replay_released_out, slots_of_mask(m, "replay_sum", at, last, "their slots"));
}

// Coarse accesses also fetch what nobody waits for: then a fill may free slots or the entry, and a load may
// wait for nothing that is on its way.
void MshrBuilder::slot_wakes() {
  fills_own = m.let("fills_own", rtl::any(filled & own), "the fill comes to the entry in the replay stage");
  fill_joined =
      m.let("fill_joined", merge & rtl::any(match & filled), "the probe's load joins the entry of the fill");
  const Expr unwanted = m.wire("unwanted", chunks, "chunks of the fill's entry that nobody waits for");
  m.comb("Chunks without a waiter.", [&] {
    m.loop("chunk", chunks, [&](const Expr& c) {
      m.set(unwanted.at(c), ~(rtl::any(filled_waits.part(c, count_width)) | (fill_joined & mask.at(c))));
    });
  });
  m.assign(fill_released_out,
           slots_of_mask(m, "fill_sum", fill_at_out, unwanted, "slots that the fill leaves to nobody"));
  const Expr emptied =
      m.let("emptied", fills_own & replay_granted & last_waiter, "its last waiter is answered");
  const Expr waited = m.let("waited", fill_joined | (rtl::any(filled_count) & ~emptied),
                            "a load waits in the fill's entry after this cycle");
  const Expr complete =
      m.let("complete", fill & ~rtl::any(filled_pending & ~fill_mask), "its last chunks come");
  m.clocked("Entries that a fill frees.",
            [&] { m.set(spent_q, filled & replicate(entries_n, complete & ~waited)); });
  ends = m.let("ends", ~rtl::any(replay_pending & ~(fill_mask & replicate(chunks, fills_own))),
               "nothing is on its way to the replay's entry after this cycle");
  const Expr at_once = m.let("at_once", joins & ~rtl::any(mask & (entry_pending | missed)),
                             "all that the probe's load asks for is there");
  woken = m.let("woken",
                (filled & replicate(entries_n, waited)) |
                    ((created | (match & replicate(entries_n, merge))) & replicate(entries_n, at_once)),
                "entries to look at");
}

void MshrBuilder::slot_changes() {
  const Expr joined =
      m.let("joined", created | (match & replicate(entries_n, merge)), "the entry that it waits in");
  const int row = chunks * count_width, slot_row = chunks * slot_bits(p), width = slot_bits(p);
  const Expr leaving = m.let("leaving", replay_mask_out & replicate(chunks, added & replay_granted),
                             "chunks of one that leaves it");
  const Expr known = m.let("known", chunk_valid | missed, "chunks whose slot the probe knows");
  const Expr more = m.wire("more_waits", row, "loads that wait for the chunks of the probe's line");
  const Expr fewer = m.wire("fewer_waits", row, "those of the replay's line without the one answered");
  const Expr places = m.wire("new_slots", slot_row, "slots of the chunks of the probe's line");
  m.comb("One more and one less.", [&] {
    m.loop("chunk", chunks, [&](const Expr& c) {
      m.set(more.part(c, count_width), match_waits.part(c, count_width) + rtl::zext(mask.at(c), count_width) -
                                           rtl::zext(leaving.at(c), count_width));
      m.set(fewer.part(c, count_width),
            replay_waits.part(c, count_width) - rtl::zext(replay_mask_out.at(c), count_width));
      m.set(places.part(c, width), mux(known.at(c), slot_numbers.part(c, width), match_slots.part(c, width)));
    });
  });
  const Expr answered = m.let("answered", replay_granted & ~added, "the replay's entry has one waiter less");
  m.clocked("Loads that wait for each chunk.", [&] {
    m.when(joins | replay_granted, [&] {
      m.loop("waits_of", entries_n, [&](const Expr& e) {
        m.when(joined.at(e), [&] { m.set(waits_q.part(e, row), more); });
        m.when(own.at(e) & answered, [&] { m.set(waits_q.part(e, row), fewer); });
      });
    });
  });
  m.clocked("Slots of the chunks.", [&] {
    m.when(joins, [&] {
      m.loop("slots_of", entries_n,
             [&](const Expr& e) { m.when(joined.at(e), [&] { m.set(slot_q.part(e, slot_row), places); }); });
    });
  });
}

}  // namespace hw
