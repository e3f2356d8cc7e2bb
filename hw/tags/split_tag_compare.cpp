// The compare stage of split tags, and what the tag-lookup stage finds (TSC paper, section 3).
#include <fmt/format.h>

#include "hw/prim/lfsr.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/rtl/optional.h"
#include "hw/tags/split_places.h"
#include "hw/tags/split_slots.h"
#include "hw/tags/split_tag_builder.h"
#include "hw/tags/split_tag_store.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

// Each slot's private tag and the position of its chunk, bit by bit over all slots.
void SplitTagStore::compare() {
  m.section("Comparison of all slots.");
  const int row_bits = private_bits + place_bits;
  const Expr private_equal =
      m.wire("private_equal", slots, "slots with the private tag of the request in the compare stage");
  Expr wanted, last_equal, stored;
  if (private_bits > 0) {
    wanted = m.let("private_tag", private_of(enter_tag), "private tag of the request");
    last_equal = m.let("last_private_equal", private_of(last_tag_q) == wanted, "of the tag written last");
    stored = m.wire("stored_private", slots * private_bits, "private tag of each slot");
  } else {
    m.assign(private_equal, rtl::ones(slots));
  }
  std::vector<Expr> stored_places;
  for (int b = 0; b < place_bits; ++b)
    stored_places.push_back(
        m.wire(fmt::format("stored_place{}", b), slots, fmt::format("bit {} of each stored position", b)));
  if (row_bits > 0)
    m.repeat("slots", slots, "Private tags, and positions of chunks in their lines.", [&](const Expr& s) {
      std::vector<Expr> now, written;  // most significant first
      if (private_bits) now.push_back(stored.part(s, private_bits));
      if (private_bits) written.push_back(private_of(tag));
      for (int b = place_bits - 1; b >= 0; --b) {
        now.push_back(stored_places[b].at(s));
        written.push_back(new_slot[b].at(s));
      }
      m.instance(sram_1r1w(sets, row_bits), "slot",
                 {{"read", read},
                  {"read_row", read_set},
                  {"read_data", cat(now)},
                  {"write", allocate & new_slots.at(s)},
                  {"write_row", probe_set},
                  {"write_data", cat(written)}},
                 "Private tags and positions of the slot.");
      if (private_bits)
        m.assign(private_equal.at(s),
                 mux(bypass_slot_q.at(s), last_equal, stored.part(s, private_bits) == wanted));
    });
  std::vector<Expr> planes;
  for (int b = 0; b < place_bits; ++b)
    planes.push_back(m.let(fmt::format("place{}", b),
                           (bypass_slot_q & last_place_q[b]) | (~bypass_slot_q & stored_places[b]),
                           fmt::format("bit {} of each slot's position", b)));
  if (row_bits == 0) m.unused("unused_bypass", bypass_slot_q, "slots have no tags of their own");
  const Expr equal =
      m.let("tag_equal", private_equal & spread("shared_slots", shared_now, "slots of such groups"),
            "slots with the request's tag");
  equal_at = m.wire("chunk_equal", chunks * slots, "slots with the request's tag, by chunk");
  m.comb("A slot holds the chunk of its position.", [&] {
    m.loop("chunk", chunks, [&](const Expr& c) {
      Expr at = equal;
      for (int b = 0; b < place_bits; ++b) at = at & ~(planes[b] ^ replicate(slots, c.bit(b)));
      m.set(equal_at.part(c, slots), at);
    });
  });
}

void SplitTagStore::found_slots() {
  m.section("Lookup.");
  const Expr found =
      m.let("found_slots", holds_q & replicate(chunks, valid.row), "valid slots of the line, by chunk");
  m.assign(found_out, found);
  m.comb("Valid chunks of the line.", [&] {
    m.loop("chunk", chunks,
           [&](const Expr& c) { m.set(chunk_valid_out.at(c), rtl::any(found.part(c, slots))); });
  });
  m.assign(asked_out, valid.row & asked_q);
  kept = m.let("kept", valid.row & sought_q, "slots of chunks that the load finds");
  const Expr where = m.wire("where", chunks * slots, "slot of each chunk, found or planned");
  m.comb("Found or planned.", [&] {
    m.loop("chunk", chunks, [&](const Expr& c) {
      m.set(where.part(c, slots),
            found.part(c, slots) | (places_q.part(c, slots) & replicate(slots, missed.at(c))));
    });
  });
  for (int c = 0; c < chunks; ++c) {
    const Expr slot = m.let(fmt::format("slot_of{}", c), slots_of_chunk(where, c, slots), "one-hot");
    m.assign(slots_of_chunk(numbers_out, c, slot_bits(p)), number_of(slot));
  }
}

