#include "hw/tags/split_entry_slots.h"

#include <algorithm>

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

// The request: where the chunks of its line lie, and the entry that it matches.
struct SlotsRequest {
  Expr numbers, valid, load, missed, wanted;  // chunks that it fetches; that it looks for
  Expr match, poisoned, match_bits, match_pending, free_firsts;
};

struct SlotsFill {
  Expr valid;
  std::optional<Expr> entry;
  Expr mask;
  std::optional<Expr> unwanted;
};

struct SlotsReplay {
  Expr valid, bits, mask, granted, last_for;
  Expr takes, next_bits, next_slots;
};

struct SlotsOutputs {
  Expr of_entries, pending_slots, fill_numbers, fill_at;
  std::optional<Expr> fill_released;
  Expr replay_at, replay_released;
};

struct SlotsPorts {
  SlotsRequest request;
  SlotsFill fill;
  SlotsReplay replay;
  SlotsOutputs out;
};

struct SlotsPart : MshrPart {
  SlotsPart(SplitMshrTop& file, const SplitMshrPorts& ports, const MshrNets& nets, const SlotNets& slots,
            const HoldingNets& holding, const std::optional<FreeingNets>& freeing);

  const int slots, slot_width;
  const SlotsPorts ports;
};

SlotsReplay slots_replay(MshrPart& f, const MshrPorts& file, const ReplayNets& nets, const SlotNets& slots,
                         const HoldingNets& holding) {
  const Expr valid = *f.in(nets.valid);
  return {.valid = valid,
          .bits = f.entries > 1 ? f.in(nets.bits) : valid,
          .mask = f.in(file.load.mask),
          .granted = f.in(file.request.granted),
          .last_for = f.in(holding.last_for),
          .takes = f.in(slots.search.takes),
          .next_bits = f.in(slots.search.next_bits),
          .next_slots = f.in(slots.next)};
}

SlotsPorts slots_ports(MshrPart& f, const SplitMshrPorts& all, const MshrNets& nets, const SlotNets& slots,
                       const HoldingNets& holding, const std::optional<FreeingNets>& freeing) {
  const MshrPorts& file = all.file;
  const SplitPlacePorts& place = all.place;
  return {.request = {.numbers = f.in(place.numbers),
                      .valid = f.in(place.valid),
                      .load = f.in(place.load),
                      .missed = f.in(*file.request.missed),
                      .wanted = f.in(place.effective.value_or(file.request.mask)),
                      .match = f.in(file.lookup.match),
                      .poisoned = f.in(file.lookup.poisoned),
                      .match_bits = f.in(nets.match.bits),
                      .match_pending = f.in(*file.lookup.pending),
                      .free_firsts = f.in(nets.entries.free_firsts)},
          .fill = {.valid = f.in(file.request.fill.valid),
                   .entry = f.in(file.request.fill.entry),
                   .mask = f.in(*file.request.fill.mask),
                   .unwanted = freeing ? std::optional(f.in(freeing->unwanted)) : std::nullopt},
          .replay = slots_replay(f, file, nets.replay, slots, holding),
          .out = {.of_entries = f.out(slots.of_entries),
                  .pending_slots = f.out(place.pending_slots),
                  .fill_numbers = f.out(place.fill_numbers),
                  .fill_at = f.out(place.fill_at),
                  .fill_released = f.out(place.fill_released),
                  .replay_at = f.out(place.replay_at),
                  .replay_released = f.out(place.replay_released)}};
}

SlotsPart::SlotsPart(SplitMshrTop& file, const SplitMshrPorts& all, const MshrNets& nets, const SlotNets& of,
                     const HoldingNets& holding, const std::optional<FreeingNets>& freeing)
    : MshrPart(file, "slots", "Slots of the chunks of each entry's line, in an MSHR file beside split tags."),
      slots(file.slots),
      slot_width(file.slot_width),
      ports(slots_ports(*this, all, nets, of, holding, freeing)) {}

// Slots of the chunks of the matched entry; those of the chunks that the request looks for and that are on
// their way.
Expr match_slots(SlotsPart& f, const Expr& slot_q) {
  rtl::Module& m = f.m;
  const SlotsRequest& request = f.ports.request;
  m.section("The matched entry.");
  EntryValues values(f);
  const Expr slots =
      values.add("match_slots", slot_q, f.chunks * f.slot_width, "slots of the matched entry's chunks");
  values.gather("Of the entry that matched.", "of_match", rtl::Condition::always(), request.match_bits);
  const Expr awaited =
      m.let("awaited", request.match_pending & request.wanted, "chunks of the request's on their way");
  const Expr at = decoded_slots(m, "pending_slot", f.own_module("slot"), slots, awaited, f.slots,
                                "where each will lie, one-hot");
  m.assign(f.ports.out.pending_slots, slots_together(m, "pending_sum", at, f.chunks, "all their slots"));
  return slots;
}

