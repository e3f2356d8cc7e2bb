#include "hw/tags/split_tag_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/prim/lfsr.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/require.h"
#include "hw/rtl/optional.h"
#include "hw/tags/split_places.h"
#include "hw/tags/split_slots.h"
#include "hw/tags/split_tag_builder.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

int shared_tag_bits(const TagParams& p, int tag_bits) { return tag_bits - p.split.private_tag_bits; }

void check_private_tag(const TagParams& p, int tag_bits) {
  require(p.split.private_tag_bits >= 0 && p.split.private_tag_bits <= tag_bits,
          "tags.split.private_tag_bits", p.split.private_tag_bits,
          fmt::format("must be from 0 to {}, the bits of a tag", tag_bits),
          fmt::format("use {}", std::clamp(8, 0, tag_bits)));
}

SplitTagStore::SplitTagStore(const TagParams& params, int tag_width, const std::string& name)
    : p(params),
      slots(slots_of(p)),
      groups(p.split.groups),
      per_group(slots / groups),
      chunks(chunks_of_line(p)),
      sets(p.sets),
      set_bits(bits_to_number(sets)),
      tag_bits(tag_width),
      private_bits(p.split.private_tag_bits),
      shared_bits(shared_tag_bits(p, tag_width)),
      place_bits(bits_to_number(chunks)),
      mask_scope(p.store_scope == StoreScope::mask),
      widened(widens(p)),
      by_chunk(p.split.victim == SplitVictim::chunk),
      adaptive(p.moving_sets),
      m(name,
        fmt::format("Split tags of {} sets of {} slots, in {} group{} of {}: each slot holds any chunk of "
                    "any line (TSC paper, section 3).",
                    sets, slots, groups, groups == 1 ? "" : "s", per_group)) {}

rtl::Module SplitTagStore::run() {
  ports();
  state();
  stored_tags();
  compare();
  found_slots();
  plan();
  if (by_chunk) random_start();
  registered();
  valid_changes();
  busy_changes();
  use_changes();
  shown();
  return m;
}

void SplitTagStore::ports() {
  request_ports();
  change_ports();
  chunk_valid_out = m.output("chunk_valid", chunks, "chunks of the probe's line that are valid");
  asked_out = m.output("asked", slots, "valid slots with chunks that it asks for");
  found_out = m.output("found", chunks * slots, "where each lies, one-hot");
  enough_out = m.output("enough", 1, "the plan of the cycle before has a slot for each missed chunk");
  numbers_out = m.output("slot_numbers", chunks * slot_bits(p), "slot of each chunk, found or planned");
  if (p.counters)
    evicted_out = m.output("evicted", rtl::clog2(static_cast<std::uint64_t>(slots) + 1),
                           "valid slots that the load's chunks displace");
}

void SplitTagStore::request_ports() {
  read = m.input("read", 1, "a request enters the compare stage");
  read_set = m.input("read_set", set_bits, "set of that request");
  enter = m.input("enter", 1, "the request in the compare stage enters the tag-lookup stage");
  enter_set = m.input("enter_set", set_bits, "set of the request that enters");
  enter_tag = m.input("enter_tag", tag_bits, "tag of the request that enters");
  enter_mask = m.input("enter_mask", chunks, "chunks of the request that enters");
  if (widened) enter_effective = m.input("enter_effective", chunks, "chunks that it looks for");
  if (adaptive) rehashed = m.input("rehashed", 1, "the request stood there, and its set has changed");
  probe_set = m.input("probe_set", set_bits, "set of the request in the tag-lookup stage");
  tag = m.input("probe_tag", tag_bits, "tag of the request");
  missed = m.input("missed", chunks, "chunks neither valid nor on their way");
  pending_slots = m.input("pending_slots", slots, "slots of those on their way");
  if (mask_scope) mask = m.input("probe_mask", chunks, "chunks that the request asks for");
  if (mask_scope) entry_match = m.input("entry_match", 1, "an MSHR entry has its line");
}

