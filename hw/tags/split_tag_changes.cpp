#include "hw/tags/split_tag_changes.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "hw/prim/lfsr.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/split_places.h"
#include "hw/tags/split_slots.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

namespace {

// What an array holds of the next request's set. Selected one-hot, since a multiplexer by number takes half
// as many gates again.
Expr next_row_of(SplitFrame& f, const SplitState& state, const std::string& name, const Expr& array) {
  if (!state.next_set) return array;
  rtl::Module& m = f.m;
  const Expr row = m.wire(name, f.slots, "row of the next request's set, as the array has it");
  m.comb("Of the next request's set.", [&] {
    m.set(row, lit(f.slots, 0));
    m.loop(name + "_at", f.sets, [&](const Expr& s) {
      m.set(row, row | (array.part(s, f.slots) & f.of_slots(state.next_set->at(s))));
    });
  });
  return row;
}

}  // namespace

Expr find_slots(SplitFrame& f, const SplitState& state, const Expr& places_q, const Expr& missed,
                const SplitResult& result) {
  rtl::Module& m = f.m;
  const int slots = f.slots;
  m.section("Lookup.");
  const Expr found = m.let("found_slots", state.compared.holds & rtl::replicate(f.chunks, state.readable),
                           "valid slots of the line, by chunk");
  m.assign(result.found, found);
  m.comb("Valid chunks of the line.", [&] {
    m.loop("chunk", f.chunks,
           [&](const Expr& c) { m.set(result.chunk_valid.at(c), rtl::any(found.part(c, slots))); });
  });
  m.assign(result.asked, state.readable & state.compared.asked);
  const Expr kept =
      m.let("kept", state.readable & state.compared.sought, "slots of chunks that the load finds");
  const Expr where = m.wire("where", f.chunks * slots, "slot of each chunk, found or planned");
  m.comb("Found or planned.", [&] {
    m.loop("chunk", f.chunks, [&](const Expr& c) {
      m.set(where.part(c, slots),
            found.part(c, slots) | (places_q.part(c, slots) & f.of_slots(missed.at(c))));
    });
  });
  for (int c = 0; c < f.chunks; ++c) {
    const Expr slot = m.let(fmt::format("slot_of{}", c), slots_of_chunk(where, c, slots), "one-hot");
    m.assign(slots_of_chunk(result.numbers, c, slot_bits(f.p)), number_of(slot));
  }
  return kept;
}

std::optional<Expr> plan_slots(SplitFrame& f, const SplitState& state, const SplitPlan& plan,
                               const Expr& kept, const Expr& missed) {
  rtl::Module& m = f.m;
  m.section("The plan for the next cycle.");
  const Expr places = m.wire("places", f.chunks * f.slots, "slot of each missed chunk"),
             enough = m.wire("places_enough", 1, "each has one");
  std::vector<std::pair<std::string, Expr>> pins{{"slot_valid", state.readable},
                                                 {"slot_busy", state.busy.row},
                                                 {"slot_used", state.used.row},
                                                 {"slot_kept", kept},
                                                 {"same_tag", state.compared.shared},
                                                 {"missed", missed},
                                                 {"places", places},
                                                 {"enough", enough}};
  std::optional<Expr> start;
  if (f.by_chunk) {
    start = m.wire("start", slot_bits(f.p), "where the search for victims begins");
    pins.emplace_back("start", *start);
  }
  m.instance(split_places(f.p, m.name() + "_places"), "plan", pins, "Where missed chunks would go.");
  m.clocked("The plan.", [&] {
    m.set(plan.places_q, places);
    m.set(plan.enough_q, enough);
  });
  return start;
}

// The remainder by the number of slots is worked out beside the LFSR, in the cycle before.
Expr random_start(SplitFrame& f, const Expr& start, const Expr& valid_row, const Expr& new_slots,
                  const Expr& allocate) {
  rtl::Module& m = f.m;
  const int bits = slot_bits(f.p);
  const Expr lfsr_q = m.reg("lfsr_q", 16, lfsr_seed, "steps when a victim was taken");
  const Expr next = m.let("lfsr_after", lfsr_next(lfsr_q), "next state of the register");
  const Expr step = m.let("takes_victim", allocate & rtl::any(new_slots & valid_row), "a victim is taken");
  const Expr after = remainder_of(m, next, f.slots);
  std::optional<Expr> start_q;  // where the low bits of the LFSR are none
  if (1 << bits != f.slots)
    start_q = m.reg("start_q", bits, lfsr_seed % static_cast<std::uint64_t>(f.slots),
                    "lfsr_q modulo the number of slots");
  m.assign(start, start_q ? *start_q : lfsr_q.slice(bits - 1, 0));
  m.clocked("Step.", [&] {
    m.when(step, [&] {
      m.set(lfsr_q, next);
      if (start_q) m.set(*start_q, after);
    });
  });
  return lfsr_q;
}

