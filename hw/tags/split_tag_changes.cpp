// Changes of the slots' state in split tags (TSC paper, section 3).
#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/tags/split_slots.h"
#include "hw/tags/split_tag_builder.h"
#include "hw/tags/split_tag_store.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

// A store clears all chunks of its line, also chunks that a fill brings in this cycle.
void SplitTagStore::valid_changes() {
  m.section("Changes.");
  const std::string line_doc = "slots that a store clears";
  const Expr line = mask_scope ? slots_of_mask(m, "line_slots", holds_q,
                                               m.let("cleared_chunks", mask | replicate(chunks, entry_match),
                                                     "chunks that a store makes invalid"),
                                               line_doc)
                               : slots_together(m, "line_slots", holds_q, chunks, line_doc);
  const Expr clears = m.let("clears", allocate | invalidate, "the probe clears valid bits");
  const Expr cleared = m.let("cleared", mux(allocate, gone, line), "slots whose valid bits are cleared");
  valid.change(m, late, {enter, ~same},
               {.what = "slots",
                .fill = fill,
                .fill_set = fill_set,
                .fill_bits = fill_slots,
                .set = probe_set,
                .enter_set = enter_set,
                .cleared = cleared & replicate(slots, clears),
                .flush = flush,
                .drop = drop,
                .drop_set = drop_set,
                .drop_bits = drop_slots});
  if (p.counters)
    m.assign(evicted_out, ones_of(m, "displaced_number",
                                  m.let("lost", valid.row & gone & replicate(slots, allocate),
                                        "valid slots that are displaced"),
                                  "how many"));
}

// Whether the MSHR target on offer is answered is known last in a cycle: the slots that are released then
// leave the array a cycle later.
void SplitTagStore::busy_changes() {
  const auto released = [&](const Expr& here_replay, const Expr& here_fill) {
    const Expr by_replay = replay_released & replicate(slots, here_replay);
    return widened ? by_replay | (fill_released & replicate(slots, here_fill)) : by_replay;
  };
  const auto released_in = [&](const Expr& set) { return released(replay_set == set, fill_set == set); };
  const auto left_in = [&](const Expr& set) {
    const Expr by_replay = released_q & replicate(slots, released_set_q == set);
    return widened ? by_replay | (fill_released_q & replicate(slots, valid.filled_set == set)) : by_replay;
  };
  const Expr taken =
      m.let("taken", (new_slots & replicate(slots, allocate)) | (asked_out & replicate(slots, waits)),
            "slots that become busy");
  const Expr after =
      m.let("row_busy", (busy.row & ~released_in(probe_set)) | taken, "the probe's set after this cycle");
  m.clocked("Busy slots: what the probe left of its set holds all that was released there.", [&] {
    set_row(m, "released_set", busy.array, released_set_q, slots,
            [&](const Expr& now) { return now & ~released_q; });
    if (widened)
      set_row(m, "fill_released_set", busy.array, valid.filled_set, slots,
              [&](const Expr& now) { return now & ~left_in(valid.filled_set); });
    busy.take_over(m, late, "taken_set");
  });
  m.clocked(
      "Slots that leave the array a cycle later: whether the MSHR target on offer is answered is known last.",
      [&] {
        m.set(released_q, replay_released);
        if (widened) m.set(fill_released_q, fill_released);
      });
  m.clocked("Busy slots that the array takes over.", [&] {
    m.set(busy.late, after);
    m.set(released_set_q, replay_set);
  });
  const Expr stored = m.let("stored_busy", busy.of(enter_set) & ~left_in(enter_set),
                            "the next request's set, but for what the probe left there");
  const Expr coming = m.let("coming_busy", busy.coming(late, stored) & ~released_in(enter_set),
                            "the next request's set after this cycle");
  busy.turn(m, "Busy slots of the probe's set.", {enter, ~same}, coming, after, after);
}

void SplitTagStore::use_changes() {
  const Expr marked =
      m.let("marked", used.row | kept | pending_slots | new_slots, "used slots with the load's chunks");
  const Expr after =
      m.let("used_after", marked & ~replicate(slots, rtl::all(marked)), "when all are set, all are cleared");
  m.clocked("Use bits.", [&] { used.take_over(m, late, "used_set"); });
  m.clocked("Use bits that the array takes over.",
            [&] { m.set(used.late, mux(invalidate, used.row, after)); });
  const Expr coming = m.let("coming_used", used.coming(late, used.of(enter_set)), "of the next set");
  const Expr left = m.let("used_now", mux(touch, after, used.row), "of the probe's set after this cycle");
  used.turn(m, "Use bits of the probe's set.", {enter, ~same}, coming, left, left);
  remember(m, late, probe_set, touch | invalidate);
}

// What the cycle before changed is on its way into the arrays.
void SplitTagStore::shown() {
  const Expr set = m.looked_at("set", set_bits);
  const auto if_in = [&](const Expr& bits, const Expr& here) { return bits & replicate(slots, here); };
  m.observe("valid", valid.now(late, set, valid.stored(set)), {{"slot", slots}});
  Expr left = if_in(released_q, released_set_q == set);
  if (widened) left = left | if_in(fill_released_q, valid.filled_set == set);
  m.observe("busy", busy.now(late, set, busy.of(set) & ~left), {{"slot", slots}});
  m.observe("nru", used.now(late, set, used.of(set)), {{"slot", slots}});
  if (by_chunk) m.observe("lfsr", lfsr_q);
  std::vector<Expr> shared, own, positions;
  for (int g = groups - 1; shared_bits > 0 && g >= 0; --g)
    shared.push_back(m.stored(fmt::format("shared_tags[{}].shared", g), set));
  for (int s = slots - 1; private_bits + place_bits > 0 && s >= 0; --s) {
    const Expr row = m.stored(fmt::format("slots[{}].slot", s), set);
    if (private_bits) own.push_back(row.slice(row.width() - 1, place_bits));
    if (place_bits) positions.push_back(row.slice(place_bits - 1, 0));
  }
  if (!shared.empty()) m.observe("shared_tag", rtl::cat(shared), {{"group", groups}});
  if (!own.empty()) m.observe("private_tag", rtl::cat(own), {{"slot", slots}});
  if (!positions.empty()) m.observe("position", rtl::cat(positions), {{"slot", slots}});
}

rtl::Module split_tag_store(const TagParams& p, int tag_bits, const std::string& name) {
  return SplitTagStore(p, tag_bits, name).run();
}

}  // namespace hw