void SplitTagStore::change_ports() {
  allocate = m.input("allocate", 1, "a load leaves with the slots that were planned");
  waits = m.input("waits", 1, "a load becomes an MSHR target");
  touch = m.input("touch", 1, "a load leaves");
  invalidate = m.input("invalidate", 1, "a store or an atomic leaves");
  fill = m.input("fill", 1, "chunks arrive and may be found");
  fill_set = m.input("fill_set", set_bits, "set of a fill");
  fill_slots = m.input("fill_slots", slots, "slots of its chunks");
  if (widened) fill_released = m.input("fill_released", slots, "filled slots without an MSHR target");
  replay_set = m.input("replay_set", set_bits, "set of a replay");
  replay_released = m.input("replay_released", slots, "slots that nobody waits for after it");
  flush = m.input("flush", 1, "nothing stays valid");
  if (!protects_data(p.ecc)) return;
  drop = m.input("drop", 1, "slots of a line go in which data was wrong");
  drop_set = m.input("drop_set", set_bits, "set of that line");
  drop_slots = m.input("drop_slots", slots, "the slots");
}

void SplitTagStore::state() {
  m.section("State; that of the probe's set is kept beside the rest, so that it is there early.");
  valid.array = m.reg("valid_q", sets * slots, 0, "slots whose chunks may be found, by set");
  busy.array = m.reg("busy_q", sets * slots, 0, "slots on their way or waited for, by set");
  used.array = m.reg("nru_q", sets * slots, 0, "slots used since their set was last cleared");
  valid.row = m.reg("row_valid_q", slots, 0, "slots of the probe's set whose chunks may be found");
  busy.row = m.reg("row_busy_q", slots, 0, "slots on their way or waited for");
  used.row = m.reg("row_used_q", slots, 0, "slots used since the set was last cleared");
  holds_q = m.data_reg("holds_q", chunks * slots, "slots with the tag of the probe's line, by chunk");
  asked_q = m.data_reg("asked_q", slots, "slots with requested chunks");
  sought_q = widened ? m.data_reg("sought_q", slots, "slots with the chunks looked for") : asked_q;
  shared_q = m.data_reg("same_shared_q", groups, "groups with its shared tag");
  const Expr equal = enter_set == probe_set;
  same = m.let("same_set", adaptive ? equal & ~rehashed : equal, "the next request asks for the probe's set");
  late_state();
  plan_state();
}

// What is decided late in a cycle reaches the arrays in the next one.
void SplitTagStore::late_state() {
  late = late_row(m, "late", probe_set, enter_set);
  valid.late = m.data_reg("late_valid_q", slots, "valid slots that the probe left in its set");
  busy.late = m.data_reg("late_busy_q", slots, "busy slots that it left there");
  used.late = m.data_reg("late_used_q", slots, "use bits that it left there");
  valid.filled = m.reg("fill_q", 1, 0, "chunks arrived in the cycle before and may be found");
  valid.filled_set = m.data_reg("fill_set_q", set_bits, "set of a fill in the cycle before");
  valid.filled_bits = m.data_reg("fill_slots_q", slots, "slots of its chunks");
  if (drop.can_be()) {
    valid.dropped = m.reg("drop_q", 1, 0, "slots with wrong data went in the cycle before");
    valid.dropped_set = m.data_reg("drop_set_q", set_bits, "set of those slots");
    valid.dropped_bits = m.data_reg("drop_slots_q", slots, "the slots");
  }
  released_q = m.data_reg("released_q", slots, "slots that a replay left to nobody in the cycle before");
  released_set_q = m.data_reg("released_set_q", set_bits, "set of the slots that were left");
  if (widened) fill_released_q = m.data_reg("fill_released_q", slots, "slots that a fill left to nobody");
}