// A slot that an MSHR entry has goes once that has let go of it; until then the request waits.
std::optional<Expr> wrong_slots(SplitFrame& f, const SplitPorts& ports, const SplitState& state) {
  const auto& wrong = state.compared.wrong;
  if (!wrong) return {};
  rtl::Module& m = f.m;
  m.section("Wrong tags.");
  const Expr& present = ports.present.value();
  const Expr emptied =
      m.let("emptied_slots", state.valid.row & ~state.busy.row & *wrong & f.of_slots(present),
            "slots that go, since their tag is wrong");
  m.assign(*ports.result.tags_wrong, rtl::any(emptied));
  m.assign(*ports.result.waits, present & rtl::any(state.busy.row & *wrong));
  return emptied;
}

// A store clears all chunks of its line, also chunks that a fill brings in this cycle.
void change_valid_slots(SplitFrame& f, const SplitPorts& ports, const SplitState& state,
                        const Expr& displaced, const std::optional<Expr>& emptied) {
  rtl::Module& m = f.m;
  const auto& store = ports.probe.store;
  const Expr &allocate = ports.leave.allocate, &holds = state.compared.holds;
  m.section("Changes.");
  const std::string line_doc = "slots that a store clears";
  const Expr line =
      store
          ? slots_of_mask(m, "line_slots", holds,
                          m.let("cleared_chunks", store->mask | rtl::replicate(f.chunks, store->entry_match),
                                "chunks that a store makes invalid"),
                          line_doc)
          : slots_together(m, "line_slots", holds, f.chunks, line_doc);
  const Expr clears = m.let("clears", allocate | ports.leave.invalidate, "the probe clears valid bits");
  const Expr cleared = m.let("cleared", mux(allocate, displaced, line), "slots whose valid bits are cleared");
  ValidChanges changes{
      .what = "slots",
      .fill = ports.fill.valid,
      .fill_set = ports.fill.set,
      .fill_bits = ports.fill.slots,
      .set = ports.probe.set,
      .enter_set = ports.enter.set,
      .cleared = emptied ? (cleared & f.of_slots(clears)) | *emptied : cleared & f.of_slots(clears),
      .flush = m.let("wipes", ports.flush | state.starts, "nothing stays valid")};
  m.clocked("The first cycle after a reset.", [&] { m.set(state.starts, lit(1, 0)); });
  changes.next_row = next_row_of(f, state, "array_valid", state.valid.array);
  if (ports.drop) changes.drop = DroppedLine{ports.drop->valid, ports.drop->set, ports.drop->slots};
  state.valid.change(m, state.late, state.turnover(ports.enter.valid), changes);
  if (!ports.result.evicted) return;
  const Expr lost =
      m.let("lost", state.valid.row & displaced & f.of_slots(allocate), "valid slots that are displaced");
  m.assign(*ports.result.evicted, ones_of(m, "displaced_number", lost, "how many"));
}

// Whether the MSHR target on offer is answered is known last in a cycle: the slots that are released then
// leave the array a cycle later.
void change_busy_slots(SplitFrame& f, const SplitPorts& ports, const SplitState& state,
                       const Expr& new_slots) {
  rtl::Module& m = f.m;
  const SetState& busy = state.busy;
  const LateRow& late = state.late;
  const ReleasedSlots& left = state.released;
  const SplitFill& fill = ports.fill;
  const Expr& filled_set = state.valid.filled_set;
  const auto released_in = [&](const Expr& set) {
    const Expr by_replay = ports.replay.released & f.of_slots(ports.replay.set == set);
    return fill.released ? by_replay | (*fill.released & f.of_slots(fill.set == set)) : by_replay;
  };
  const auto left_in = [&](const Expr& set) {
    const Expr by_replay = left.slots & f.of_slots(left.set == set);
    return left.of_fill ? by_replay | (*left.of_fill & f.of_slots(filled_set == set)) : by_replay;
  };
  const Expr allocated = new_slots & f.of_slots(ports.leave.allocate),
             waited = ports.result.asked & f.of_slots(ports.leave.waits);
  const Expr taken = m.let("taken", allocated | waited, "slots that become busy");
  const Expr after = m.let("row_busy", (busy.row & ~released_in(ports.probe.set)) | taken,
                           "the probe's set after this cycle");
  const Expr starts = f.of_slots(state.starts);
  m.clocked("Busy slots: what the probe took is busy, even if it was released.", [&] {
    m.loop("busy_set", f.sets, [&](const Expr& i) {
      const Expr place = busy.array.part(i, f.slots), number = i.slice(f.set_bits - 1, 0);
      const Expr became = state.late_taken & f.of_slots(late.changed & (late.set == number));
      const Expr by_replay = (left.slots | starts) & (f.of_slots(left.set == number) | starts);
      const Expr goes =
          left.of_fill ? by_replay | (*left.of_fill & f.of_slots(filled_set == number)) : by_replay;
      m.set(place, (place & ~goes) | became);
    });
  });
  m.clocked(
      "Slots that leave the array a cycle later: whether the MSHR target on offer is answered is known last.",
      [&] {
        m.set(left.slots, ports.replay.released);
        if (left.of_fill) m.set(*left.of_fill, fill.released.value());
      });
  m.clocked("Busy slots that the array takes over.", [&] {
    m.set(busy.late, after);
    m.set(state.late_taken, taken);
    m.set(left.set, ports.replay.set);
  });
  const Expr& next = ports.enter.set;
  const Expr stored = m.let("stored_busy", next_row_of(f, state, "array_busy", busy.array) & ~left_in(next),
                            "the next request's set, but for what the probe left there");
  const Expr coming = m.let("coming_busy", busy.coming(late, stored) & ~released_in(next),
                            "the next request's set after this cycle");
  busy.turn(m, "Busy slots of the probe's set.", state.turnover(ports.enter.valid), coming, after, after);
}

