#include "hw/tags/split_tag_parts.h"

#include <fmt/format.h>

#include <utility>

#include "hw/ecc/protected_rows.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/rtl/optional.h"
#include "hw/tags/split_slots.h"
#include "hw/tags/split_tag_store.h"
#include "hw/tags/tag_ports.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

SplitFrame::SplitFrame(const TagParams& params, int tag_width, rtl::Module module)
    : m(std::move(module)),
      p(params),
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
      widened(widens(p)),
      by_chunk(p.split.victim == SplitVictim::chunk) {}

Expr SplitFrame::spread(const std::string& name, const Expr& of_groups, const std::string& doc) {
  const Expr bits = m.wire(name, slots, doc);
  m.comb("A slot has the bit of its group.", [&] {
    m.loop("group", groups,
           [&](const Expr& g) { m.set(bits.part(g, per_group), replicate(per_group, of_groups.at(g))); });
  });
  return bits;
}

namespace {

SplitRead split_read_port(SplitFrame& f) {
  return {.valid = f.m.input("read", 1, "a request enters the compare stage"),
          .set = f.m.input("read_set", f.set_bits, "set of that request")};
}

SplitEnter split_enter_port(SplitFrame& f) {
  rtl::Module& m = f.m;
  SplitEnter enter{
      .valid = m.input("enter", 1, "the request in the compare stage enters the tag-lookup stage"),
      .set = m.input("enter_set", f.set_bits, "set of the request that enters"),
      .tag = m.input("enter_tag", f.tag_bits, "tag of the request that enters"),
      .mask = m.input("enter_mask", f.chunks, "chunks of the request that enters"),
      .effective = input_if(m, f.widened, "enter_effective", f.chunks, "chunks that it looks for"),
      .rehashed = {}};
  if (f.p.moving_sets)
    enter.rehashed = m.input("rehashed", 1, "the request stood there, and its set has changed");
  return enter;
}

SplitProbe split_probe_port(SplitFrame& f) {
  rtl::Module& m = f.m;
  SplitProbe probe{.set = m.input("probe_set", f.set_bits, "set of the request in the tag-lookup stage"),
                   .tag = m.input("probe_tag", f.tag_bits, "tag of the request"),
                   .missed = m.input("missed", f.chunks, "chunks neither valid nor on their way"),
                   .pending_slots = m.input("pending_slots", f.slots, "slots of those on their way"),
                   .store = {}};
  if (f.p.store_scope == StoreScope::mask)
    probe.store = StoreMask{.mask = m.input("probe_mask", f.chunks, "chunks that the request asks for"),
                            .entry_match = m.input("entry_match", 1, "an MSHR entry has its line")};
  return probe;
}

SplitLeave split_leave_port(SplitFrame& f) {
  rtl::Module& m = f.m;
  return {.allocate = m.input("allocate", 1, "a load leaves with the slots that were planned"),
          .waits = m.input("waits", 1, "a load becomes an MSHR target"),
          .touch = m.input("touch", 1, "a load leaves"),
          .invalidate = m.input("invalidate", 1, "a store or an atomic leaves")};
}

SplitFill split_fill_port(SplitFrame& f) {
  rtl::Module& m = f.m;
  return {
      .valid = m.input("fill", 1, "chunks arrive and may be found"),
      .set = m.input("fill_set", f.set_bits, "set of a fill"),
      .slots = m.input("fill_slots", f.slots, "slots of its chunks"),
      .released = input_if(m, f.widened, "fill_released", f.slots, "filled slots without an MSHR target")};
}

SplitReplay split_replay_port(SplitFrame& f) {
  return {.set = f.m.input("replay_set", f.set_bits, "set of a replay"),
          .released = f.m.input("replay_released", f.slots, "slots that nobody waits for after it")};
}

std::optional<SplitDrop> split_drop_port(SplitFrame& f) {
  if (!protects_data(f.p.ecc)) return {};
  return SplitDrop{.valid = f.m.input("drop", 1, "slots of a line go in which data was wrong"),
                   .set = f.m.input("drop_set", f.set_bits, "set of that line"),
                   .slots = f.m.input("drop_slots", f.slots, "the slots")};
}

SplitResult split_result_port(SplitFrame& f) {
  rtl::Module& m = f.m;
  return {
      .chunk_valid = m.output("chunk_valid", f.chunks, "chunks of the probe's line that are valid"),
      .asked = m.output("asked", f.slots, "valid slots with chunks that it asks for"),
      .found = m.output("found", f.chunks * f.slots, "where each lies, one-hot"),
      .enough = m.output("enough", 1, "the plan of the cycle before has a slot for each missed chunk"),
      .numbers = m.output("slot_numbers", f.chunks * slot_bits(f.p), "slot of each chunk, found or planned"),
      .evicted = output_if(m, f.p.counters, "evicted", rtl::clog2(static_cast<std::uint64_t>(f.slots) + 1),
                           "valid slots that the load's chunks displace"),
      .tags_wrong = output_if(m, protects_tags(f.p.ecc), "tags_wrong", 1, "slots go whose tag is wrong"),
      .waits = output_if(m, protects_tags(f.p.ecc), "tags_wait", 1,
                         "the tag of a slot is wrong that an MSHR entry has")};
}

}  // namespace

