// The compare stage of split tags (TSC paper, section 3).
#include <fmt/format.h>

#include "hw/ecc/protected_rows.h"
#include "hw/prim/sram.h"
#include "hw/tags/split_slots.h"
#include "hw/tags/split_tag_parts.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

namespace {

// The private tag of the request, whether the tag written last has it, and those of the slots.
struct PrivateTags {
  Expr wanted, last_equal, stored;
};

// Rows of the slots: private tags, and positions of chunks bit by bit. Drives `equal`, slots with the
// request's private tag. Returns the positions.
std::vector<Expr> stored_rows(SplitFrame& f, const SplitPorts& ports, const SplitPlan& plan,
                              const StoredTags& tags, const Expr& equal) {
  rtl::Module& m = f.m;
  const int own = f.private_bits, row_bits = own + f.place_bits;
  std::optional<PrivateTags> of;
  if (own > 0) {
    const Expr wanted = m.let("private_tag", f.private_of(ports.enter.tag), "private tag of the request");
    const Expr last_equal =
        m.let("last_private_equal", f.private_of(tags.last_tag_q) == wanted, "of the tag written last");
    of = PrivateTags{wanted, last_equal, m.wire("stored_private", f.slots * own, "private tag of each slot")};
  } else {
    m.assign(equal, rtl::ones(f.slots));
  }
  std::vector<Expr> places;
  for (int b = 0; b < f.place_bits; ++b)
    places.push_back(
        m.wire(fmt::format("stored_place{}", b), f.slots, fmt::format("bit {} of each stored position", b)));
  if (row_bits == 0) {
    if (tags.wrong) m.assign(tags.wrong->stored_slots, lit(f.slots, 0));
    return places;
  }
  std::optional<CheckedRows> checked;
  if (tags.wrong) checked.emplace(f, "slot", f.slots, row_bits);
  const int stored_bits = stored_row_bits(f.p.ecc.tags, row_bits);
  m.repeat("slots", f.slots, "Private tags, and positions of chunks in their lines.", [&](const Expr& s) {
    std::vector<Expr> now, written;  // most significant first
    if (of) now.push_back(of->stored.part(s, own));
    if (of) written.push_back(f.private_of(ports.probe.tag));
    for (std::size_t b = places.size(); b-- > 0;) {
      now.push_back(places[b].at(s));
      written.push_back(plan.new_places[b].at(s));
    }
    m.instance(sram_1r1w(f.sets, stored_bits), "slot",
               {{"read", ports.read.valid},
                {"read_row", ports.read.set},
                {"read_data", checked ? checked->read.part(s, stored_bits) : cat(now)},
                {"write", ports.leave.allocate & plan.new_slots.at(s)},
                {"write_row", ports.probe.set},
                {"write_data", checked ? checked->written.part(s, stored_bits) : cat(written)}},
               "Private tags and positions of the slot.");
    if (checked) checked->check(f, s, cat(written), cat(now), tags.wrong->stored_slots);
    if (of)
      m.assign(equal.at(s),
               mux(tags.bypass_slot_q.at(s), of->last_equal, of->stored.part(s, own) == of->wanted));
  });
  return places;
}

}  // namespace

