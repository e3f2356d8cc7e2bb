// Changes of the slots' state in split tags (TSC paper, section 3).
#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/tags/split_slots.h"
#include "hw/tags/split_tag_builder.h"
#include "hw/tags/split_tag_store.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::replicate;

namespace {

Expr numbered_set(const Expr& loop, int bits) { return loop.slice(bits - 1, 0); }

}  // namespace

// A store clears all chunks of its line, also those that a fill brings in this cycle.
void SplitTagStore::valid_changes() {
  m.section("Changes.");
  const std::string line_doc = "slots that a store clears";
  const Expr line = mask_scope ? slots_of_mask(m, "line_slots", holds_q,
                                               m.let("cleared_chunks", mask | replicate(chunks, entry_match),
                                                     "chunks that a store makes invalid"),
                                               line_doc)
                               : slots_together(m, "line_slots", holds_q, chunks, line_doc);
  const Expr clears = m.let("clears", allocate | invalidate, "the probe clears valid bits");
  const Expr cleared = m.let("cleared", rtl::mux(allocate, gone, line), "those of these slots");
  const auto filled_if = [&](const Expr& here) { return fill_slots & replicate(slots, fill & here); };
  const Expr after =
      m.let("row_valid", (valid | filled_if(fill_set == probe_set)) & ~(cleared & replicate(slots, clears)),
            "the probe's set after this cycle");
  m.clocked("Valid slots: a flush wins over a probe, a probe over a fill.", [&] {
    m.when(fill | clears | flush, [&] {
      m.loop("set_at", sets, [&](const Expr& i) {
        const Expr at_fill = fill & (fill_set == numbered_set(i, set_bits));
        const Expr at_probe = clears & (probe_set == numbered_set(i, set_bits));
        m.when(at_fill | at_probe | flush, [&] {
          m.set(valid_q.part(i, slots),
                (valid_q.part(i, slots) | (fill_slots & replicate(slots, at_fill))) &
                    ~((cleared & replicate(slots, at_probe)) | replicate(slots, flush)));
        });
      });
    });
  });
  m.clocked("Valid slots of the probe's set.", [&] {
    m.set(valid, after & ~replicate(slots, flush));
    m.when(enter & ~same,
           [&] { m.set(valid, valid_q.part(enter_set, slots) | filled_if(fill_set == enter_set)); });
  });
  if (p.counters)
    m.assign(evicted_out, ones_of(m, "displaced_number",
                                  m.let("lost", valid & gone & replicate(slots, allocate),
                                        "valid slots that are displaced"),
                                  "how many"));
}

void SplitTagStore::busy_changes() {
  const auto released = [&](const std::function<Expr(const Expr&)>& here) {
    const Expr by_replay = replay_released & replicate(slots, here(replay_set));
    return widened ? by_replay | (fill_released & replicate(slots, here(fill_set))) : by_replay;
  };
  const Expr held = slots_of_mask(m, "held", found_out, mask, "valid slots that the load asks for");
  const Expr taken =
      m.let("taken", (new_slots & replicate(slots, allocate)) | (held & replicate(slots, waits)),
            "slots that become busy");
  const Expr after =
      m.let("row_busy", (busy & ~released([&](const Expr& s) { return s == probe_set; })) | taken,
            "the probe's set after this cycle");
  Expr changes = waits | rtl::any(replay_released);
  if (widened) changes = changes | rtl::any(fill_released);
  m.clocked("Busy slots.", [&] {
    m.when(changes, [&] {
      m.loop("busy_at", sets, [&](const Expr& i) {
        const Expr number = numbered_set(i, set_bits);
        Expr here = (waits & (probe_set == number)) | (replay_set == number);
        if (widened) here = here | (fill_set == number);
        m.when(here, [&] {
          m.set(busy_q.part(i, slots),
                (busy_q.part(i, slots) & ~released([&](const Expr& s) { return s == number; })) |
                    (taken & replicate(slots, probe_set == number)));
        });
      });
    });
  });
  m.clocked("Busy slots of the probe's set.", [&] {
    m.set(busy, after);
    m.when(enter & ~same, [&] {
      m.set(busy, busy_q.part(enter_set, slots) & ~released([&](const Expr& s) { return s == enter_set; }));
    });
  });
}

void SplitTagStore::use_changes() {
  const Expr marked = m.let("marked", used | kept | pending_slots | new_slots, "with the chunks of the load");
  const Expr after =
      m.let("used_after", marked & ~replicate(slots, rtl::all(marked)), "when all are set, all are cleared");
  m.clocked("Use bits.", [&] { m.when(touch, [&] { m.set(nru_q.part(probe_set, slots), after); }); });
  m.clocked("Use bits of the probe's set.", [&] {
    m.when(touch, [&] { m.set(used, after); });
    m.when(enter & ~same, [&] { m.set(used, nru_q.part(enter_set, slots)); });
  });
}

rtl::Module split_tag_store(const L1dParams& p, int tag_bits, const std::string& name) {
  return SplitTagStore(p, tag_bits, name).run();
}

}  // namespace hw
