#include "hw/tags/decoupled_entries.h"

#include "hw/prim/one_hot.h"
#include "hw/rtl/condition.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::replicate;

DecoupledEntries::DecoupledEntries(const TagParams& tag_params, const MshrParams& p, const MshrLines& lines,
                                   const std::string& name)
    : HoldingEntries(p, lines, name), ways(tag_params.ways), tags(tag_params.decoupled.tags_per_way) {}

void DecoupledEntries::taken_port() {
  way = m.input("way", ways, "way of the entry's line, one-hot");
  if (tags > 1) number = m.input("tag_there", tags, "tag of the line in the way, one-hot");
}

void DecoupledEntries::matched_port() {
  way_out = m.output("match_way", ways, "the way of the entry's line, one-hot, or 0");
  if (tags > 1) number_out = m.output("match_tag", tags, "tag of that line in the way, one-hot, or 0");
}

void DecoupledEntries::filled_ports() {
  fill_way_out = m.output("fill_way", ways, "way of the fill's entry, one-hot");
  fill_early_out = m.output("fill_way_early", ways, "fill_way for what must be known early");
}

void DecoupledEntries::replayed_port() { replay_way_out = m.output("replay_way", ways, "the way, one-hot"); }

void DecoupledEntries::released_port() {
  released_out = m.output("replay_released", chunks, "chunks that nobody waits for after its answer");
}

void DecoupledEntries::place_registers() {
  if (ways > 1) way_q = m.data_reg("way_q", entries_n * ways, "way of each entry's line, one-hot");
  if (tags > 1) number_q = m.data_reg("tag_there_q", entries_n * tags, "tag of the line in the way, one-hot");
}

void DecoupledEntries::match_place(List& list) {
  if (ways > 1)
    entry_way = gathered(list, "entry_way", way_q, ways, "way of the entry that matched, one-hot");
  if (tags > 1) entry_number = gathered(list, "entry_tag", number_q, tags, "tag of that line there, one-hot");
}

void DecoupledEntries::assign_match_place() {
  if (ways > 1) {
    m.assign(way_out, entry_way & replicate(ways, matches));
  } else {
    m.unused("unused_way", way, "the one way has no number");
    m.assign(way_out, matches);
  }
  if (tags > 1) m.assign(number_out, entry_number & replicate(tags, matches));
}

void DecoupledEntries::fill_places(const Expr& named) {
  Expr filled_way = lit(1, 1);
  if (ways > 1) {
    List list;
    filled_way = gathered(list, "filled_way", way_q, ways, "way of the fill's entry, one-hot");
    gather("Of the entry that a fill comes to.", "of_fill", rtl::Condition::always(), named, list);
  }
  m.assign(fill_way_out, filled_way);
  m.assign(fill_early_out, filled_way);
}

void DecoupledEntries::replay_registers() {
  replay_way_q = m.data_reg("replay_way_q", ways, "way of the entry, one-hot");
}

void DecoupledEntries::replayed_place() { m.assign(replay_way_out, replay_way_q); }

void DecoupledEntries::next_place() {
  next_way = ways > 1 ? of_next("way", way_q, "way of the entry, one-hot") : lit(1, 1);
}

void DecoupledEntries::take_place() { m.set(replay_way_q, next_way); }

// A load that joins it in this cycle and wants one of them keeps it busy in spite of any release.
void DecoupledEntries::release_chunks() {
  m.assign(released_out, last_for() & replay_mask_out & replicate(chunks, replay_granted));
}

void DecoupledEntries::set_place(const Expr& entry) {
  if (ways > 1) m.set(way_q.part(entry, ways), way);
  if (tags > 1) m.set(number_q.part(entry, tags), number);
}

void DecoupledEntries::place_changes() {
  change_wires();
  m.comb("Counts one more and one less.",
         [&] { m.loop("chunk", chunks, [&](const Expr& c) { change(c); }); });
  change_registers();
}

void DecoupledEntries::places_shown() {
  waits_shown();
  if (ways > 1) m.observe("way", way_q, {{"entry", entries_n}, {"way", ways}});
  if (tags > 1) m.observe("tag_there", number_q, {{"entry", entries_n}, {"tag", tags}});
}

}  // namespace hw