void SplitTagStore::plan() {
  m.section("The plan for the next cycle.");
  const Expr places = m.wire("places", chunks * slots, "slot of each missed chunk");
  const Expr enough = m.wire("places_enough", 1, "each has one");
  std::vector<std::pair<std::string, Expr>> pins{
      {"slot_valid", valid.row}, {"slot_busy", busy.row}, {"slot_used", used.row}, {"slot_kept", kept},
      {"same_tag", shared_q},    {"missed", missed},      {"places", places},      {"enough", enough}};
  if (by_chunk) {
    start = m.wire("start", slot_bits(p), "where the search for victims begins");
    pins.emplace_back("start", start);
  }
  m.instance(split_places(p, m.name() + "_places"), "plan", pins, "Where missed chunks would go.");
  m.clocked("The plan.", [&] {
    m.set(places_q, places);
    m.set(enough_q, enough);
  });
}

// The remainder by the number of slots is worked out beside the LFSR, in the cycle before.
void SplitTagStore::random_start() {
  lfsr_q = m.reg("lfsr_q", 16, lfsr_seed, "steps when a victim was taken");
  const Expr next = m.let("lfsr_after", lfsr_next(lfsr_q), "next state of the register");
  const Expr step = m.let("takes_victim", allocate & rtl::any(new_slots & valid.row), "a victim is taken");
  const Expr after = remainder_of(m, next, slots);
  const bool low_bits = 1 << slot_bits(p) == slots;
  const Expr q = low_bits ? Expr{}
                          : m.reg("start_q", slot_bits(p), lfsr_seed % static_cast<std::uint64_t>(slots),
                                  "lfsr_q modulo the number of slots");
  m.assign(start, low_bits ? lfsr_q.slice(slot_bits(p) - 1, 0) : q);
  m.clocked("Step.", [&] {
    m.when(step, [&] {
      m.set(lfsr_q, next);
      if (!low_bits) m.set(q, after);
    });
  });
}

// A slot written at the edge at which the request enters holds its chunk if the writer's tag is its own. The
// others of a group that is retagged then are neither valid nor busy: whether they match says nothing.
void SplitTagStore::registered() {
  m.section(
      "The result of the comparison, as the request enters the tag-lookup stage; slots that are written are "
      "known late, and choose last.");
  const Expr here =
      m.let("write_here", allocate & same, "tags of the request's set are written at that edge");
  const Expr same_tag = m.let("same_tag", tag == enter_tag, "slots with the request's tag");
  const Expr fresh = m.let("fresh", new_slots & replicate(slots, here), "slots that are written");
  const Expr retags = m.let("retags", retagged & replicate(groups, here), "groups that are");
  Expr shared_same = lit(1, 1);
  if (shared_bits)
    shared_same = m.let("same_shared_tag", shared_of(tag) == shared_of(enter_tag), "the shared part");
  // Written slots are known late: they choose last.
  const auto of_mask = [&](const std::string& name, const Expr& chosen, const std::string& doc) {
    const Expr there =
        slots_of_mask(m, name + "_there", equal_at, chosen, "slots that hold its chunks, " + doc);
    const Expr planned =
        slots_of_mask(m, name + "_planned", places_q, chosen, "slots of such chunks, " + doc);
    return (fresh & planned & replicate(slots, same_tag)) | (~fresh & there);
  };
  const Expr asked = of_mask("asked_slots", enter_mask, "of the requested chunks");
  const Expr sought = widened ? of_mask("sought_slots", enter_effective, "of the chunks looked for") : Expr{};
  m.clocked("Slots with the tag of the request.", [&] {
    m.when(enter, [&] {
      m.set(asked_q, asked);
      if (widened) m.set(sought_q, sought);
      m.loop("held_chunk", chunks, [&](const Expr& c) {
        m.set(holds_q.part(c, slots), (fresh & places_q.part(c, slots) & replicate(slots, same_tag)) |
                                          (~fresh & equal_at.part(c, slots)));
      });
      m.set(shared_q, (retags & replicate(groups, shared_same)) | (~retags & shared_now));
    });
  });
}

}  // namespace hw