SplitPorts::SplitPorts(SplitFrame& f)
    : read(split_read_port(f)),
      enter(split_enter_port(f)),
      probe(split_probe_port(f)),
      leave(split_leave_port(f)),
      fill(split_fill_port(f)),
      replay(split_replay_port(f)),
      flush(f.m.input("flush", 1, "nothing stays valid")),
      drop(split_drop_port(f)),
      present(input_if(f.m, protects_tags(f.p.ecc), "present", 1, "a request is in the tag-lookup stage")),
      result(split_result_port(f)) {}

namespace {

// What is decided late in a cycle reaches the arrays in the next one.
void late_state(SplitFrame& f, SplitState& s, bool drops) {
  rtl::Module& m = f.m;
  s.valid.late = m.data_reg("late_valid_q", f.slots, "valid slots that the probe left in its set");
  s.busy.late = m.data_reg("late_busy_q", f.slots, "busy slots that it left there");
  s.used.late = m.data_reg("late_used_q", f.slots, "use bits that it left there");
  s.valid.late_cleared = m.data_reg("late_cleared_q", f.slots, "slots that it made invalid there");
  s.late_taken = m.data_reg("late_taken_q", f.slots, "slots that it made busy there");
  s.valid.filled = m.reg("fill_q", 1, 0, "chunks arrived in the cycle before and may be found");
  s.valid.filled_set = m.data_reg("fill_set_q", f.set_bits, "set of a fill in the cycle before");
  s.valid.filled_bits = m.data_reg("fill_slots_q", f.slots, "slots of its chunks");
  if (drops)
    s.valid.dropped =
        DroppedLine{.valid = m.reg("drop_q", 1, 0, "slots with wrong data went in the cycle before"),
                    .set = m.data_reg("drop_set_q", f.set_bits, "set of those slots"),
                    .bits = m.data_reg("drop_slots_q", f.slots, "the slots")};
  s.released.slots =
      m.data_reg("released_q", f.slots, "slots that a replay left to nobody in the cycle before");
  s.released.set = m.data_reg("released_set_q", f.set_bits, "set of the slots that were left");
  if (f.widened)
    s.released.of_fill = m.data_reg("fill_released_q", f.slots, "slots that a fill left to nobody");
}

}  // namespace