void change_used_slots(SplitFrame& f, const SplitPorts& ports, const SplitState& state, const Expr& kept,
                       const Expr& new_slots) {
  rtl::Module& m = f.m;
  const SetState& used = state.used;
  const LateRow& late = state.late;
  const SplitLeave& leave = ports.leave;
  const Expr marked = m.let("marked", used.row | kept | ports.probe.pending_slots | new_slots,
                            "used slots with the load's chunks");
  const Expr after =
      m.let("used_after", marked & ~f.of_slots(rtl::all(marked)), "when all are set, all are cleared");
  const Expr row = m.let("used_row", used.late & ~f.of_slots(state.starts), "new row of a set");
  m.clocked("Use bits.", [&] {
    m.loop("used_set", f.sets, [&](const Expr& i) {
      const Expr of_probe = late.changed & (late.set == i.slice(f.set_bits - 1, 0));
      m.when(of_probe | state.starts, [&] { m.set(used.array.part(i, f.slots), row); });
    });
  });
  // With protected tags the array takes rows from requests that stay.
  const auto& tags_wrong = ports.result.tags_wrong;
  const Expr taken = tags_wrong ? mux(leave.touch, after, used.row) : mux(leave.invalidate, used.row, after);
  m.clocked("Use bits that the array takes over.", [&] { m.set(used.late, taken); });
  const Expr coming = m.let("coming_used", used.coming(late, next_row_of(f, state, "array_used", used.array)),
                            "of the next set");
  const Expr left =
      m.let("used_now", mux(leave.touch, after, used.row), "of the probe's set after this cycle");
  used.turn(m, "Use bits of the probe's set.", state.turnover(ports.enter.valid), coming, left, left);
  const Expr changes = leave.touch | leave.invalidate;
  remember(m, late, ports.probe.set, tags_wrong ? changes | *tags_wrong : changes);
}

// What the cycle before changed is on its way into the arrays.
void observe_slots(SplitFrame& f, const SplitState& state, const std::optional<Expr>& lfsr_q) {
  rtl::Module& m = f.m;
  const int slots = f.slots;
  const LateRow& late = state.late;
  const ReleasedSlots& released = state.released;
  const Expr set = m.looked_at("set", f.set_bits);
  const Expr cleared = ~f.of_slots(state.starts);
  m.observe("valid", state.valid.now(late, set, state.valid.stored(set)) & cleared, {{"slot", slots}});
  Expr left = released.slots & f.of_slots(released.set == set);
  if (released.of_fill) left = left | (*released.of_fill & f.of_slots(state.valid.filled_set == set));
  m.observe("busy", state.busy.now(late, set, state.busy.of(set) & ~left) & cleared, {{"slot", slots}});
  m.observe("nru", state.used.now(late, set, state.used.of(set)) & cleared, {{"slot", slots}});
  if (lfsr_q) m.observe("lfsr", *lfsr_q);
  std::vector<Expr> shared, own, positions;
  for (int g = f.groups - 1; f.shared_bits > 0 && g >= 0; --g)
    shared.push_back(m.stored(fmt::format("shared_tags[{}].shared", g), set).slice(f.shared_bits - 1, 0));
  for (int s = slots - 1; f.private_bits + f.place_bits > 0 && s >= 0; --s) {
    const Expr row = m.stored(fmt::format("slots[{}].slot", s), set);
    if (f.private_bits) own.push_back(row.slice(f.private_bits + f.place_bits - 1, f.place_bits));
    if (f.place_bits) positions.push_back(row.slice(f.place_bits - 1, 0));
  }
  if (!shared.empty()) m.observe("shared_tag", rtl::cat(shared), {{"group", f.groups}});
  if (!own.empty()) m.observe("private_tag", rtl::cat(own), {{"slot", slots}});
  if (!positions.empty()) m.observe("position", rtl::cat(positions), {{"slot", slots}});
}

}  // namespace hw