// Each slot's private tag and the position of its chunk, bit by bit over all slots.
Expr compare_slots(SplitFrame& f, const SplitPorts& ports, const SplitPlan& plan, const StoredTags& tags) {
  rtl::Module& m = f.m;
  m.section("Comparison of all slots.");
  const Expr private_equal =
      m.wire("private_equal", f.slots, "slots with the private tag of the request in the compare stage");
  const std::vector<Expr> stored = stored_rows(f, ports, plan, tags, private_equal);
  const Expr& bypass = tags.bypass_slot_q;
  std::vector<Expr> planes;
  for (std::size_t b = 0; b < stored.size(); ++b)
    planes.push_back(m.let(fmt::format("place{}", b),
                           (bypass & tags.last_places_q[b]) | (~bypass & stored[b]),
                           fmt::format("bit {} of each slot's position", b)));
  if (f.private_bits + f.place_bits == 0)
    m.unused("unused_bypass", bypass, "slots have no tags of their own");
  const Expr shared = f.spread("shared_slots", tags.shared_equal, "slots of such groups");
  const Expr equal = m.let("tag_equal", private_equal & shared, "slots with the request's tag");
  const Expr equal_at = m.wire("chunk_equal", f.chunks * f.slots, "slots with the request's tag, by chunk");
  m.comb("A slot holds the chunk of its position.", [&] {
    m.loop("chunk", f.chunks, [&](const Expr& c) {
      Expr at = equal;
      for (int b = 0; b < f.place_bits; ++b)
        at = at & ~(planes[static_cast<std::size_t>(b)] ^ f.of_slots(c.bit(b)));
      m.set(equal_at.part(c, f.slots), at);
    });
  });
  return equal_at;
}

// A slot written at the edge at which the request enters holds its chunk if the writer's tag is its own. The
// others of a group that is retagged then are neither valid nor busy: whether they match says nothing.
void register_compared(SplitFrame& f, const SplitPorts& ports, const SplitState& state, const SplitPlan& plan,
                       const Expr& equal_at, const StoredTags& stored) {
  rtl::Module& m = f.m;
  const Expr& shared_equal = stored.shared_equal;
  const SplitEnter& enter = ports.enter;
  const ComparedSlots& compared = state.compared;
  const Expr& tag = ports.probe.tag;
  m.section(
      "The result of the comparison, as the request enters the tag-lookup stage; slots that are written are "
      "known late, and choose last.");
  const Expr here = m.let("write_here", ports.leave.allocate & state.same,
                          "tags of the request's set are written at that edge");
  const Expr same_tag = m.let("same_tag", tag == enter.tag, "slots with the request's tag");
  const Expr fresh = m.let("fresh", plan.new_slots & f.of_slots(here), "slots that are written");
  const Expr retags = m.let("retags", plan.retagged & replicate(f.groups, here), "groups that are");
  Expr shared_same = lit(1, 1);
  if (f.shared_bits)
    shared_same = m.let("same_shared_tag", f.shared_of(tag) == f.shared_of(enter.tag), "the shared part");
  // Written slots are known late: they choose last.
  const auto of_mask = [&](const std::string& name, const Expr& chosen, const std::string& doc) {
    const Expr there =
        slots_of_mask(m, name + "_there", equal_at, chosen, "slots that hold its chunks, " + doc);
    const Expr planned =
        slots_of_mask(m, name + "_planned", plan.places_q, chosen, "slots of such chunks, " + doc);
    return (fresh & planned & f.of_slots(same_tag)) | (~fresh & there);
  };
  const Expr asked = of_mask("asked_slots", enter.mask, "of the requested chunks");
  std::optional<Expr> sought;
  if (enter.effective) sought = of_mask("sought_slots", *enter.effective, "of the chunks looked for");
  std::optional<Expr> wrong;
  if (const auto& rows = stored.wrong) {
    const Expr groups = f.spread("wrong_group_slots",
                                 m.let("still_wrong", rows->groups & ~retags, "groups whose tag is wrong"),
                                 "slots of groups with a wrong tag");
    wrong = m.let("wrong_tags", (rows->slots & ~fresh) | groups, "slots whose tag is wrong");
  }
  m.clocked("Slots with the tag of the request.", [&] {
    m.when(enter.valid, [&] {
      m.set(compared.asked, asked);
      if (sought) m.set(compared.sought, *sought);
      if (wrong) m.set(*compared.wrong, *wrong);
      m.loop("held_chunk", f.chunks, [&](const Expr& c) {
        m.set(compared.holds.part(c, f.slots),
              (fresh & plan.places_q.part(c, f.slots) & f.of_slots(same_tag)) |
                  (~fresh & equal_at.part(c, f.slots)));
      });
      m.set(compared.shared, (retags & replicate(f.groups, shared_same)) | (~retags & shared_equal));
    });
  });
}

}  // namespace hw