SplitState split_state(SplitFrame& f, const SplitEnter& enter, const Expr& probe_set, bool drops) {
  rtl::Module& m = f.m;
  const int all = f.sets * f.slots;
  SplitState s;
  m.section("State; that of the probe's set is kept beside the rest, so that it is there early.");
  s.valid.array = m.data_reg("valid_q", all, "slots whose chunks may be found, by set");
  s.busy.array = m.data_reg("busy_q", all, "slots on their way or waited for, by set");
  s.used.array = m.data_reg("nru_q", all, "slots used since their set was last cleared");
  s.starts =
      m.reg("starts_q", 1, 1, "the first cycle after a reset: it clears them, and nobody reads them yet");
  s.valid.row = m.reg("row_valid_q", f.slots, 0, "slots of the probe's set whose chunks may be found");
  s.busy.row = m.reg("row_busy_q", f.slots, 0, "slots on their way or waited for");
  s.used.row = m.reg("row_used_q", f.slots, 0, "slots used since the set was last cleared");
  s.compared.holds =
      m.data_reg("holds_q", f.chunks * f.slots, "slots with the tag of the probe's line, by chunk");
  s.compared.asked = m.data_reg("asked_q", f.slots, "slots with requested chunks");
  s.compared.sought =
      f.widened ? m.data_reg("sought_q", f.slots, "slots with the chunks looked for") : s.compared.asked;
  s.compared.shared = m.data_reg("same_shared_q", f.groups, "groups with its shared tag");
  if (protects_tags(f.p.ecc)) s.compared.wrong = m.data_reg("wrong_q", f.slots, "slots whose tag is wrong");
  const Expr equal = enter.set == probe_set;
  s.same = m.let("same_set", enter.rehashed.can_be() ? equal & ~enter.rehashed.when() : equal,
                 "the next request asks for the probe's set");
  s.late = late_row(m, "late", probe_set, enter.set);
  late_state(f, s, drops);
  if (f.sets > 1)
    s.next_set = one_hot_of(m, "next_set", enter.set, f.sets, "set of the next request, one-hot");
  s.readable = s.compared.wrong ? m.let("readable", s.valid.row & ~*s.compared.wrong,
                                        "valid slots of the probe's set, with right tags")
                                : s.valid.row;
  return s;
}

SplitPlan kept_plan(SplitFrame& f, const SplitState& state, const Expr& missed, const Expr& enough) {
  rtl::Module& m = f.m;
  m.section("The plan of the cycle before, and what it writes.");
  const Expr places_q =
                 m.data_reg("places_q", f.chunks * f.slots, "planned slot of each missed chunk, one-hot"),
             enough_q = m.data_reg("enough_q", 1, "each has one");
  m.assign(enough, enough_q);
  const Expr new_slots = slots_of_mask(m, "new_slots", places_q, missed, "slots that the load would take");
  std::vector<Expr> new_places;
  for (int b = 0; b < f.place_bits; ++b) {
    rtl::Optional plane;
    for (int c = 0; c < f.chunks; ++c)
      if (c >> b & 1) plane |= slots_of_chunk(places_q, c, f.slots);
    new_places.push_back(
        m.let(fmt::format("new_slot{}", b), *plane, fmt::format("bit {} of the chunk in each slot", b)));
  }
  const Expr new_groups = m.wire("new_groups", f.groups, "groups with a new chunk");
  const Expr occupied = m.let("occupied", state.valid.row | state.busy.row, "slots that hold or await data");
  const Expr filled = m.wire("group_filled", f.groups, "groups with such a slot");
  m.comb("Groups of the slots.", [&] {
    m.loop("group", f.groups, [&](const Expr& g) {
      m.set(new_groups.at(g), rtl::any(new_slots.part(g, f.per_group)));
      m.set(filled.at(g), rtl::any(occupied.part(g, f.per_group)));
    });
  });
  const Expr retagged = m.let("retagged", new_groups & ~(state.compared.shared & filled),
                              "groups that take the line's shared tag");
  const Expr others =
      f.spread("retagged_slots", retagged, "slots of the groups that take another shared tag");
  const Expr displaced = m.let("displaced", new_slots | others, "slots that lose what they hold");
  return {places_q, enough_q, new_slots, new_places, retagged, displaced};
}

CheckedRows::CheckedRows(SplitFrame& f, const std::string& name, int count, int bits)
    : stem(name),
      row_bits(stored_row_bits(f.p.ecc.tags, bits)),
      checker(row_check(f.p.ecc.tags, bits, f.m.name() + "_" + name + "_check")),
      read(f.m.wire(name + "_read", count * row_bits, "rows that were read, with check bits")),
      written(f.m.wire(name + "_written", count * row_bits, "rows to write, with check bits")) {}

void CheckedRows::check(SplitFrame& f, const Expr& i, const Expr& write_data, const Expr& read_data,
                        const Expr& wrong) const {
  f.m.instance(checker, stem + "_check",
               {{"write_data", write_data},
                {"write_row", written.part(i, row_bits)},
                {"read_row", read.part(i, row_bits)},
                {"read_data", read_data},
                {"wrong", wrong.at(i)}},
               "Check bits of the row.");
}

