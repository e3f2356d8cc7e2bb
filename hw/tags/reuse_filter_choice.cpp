// Reuse-count filter: which entry and which data way a load takes, and what it leaves behind.
#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/tags/reuse_filter_builder.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

// A tree of comparisons; of equal keys the lower entry's wins.
ReuseFilterBuilder::Least ReuseFilterBuilder::least(const Expr& keys, int first, int count, bool last) {
  const int bits = rc_bits + 1;
  if (count == 1) return {keys.slice((first + 1) * bits - 1, first * bits), {}};
  const Least low = least(keys, first, (count + 1) / 2, false);
  const Least high = least(keys, first + (count + 1) / 2, count / 2, false);
  const std::string range = fmt::format("{}to{}", first, first + count - 1);
  const Expr above = m.let("above_in_" + range, high.key < low.key, "it is in the upper half");
  const auto half = [&](const Least& part, const Expr& chosen) {
    return part.entry.known() ? part.entry & replicate(part.entry.width(), chosen) : chosen;
  };
  const Expr entry =
      m.let("least_of_" + range, cat({half(high, above), half(low, ~above)}), "the one with the least key");
  if (last) return {{}, entry};
  return {m.let("key_of_" + range, mux(above, high.key, low.key), "its key"), entry};
}

// The candidate with the smallest reuse count: others have keys above all counts.
Expr ReuseFilterBuilder::least_used(const Expr& candidates) {
  const int bits = rc_bits + 1;
  const Expr keys = m.wire("keys", entries * bits, "reuse counts, above all for those that may not go");
  m.comb("What to compare.", [&] {
    m.loop("key_entry", entries, [&](const Expr& e) {
      m.set(keys.part(e, bits), cat({~candidates.at(e), rc.part(e, rc_bits)}));
    });
  });
  return least(keys, 0, entries, true).entry;
}

// With more entries than data ways some entry has no line, and can go.
void ReuseFilterBuilder::entry_choice() {
  const bool spare = entries > ways, dataless = p.reuse.tag_victim == TagVictim::dataless_lfu;
  m.section("The entry for a line that has none: the lowest that stands for no line, else the victim.");
  const Expr movable = m.let("movable_ways", ~busy, "data ways that do not wait");
  oldest = replacement(m, p, {set, enter, enter_set, same}, movable);
  Expr places = rtl::any(movable), settled;
  if (!spare || !dataless)
    settled = m.let("settled", ~holders_of(busy), "entries that do not wait for a line");
  if (!spare) {
    can_take = m.let("can_take", rtl::any(settled), "there is one");
    places = places & (has_entry | can_take);
  }
  m.assign(can_allocate_out, places);
  const Expr candidates =
      dataless ? m.let("dataless", ~holders_of(occupied), "entries that have no line") : settled;
  Expr chosen = least_used(candidates);
  if (!spare && dataless) chosen = mux(rtl::any(candidates), chosen, holders_of(oldest.victim));
  const Expr unknown = m.let("unknown", ~known, "entries that stand for no line");
  const Expr lowest = lowest_of(m, "lowest_unknown", unknown, "the lowest of them, one-hot");
  m.assign(new_entry, mux(rtl::all(known), chosen, lowest));
  const Expr leaves = filters ? allocate | bypass : allocate;
  m.assign(takes, filters && !spare ? leaves & ~has_entry & can_take : leaves & ~has_entry);
}

// Where the filter is always on, a line that has no entry takes no data way, and the victim's is none to
// take.
void ReuseFilterBuilder::way_choice() {
  m.section("The data way for a line: the lowest free one, the victim's included, else the oldest.");
  taken_way = m.let("taken_way", ways_of(new_entry) & valid, "the data way whose line goes with its entry");
  const bool freed = !filters || p.reuse.follow;
  const Expr open =
      m.let("open_ways", freed ? ~occupied | (taken_way & replicate(ways, ~has_entry)) : ~occupied,
            "data ways that a line may have without another's going");
  const Expr none_open = m.let("none_open", ~rtl::any(open), "a line must go");
  const Expr lowest = lowest_of(m, "lowest_open", open, "the data way, if there is one");
  m.assign(new_way, mux(none_open, oldest.victim, lowest));
  const Expr none =
      m.let("no_line", ~(entry_match | rtl::any(match_out)), "no data way has the probe's line");
  m.assign(way_out, line_way | (new_way & replicate(ways, none)));
  oldest.update(touch, way_out, {});
  if (p.counters) m.assign(evicted_out, (takes & rtl::any(taken_way)) | (allocate & none_open));
}

