// Reuse-count filter: which entry and which data way a load takes, and what it leaves behind.
#include <fmt/format.h>

#include <algorithm>

#include "hw/prim/least_of.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/reuse_filter_builder.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

namespace {

const char* const least_doc = "the candidate with the smallest count, the lowest of several";

}  // namespace

// In groups of up to eight entries, and then among their winners: pairs grow with the square.
Expr ReuseFilterBuilder::least_used(const Expr& candidates) {
  const int groups = (entries + 7) / 8, size = (entries + groups - 1) / groups;
  const auto count = [&](int e) { return rc.slice((e + 1) * rc_bits - 1, e * rc_bits); };
  std::vector<Expr> winners, counts, some;
  for (int first = 0; first < entries; first += size) {
    const int last = std::min(first + size, entries) - 1;
    const Expr own = rc.slice((last + 1) * rc_bits - 1, first * rc_bits);
    if (groups == 1) return least_of(m, "entry_least", own, candidates, least_doc);
    const std::string name = fmt::format("from{}", first);
    const Expr here = m.let(name + "_candidates", candidates.slice(last, first), "candidates of the group");
    const Expr winner = least_of(m, name + "_least", own, here, least_doc);
    Expr least = count(first) & replicate(rc_bits, winner.bit(0));
    for (int e = first + 1; e <= last; ++e)
      least = least | (count(e) & replicate(rc_bits, winner.bit(e - first)));
    winners.push_back(winner);
    counts.push_back(m.let(name + "_count", least, "reuse count of the winner"));
    some.insert(some.begin(), rtl::any(here));
  }
  const Expr groups_with = m.let("group_candidates", cat(some), "groups that have one");
  const Expr group = least_of(m, "group_least", cat(std::vector<Expr>(counts.rbegin(), counts.rend())),
                              groups_with, least_doc);
  std::vector<Expr> all;
  for (std::size_t g = winners.size(); g-- > 0;)
    all.push_back(winners[g] & replicate(winners[g].width(), group.bit(static_cast<int>(g))));
  return m.let("least", cat(all), "the candidate with the smallest count of all");
}

// With more entries than data ways some entry has no line, and can go.
void ReuseFilterBuilder::entry_choice() {
  const bool spare = entries > ways, dataless = p.reuse.tag_victim == TagVictim::dataless_lfu;
  m.section("The entry for a line that has none: the lowest that stands for no line, else the victim.");
  const Expr movable = m.let("movable_ways", ~busy_now, "data ways that do not wait");
  oldest = replacement(m, p, {set, enter_set, turnover, late}, movable);
  const Expr some_movable = m.let("some_movable", rtl::any(movable), "there is one");
  Expr places = some_movable, settled;
  if (!spare || !dataless)
    settled = m.let("settled", ~holders_of(busy_now), "entries that do not wait for a line");
  if (!spare) {
    can_take = m.let("can_take", rtl::any(settled), "there is one");
    places = places & (has_entry | can_take);
  }
  m.assign(can_allocate_out, places);
  const Expr candidates =
      dataless ? m.let("dataless", ~holders_of(occupied), "entries that have no line") : settled;
  Expr chosen = least_used(candidates);
  if (!spare && dataless) chosen = mux(rtl::any(candidates), chosen, holders_of(oldest.victim));
  const Expr unknown = m.let("unknown", ~known.row, "entries that stand for no line");
  const Expr lowest = lowest_of(m, "lowest_unknown", unknown, "the lowest of them, one-hot");
  m.assign(new_entry, mux(rtl::all(known.row), chosen, lowest));
  entry_taken(some_movable);
}

// Without an entry there is no line either, and the filter lets no load pass: who takes one is known without
// what the entries say, but for that.
void ReuseFilterBuilder::entry_taken(const Expr& movable) {
  Expr leaves = load & ~entry_match & queue_not_full;
  if (!filters) leaves = leaves & has_free & movable;
  if (filters && p.reuse.follow) leaves = leaves & (filter_enable | (has_free & movable));
  leaves = leaves & can_take;
  const Expr may_take = m.let("may_take", leaves, "the probe is a load that takes an entry if it has none");
  m.assign(takes, may_take & ~has_entry);
}

// Where the filter is always on, a line that has no entry takes no data way, and the victim's is none to
// take.
void ReuseFilterBuilder::way_choice() {
  m.section("The data way for a line: the lowest free one, the victim's included, else the oldest.");
  taken_way =
      m.let("taken_way", ways_of(new_entry) & valid.row, "the data way whose line goes with its entry");
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
  touches = filters ? m.let("touches", load & ~bypass, "a load that has, awaits or takes a data way") : load;
  // With protected tags the row may change before the request leaves.
  if (strange) touches = m.let("touches_now", touches & moves, "and it leaves");
  oldest.update(touches, way_out, {});
  if (p.counters) m.assign(evicted_out, (takes & rtl::any(taken_way)) | (allocate & none_open));
}

void ReuseFilterBuilder::next_reuse() {
  m.section("Reuse counts, links and positions after this cycle, if a load leaves.");
  const auto all_of = [&](const Expr& bit) { return replicate(entries, bit); };
  const Expr own = m.let("own", (found | written) & all_of(allocate), "the entry that takes a data way");
  const Expr unlinked =
      m.let("unlinked", written | (holders_of(new_way) & all_of(allocate)), "entries whose link ends");
  const Expr emptied = m.let("emptied", new_way & valid.row, "the data way whose line is replaced");
  const Expr loser = m.let("loser", holders_of(emptied), "the entry of that line");
  const Expr raised = m.wire("raised_counts", entries * rc_bits, "counts of entries that are used");
  const Expr aged = m.wire("aged_counts", entries * rc_bits, "counts of the others when a data way is taken");
  const Expr rc_after = m.wire("rc_after", entries * rc_bits, "reuse counts");
  const Expr positions_after =
      position_bits ? m.wire("positions_after", entries * position_bits, "positions") : Expr{};
  const Expr number = number_of(new_way);
  Expr used = found;
  if (strange) {
    const Expr of_entry = m.let("entry_of_mshr", holders_of(entry_way), "the entry of the MSHR entry's line");
    used = m.let("used", found | of_entry, "the entry of the probe's line");
  }
  m.comb("Entries after this cycle: the others of the set age when a data way is taken.", [&] {
    m.loop("entry", entries, [&](const Expr& e) {
      const Expr count = rc.part(e, rc_bits), here = aged.part(e, rc_bits);
      m.set(raised.part(e, rc_bits), mux(rtl::all(count), count, count + lit(rc_bits, 1)));
      m.set(here, mux(loser.at(e), lit(rc_bits, 0), count - rtl::zext(rtl::any(count), rc_bits)));
      const Expr others = mux(written.at(e), lit(rc_bits, 1), mux(allocate, here, count));
      m.set(rc_after.part(e, rc_bits), mux(used.at(e), raised.part(e, rc_bits), others));
      if (position_bits)
        m.set(positions_after.part(e, position_bits),
              mux(own.at(e), number, positions.part(e, position_bits)));
    });
  });
  m.assign(row_after,
           cat(position_bits ? std::vector<Expr>{positions_after, (linked & ~unlinked) | own, rc_after}
                             : std::vector<Expr>{(linked & ~unlinked) | own, rc_after}));
}

}  // namespace hw