namespace {

// Drives the groups whose shared tag is that of the request in the compare stage.
void compare_shared(SplitFrame& f, const SplitPorts& ports, const Expr& retagged, const StoredTags& tags,
                    const Expr& bypass_q) {
  rtl::Module& m = f.m;
  const Expr& equal = tags.shared_equal;
  if (f.shared_bits == 0) {
    m.assign(equal, rtl::ones(f.groups));
    if (tags.wrong) m.assign(tags.wrong->stored_groups, lit(f.groups, 0));
    m.unused("unused_shared", bypass_q, "no part of a tag is shared");
    return;
  }
  const Expr wanted = m.let("shared_tag", f.shared_of(ports.enter.tag), "shared tag of the request");
  const Expr last_equal =
      m.let("last_shared_equal", f.shared_of(tags.last_tag_q) == wanted, "of the tag written last");
  const int row_bits = stored_row_bits(f.p.ecc.tags, f.shared_bits);
  const rtl::Module ram = sram_1r1w(f.sets, row_bits);
  const Expr stored = m.wire("stored_shared", f.groups * f.shared_bits, "shared tag of each group");
  std::optional<CheckedRows> checked;
  if (tags.wrong) checked.emplace(f, "shared", f.groups, f.shared_bits);
  m.repeat("shared_tags", f.groups, "The shared tags.", [&](const Expr& g) {
    const Expr of_group = stored.part(g, f.shared_bits), written = f.shared_of(ports.probe.tag);
    m.instance(ram, "shared",
               {{"read", ports.read.valid},
                {"read_row", ports.read.set},
                {"read_data", checked ? checked->read.part(g, row_bits) : of_group},
                {"write", ports.leave.allocate & retagged.at(g)},
                {"write_row", ports.probe.set},
                {"write_data", checked ? checked->written.part(g, row_bits) : written}},
               "Shared tags of the group.");
    if (checked) checked->check(f, g, written, of_group, tags.wrong->stored_groups);
    m.assign(equal.at(g), mux(bypass_q.at(g), last_equal, of_group == wanted));
  });
}

}  // namespace

// A tag written as the request enters the compare stage reaches it beside the RAM; one written as it leaves
// is looked at where the result is registered. None is written between.
StoredTags stored_tags(SplitFrame& f, const SplitPorts& ports, const SplitPlan& plan) {
  rtl::Module& m = f.m;
  const Expr& allocate = ports.leave.allocate;
  m.section("Tags. One written as its row is read reaches the request beside the RAM.");
  const Expr bypass_slot_q = m.reg("bypass_slot_q", f.slots, 0, "slots whose row was written as it was read"),
             bypass_shared_q =
                 m.reg("bypass_shared_q", f.groups, 0, "groups whose row was written as it was read"),
             last_tag_q = m.data_reg("last_tag_q", f.tag_bits, "the tag written last");
  std::vector<Expr> last_places_q;
  for (int b = 0; b < f.place_bits; ++b)
    last_places_q.push_back(m.data_reg(fmt::format("last_place{}_q", b), f.slots,
                                       fmt::format("bit {} of the chunks written last", b)));
  const Expr shared_equal =
      m.wire("shared_equal", f.groups, "groups with the shared tag of the request in the compare stage");
  StoredTags tags{bypass_slot_q, last_tag_q, last_places_q, shared_equal, {}};
  if (protects_tags(f.p.ecc)) {
    const Expr slots = m.wire("stored_wrong", f.slots, "slots whose row is wrong in the RAM"),
               groups = m.wire("stored_shared_wrong", f.groups, "groups whose row is");
    tags.wrong = WrongRows{
        slots, groups, m.let("wrong_slots", slots & ~bypass_slot_q, "slots whose row was read, and is wrong"),
        m.let("wrong_groups", groups & ~bypass_shared_q, "groups whose row is so")};
  }
  compare_shared(f, ports, plan.retagged, tags, bypass_shared_q);
  m.clocked("Rows to look at beside the RAMs.", [&] {
    m.when(ports.read.valid, [&] {
      const Expr here = allocate & (ports.read.set == ports.probe.set);
      m.set(bypass_slot_q, plan.new_slots & f.of_slots(here));
      m.set(bypass_shared_q, plan.retagged & replicate(f.groups, here));
    });
  });
  m.clocked("The tags written last.", [&] {
    m.when(allocate, [&] {
      m.set(last_tag_q, ports.probe.tag);
      for (std::size_t b = 0; b < last_places_q.size(); ++b) m.set(last_places_q[b], plan.new_places[b]);
    });
  });
  return tags;
}

}  // namespace hw