void ReuseFilterBuilder::next_reuse() {
  m.section("Reuse counts, links and positions after this cycle, if a load leaves.");
  const auto all_of = [&](const Expr& bit) { return replicate(entries, bit); };
  const Expr own = m.let("own", (found | written) & all_of(allocate), "the entry that takes a data way");
  const Expr unlinked =
      m.let("unlinked", written | (holders_of(new_way) & all_of(allocate)), "entries whose link ends");
  const Expr emptied = m.let("emptied", new_way & valid, "the data way whose line makes room");
  const Expr loser = m.let("loser", holders_of(emptied), "the entry of that line");
  const Expr rc_after = m.wire("rc_after", entries * rc_bits, "reuse counts");
  const Expr positions_after =
      position_bits ? m.wire("positions_after", entries * position_bits, "positions") : Expr{};
  const Expr number = number_of(new_way);
  m.comb("Entries after this cycle: the others of the set age when a data way is taken.", [&] {
    m.loop("entry", entries, [&](const Expr& e) {
      const Expr count = rc.part(e, rc_bits);
      const Expr raised = mux(rtl::all(count), count, count + lit(rc_bits, 1));
      const Expr aged = mux(loser.at(e), lit(rc_bits, 0), count - rtl::zext(rtl::any(count), rc_bits));
      m.set(rc_after.part(e, rc_bits),
            mux(found.at(e), raised, mux(written.at(e), lit(rc_bits, 1), mux(allocate, aged, count))));
      if (position_bits)
        m.set(positions_after.part(e, position_bits),
              mux(own.at(e), number, positions.part(e, position_bits)));
    });
  });
  m.assign(row_after,
           cat(position_bits ? std::vector<Expr>{positions_after, (linked & ~unlinked) | own, rc_after}
                             : std::vector<Expr>{(linked & ~unlinked) | own, rc_after}));
}

// A request that enters takes its set's row as this cycle leaves it.
void ReuseFilterBuilder::valid_changes() {
  m.section("Changes.");
  const Expr entries_after = m.let("entries_after", known | written, "entries after this cycle");
  m.clocked("Entries that stand for a line.", [&] {
    m.when(takes, [&] { m.set(entry_valid_q.part(set, entries), entries_after); });
    m.when(flush, [&] { m.set(entry_valid_q, lit(sets * entries, 0)); });
  });
  m.clocked("Those of the probe's set.", [&] {
    m.set(known, entries_after & ~replicate(entries, flush));
    m.when(enter & ~same, [&] { m.set(known, entry_valid_q.part(enter_set, entries)); });
  });

  const auto filled_if = [&](const Expr& here) { return fill_way & replicate(ways, fill & here); };
  const Expr cleared = m.let("cleared",
                             (taken_way & replicate(ways, takes)) | (new_way & replicate(ways, allocate)) |
                                 (line_way & replicate(ways, invalidate)),
                             "data ways whose lines the probe makes invalid");
  const Expr clears = m.let("clears", takes | allocate | invalidate, "it may do so");
  const Expr after = m.let("valid_after", (valid | filled_if(fill_set == set)) & ~cleared,
                           "the probe's set after this cycle");
  m.clocked("Valid lines: a flush wins over a probe, a probe over a fill.", [&] {
    m.when(fill, [&] { m.set(valid_q.part(fill_set, ways), valid_q.part(fill_set, ways) | fill_way); });
    m.when(clears, [&] { m.set(valid_q.part(set, ways), after); });
    m.when(flush, [&] { m.set(valid_q, lit(sets * ways, 0)); });
  });
  m.clocked("Valid lines of the probe's set.", [&] {
    m.set(valid, after & ~replicate(ways, flush));
    m.when(enter & ~same,
           [&] { m.set(valid, valid_q.part(enter_set, ways) | filled_if(fill_set == enter_set)); });
  });
}

void ReuseFilterBuilder::busy_changes() {
  const auto freed_if = [&](const Expr& here) { return vacate_way & replicate(ways, vacate & here); };
  const Expr after =
      m.let("busy_after", (busy & ~freed_if(vacate_set == set)) | (new_way & replicate(ways, allocate)),
            "the probe's set after this cycle");
  m.clocked("Busy data ways.", [&] {
    m.when(vacate,
           [&] { m.set(busy_q.part(vacate_set, ways), busy_q.part(vacate_set, ways) & ~vacate_way); });
    m.when(allocate, [&] { m.set(busy_q.part(set, ways), after); });
  });
  m.clocked("Busy data ways of the probe's set.", [&] {
    m.set(busy, after);
    m.when(enter & ~same,
           [&] { m.set(busy, busy_q.part(enter_set, ways) & ~freed_if(vacate_set == enter_set)); });
  });
}

}  // namespace hw
