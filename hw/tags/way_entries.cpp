#include "hw/tags/way_entries.h"

#include "hw/prim/one_hot.h"
#include "hw/rtl/condition.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

// With short tags alone to compare it is known soon whether the probe's load joins.
WayEntries::WayEntries(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                       const std::string& name)
    : MshrFile(p, lines, name),
      ways(tags.ways),
      way_bits(bits_to_number(ways)),
      joins_soon_(traits_of(tags.tags).keeps_way && !hw::by_chunk(tags.tags) && !lines.tag_is_line) {}

void WayEntries::taken_port() { way = m.input("way", ways, "where its line will lie, one-hot"); }

void WayEntries::matched_port() { way_out = m.output("match_way", ways, "the entry's way, one-hot, or 0"); }

void WayEntries::filled_ports() {
  fill_way_out = m.output("fill_way", ways, "way of the fill's entry, one-hot");
  fill_early_out = m.output(
      "fill_way_early", ways,
      "way of the fill's entry, one-hot: kept so beside its number, for what has no time to decode it");
}

void WayEntries::replayed_port() { replay_way_out = m.output("replay_way", ways, "the way, one-hot"); }

void WayEntries::released_port() {
  dealloc_out = m.output("dealloc", 1, "the entry of the replay is freed, its way no longer busy");
}

void WayEntries::place_registers() {
  if (!way_bits) return;
  way_q = m.data_reg("way_q", entries_n * way_bits, "way of each entry, where a fill goes");
  way_bits_q = m.data_reg("way_bits_q", entries_n * ways,
                          "way of each entry once more, one-hot, for what has no time to decode it");
}

// Whether the tag-lookup stage moves on is known late: the entry of the next request and that of the one that
// stays are kept side by side.
void WayEntries::match_registers() {
  entered_q = m.reg("entered_q", 1, 0, "the request in the tag-lookup stage entered in the cycle before");
  coming_q = m.reg("coming_q", entries_n, 0, "the entry with its line, one-hot, if so");
  stayed_q =
      m.reg("stayed_q", entries_n, 0, "the entry with the line of the probe, one-hot, if the request stayed");
  match = m.let("match_bits", mux(entered_q, coming_q, stayed_q), "the matched entry, if match is set");
}

Expr WayEntries::of_match(const Expr& flags) const {
  return mux(entered_q, rtl::any(coming_q & flags), rtl::any(stayed_q & flags));
}

void WayEntries::next_match(const Expr& after) {
  m.clocked(
      "Entries that the next request and the one that stays match, side by side: whether the "
      "tag-lookup stage moves on is known late.",
      [&] {
        m.set(coming_q, after);
        m.set(stayed_q, match);
        m.set(entered_q, moves);
      });
}

void WayEntries::gather_match(const List& list) {
  gather("Of the entry that matched.", "of_match", matches, match, list);
}

void WayEntries::match_place(List& list) {
  if (ways > 1)
    entry_way = gathered(list, "entry_way", way_bits_q, ways, "way of the entry that matched, one-hot");
}

void WayEntries::assign_match_place() {
  if (ways > 1) return m.assign(way_out, entry_way);
  m.unused("unused_way", way, "the one way has no number");
  m.assign(way_out, matches);
}

void WayEntries::fill_places(const Expr& named) {
  if (!way_bits) {
    m.assign(fill_way_out, lit(1, 1));
    m.assign(fill_early_out, lit(1, 1));
    return;
  }
  List list;
  const Expr filled_way = gathered(list, "filled_way", way_q, way_bits, "way of the fill's entry");
  const Expr early = gathered(list, "filled_way_early", way_bits_q, ways,
                              "way of the fill's entry, one-hot, without a decoder");
  gather("Of the entry that a fill comes to.", "of_fill", rtl::Condition::always(), named, list);
  m.assign(fill_way_out,
           one_hot_of(m, "filled_way_bits", filled_way, ways, "way of the fill's entry, one-hot"));
  m.assign(fill_early_out, early);
}

void WayEntries::replay_registers() {
  replay_way_q = m.data_reg("replay_way_q", ways, "way of the entry, one-hot");
}

void WayEntries::replayed_place() { m.assign(replay_way_out, replay_way_q); }

void WayEntries::next_place() {
  next_way = ways > 1 ? of_next("way", way_bits_q, "way of the entry, one-hot") : lit(1, 1);
}

void WayEntries::take_place() { m.set(replay_way_q, next_way); }

void WayEntries::release_place() { m.assign(dealloc_out, freed); }

void WayEntries::new_slot() {
  if (way_bits) number = m.let("way_number", number_of(way), "of the new line's way");
}

void WayEntries::set_place(const Expr& entry) {
  if (!way_bits) return;
  m.set(way_q.part(entry, way_bits), number);
  m.set(way_bits_q.part(entry, ways), way);
}

void WayEntries::places_shown() {
  if (way_bits) m.observe("way", way_q, {{"entry", entries_n}});
}

}  // namespace hw