void SplitTagStore::plan_state() {
  m.section("The plan of the cycle before, and what it writes.");
  places_q = m.data_reg("places_q", chunks * slots, "planned slot of each missed chunk, one-hot");
  enough_q = m.data_reg("enough_q", 1, "each has one");
  m.assign(enough_out, enough_q);
  new_slots = slots_of_mask(m, "new_slots", places_q, missed, "slots that the load would take");
  for (int b = 0; b < place_bits; ++b) {
    rtl::Optional plane;
    for (int c = 0; c < chunks; ++c)
      if (c >> b & 1) plane |= slots_of_chunk(places_q, c, slots);
    new_slot.push_back(
        m.let(fmt::format("new_slot{}", b), *plane, fmt::format("bit {} of the chunk in each slot", b)));
  }
  new_tags = m.wire("new_groups", groups, "groups with a new chunk");
  const Expr occupied = m.let("occupied", valid.row | busy.row, "slots that hold or await data");
  const Expr filled = m.wire("group_filled", groups, "groups with such a slot");
  m.comb("Groups of the slots.", [&] {
    m.loop("group", groups, [&](const Expr& g) {
      m.set(new_tags.at(g), rtl::any(new_slots.part(g, per_group)));
      m.set(filled.at(g), rtl::any(occupied.part(g, per_group)));
    });
  });
  retagged = m.let("retagged", new_tags & ~(shared_q & filled), "groups that take the line's shared tag");
  gone = m.let(
      "displaced",
      new_slots | spread("retagged_slots", retagged, "slots of the groups that take another shared tag"),
      "slots that lose what they hold");
}

Expr SplitTagStore::spread(const std::string& name, const Expr& group_set, const std::string& doc) {
  const Expr bits = m.wire(name, slots, doc);
  m.comb("A slot has the bit of its group.", [&] {
    m.loop("group", groups,
           [&](const Expr& g) { m.set(bits.part(g, per_group), replicate(per_group, group_set.at(g))); });
  });
  return bits;
}

Expr SplitTagStore::shared_of(const Expr& t) const { return t.slice(tag_bits - 1, private_bits); }
Expr SplitTagStore::private_of(const Expr& t) const { return t.slice(private_bits - 1, 0); }

// A tag written as the request enters the compare stage reaches it beside the RAM; one written as it leaves
// is looked at where the result is registered. None is written between.
void SplitTagStore::stored_tags() {
  m.section("Tags. One written as its row is read reaches the request beside the RAM.");
  bypass_slot_q = m.reg("bypass_slot_q", slots, 0, "slots whose row was written as it was read");
  bypass_shared_q = m.reg("bypass_shared_q", groups, 0, "groups whose row was written as it was read");
  last_tag_q = m.data_reg("last_tag_q", tag_bits, "the tag written last");
  for (int b = 0; b < place_bits; ++b)
    last_place_q.push_back(m.data_reg(fmt::format("last_place{}_q", b), slots,
                                      fmt::format("bit {} of the chunks written last", b)));
  shared_now =
      m.wire("shared_equal", groups, "groups with the shared tag of the request in the compare stage");
  if (shared_bits == 0) {
    m.assign(shared_now, rtl::ones(groups));
    m.unused("unused_shared", bypass_shared_q, "no part of a tag is shared");
  } else {
    const Expr wanted = m.let("shared_tag", shared_of(enter_tag), "shared tag of the request");
    const Expr last_equal =
        m.let("last_shared_equal", shared_of(last_tag_q) == wanted, "of the tag written last");
    const rtl::Module ram = sram_1r1w(sets, shared_bits);
    const Expr stored = m.wire("stored_shared", groups * shared_bits, "shared tag of each group");
    m.repeat("shared_tags", groups, "The shared tags.", [&](const Expr& g) {
      const Expr of_group = stored.part(g, shared_bits);
      m.instance(ram, "shared",
                 {{"read", read},
                  {"read_row", read_set},
                  {"read_data", of_group},
                  {"write", allocate & retagged.at(g)},
                  {"write_row", probe_set},
                  {"write_data", shared_of(tag)}},
                 "Shared tags of the group.");
      m.assign(shared_now.at(g), mux(bypass_shared_q.at(g), last_equal, of_group == wanted));
    });
  }
  m.clocked("Rows to look at beside the RAMs.", [&] {
    m.when(read, [&] {
      const Expr here = allocate & (read_set == probe_set);
      m.set(bypass_slot_q, new_slots & replicate(slots, here));
      m.set(bypass_shared_q, retagged & replicate(groups, here));
    });
  });
  m.clocked("The tags written last.", [&] {
    m.when(allocate, [&] {
      m.set(last_tag_q, tag);
      for (int b = 0; b < place_bits; ++b) m.set(last_place_q[b], new_slot[b]);
    });
  });
}

}  // namespace hw