// The slots of the entry that fill_entry names: this begins the longest path. First in groups of four by the
// low bits of the number, and beside it the group by the others: so no bit drives more than it must.
Expr slots_of_named(SlotsPart& f, const Expr& slot_q) {
  const std::optional<Expr>& entry = f.ports.fill.entry;
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

void fill_slots(SlotsPart& f, const Expr& slot_q) {
  rtl::Module& m = f.m;
  const SlotsFill& fill = f.ports.fill;
  const SlotsOutputs& out = f.ports.out;
  m.section("The entry of a fill.");
  const Expr slots = slots_of_named(f, slot_q);
  m.assign(out.fill_numbers, slots);
  const Expr arrives =
      m.let("arrives", fill.mask & replicate(f.chunks, fill.valid), "chunks that a fill brings");
  m.assign(out.fill_at, decoded_slots(m, "fill_slot", f.own_module("slot"), slots, arrives, f.slots,
                                      "where each goes, one-hot"));
  if (out.fill_released)
    m.assign(*out.fill_released, slots_of_mask(m, "fill_sum", out.fill_at, *fill.unwanted,
                                               "slots that the fill leaves to nobody"));
}

// Slots for which the MSHR target on offer is the last. A load that joins it in this cycle and wants one of
// them finds it valid, and what a load finds so stays busy in spite of any release.
void release_slots(SlotsPart& f, const Expr& replay_slots_q) {
  rtl::Module& m = f.m;
  const SlotsReplay& replay = f.ports.replay;
  m.section("The MSHR target on offer.");
  const Expr offered =
      m.let("offered", replay.mask & replicate(f.chunks, replay.valid), "chunks of the MSHR target on offer");
  const Expr at = decoded_slots(m, "replay_slot", f.own_module("slot"), replay_slots_q, offered, f.slots,
                                "where each lies, one-hot");
  m.assign(f.ports.out.replay_at, at);
  const Expr left = slots_of_mask(m, "replay_sum", at, replay.last_for,
                                  "slots of chunks that it alone waits for, if it asks for them");
  m.assign(f.ports.out.replay_released, left & replicate(f.slots, replay.granted));
}

// Slots of the chunks of the request's line.
Expr new_slots(SlotsPart& f, const Expr& of_match) {
  rtl::Module& m = f.m;
  const SlotsRequest& request = f.ports.request;
  const int bits = f.slot_width;
  const Expr known = m.let("known", request.valid | request.missed, "chunks whose slot the tag lookup knows");
  const Expr slots = m.wire("new_slots", f.chunks * bits, "slots of the chunks of the request's line");
  m.comb("From the tag lookup, or from the matched entry.", [&] {
    m.loop("chunk", f.chunks, [&](const Expr& c) {
      m.set(slots.part(c, bits), mux(known.at(c), request.numbers.part(c, bits), of_match.part(c, bits)));
    });
  });
  return slots;
}

// Slots are written before it is known that the load leaves. In a free entry nobody reads it; in the one that
// matched, a chunk that is waited for is either on its way or valid in the slot that it has.
void change_slots(SlotsPart& f, const Expr& slot_q, const Expr& replay_slots_q, const Expr& of_match) {
  rtl::Module& m = f.m;
  const SlotsRequest& request = f.ports.request;
  const SlotsReplay& replay = f.ports.replay;
  m.section("Changes.");
  const Expr slots = new_slots(f, of_match);
  const int row = slots.width();
  const Expr may_join =
      m.let("may_join", request.match_bits & f.each(request.match & request.load & ~request.poisoned),
            "the entry that the load may wait in");
  m.clocked("Slots of the chunks.", [&] {
    m.loop("slots_of", f.entries, [&](const Expr& e) {
      m.when(request.free_firsts.at(e) | may_join.at(e), [&] { m.set(slot_q.part(e, row), slots); });
    });
  });
  const auto now = [&](const Expr& entry_bits, const Expr& kept) {
    return mux(rtl::any(may_join & entry_bits), slots, kept);
  };
  const Expr next = m.let("next_slots_now", now(replay.next_bits, replay.next_slots),
                          "slots of the next entry after this cycle");
  const Expr kept =
      m.let("replay_slots_now", now(replay.bits, replay_slots_q), "slots of the replay stage's MSHR target");
  m.clocked("Slots of the entry that is looked at.",
            [&] { m.set(replay_slots_q, mux(replay.takes, next, kept)); });
}

}  // namespace

SlotNets slot_nets(SplitMshrTop& f) {
  rtl::Module& m = f.m;
  m.section("Slots of the chunks.");
  const int row = f.chunks * f.slot_width;
  return {.of_entries = m.wire("entry_slots", f.entries * row, "slot of each chunk of each entry's line"),
          .next = m.wire("next_slots", row, "slots of the chunks of the stage's next entry"),
          .search = {.takes = m.wire("takes", 1, "the replay stage looks for another entry"),
                     .next_bits = m.wire("next_bits", f.entries, "the stage's next entry, one-hot")}};
}

void place_slots(SplitMshrTop& file, const SplitMshrPorts& ports, const MshrNets& nets, const SlotNets& slots,
                 const HoldingNets& holding, const std::optional<FreeingNets>& freeing) {
  SlotsPart f(file, ports, nets, slots, holding, freeing);
  rtl::Module& m = f.m;
  const int row = f.chunks * f.slot_width;
  const Expr slot_q = m.data_reg("slot_q", f.entries * row, "slot of each chunk of each entry's line");
  const Expr replay_slots_q = m.data_reg("replay_slots_q", row, "slots of the entry in the replay stage");
  m.assign(f.ports.out.of_entries, slot_q);
  const Expr of_match = match_slots(f, slot_q);
  fill_slots(f, slot_q);
  release_slots(f, replay_slots_q);
  change_slots(f, slot_q, replay_slots_q, of_match);
  m.observe("slot", slot_q, {{"entry", f.entries}, {"chunk", f.chunks}});
  f.place("Knows where the chunks of the entries' lines lie.");
}

}  // namespace hw
