#include "hw/tags/reuse_filter_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/prim/least_of.h"
#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

const char* const least_doc = "the candidate with the smallest count, the lowest of several";

// In groups of up to eight entries, and then among their winners: pairs grow with the square.
Expr least_used(ReuseFrame& f, const Expr& rc, const Expr& candidates) {
  rtl::Module& m = f.m;
  const int entries = f.entries, rc_bits = f.rc_bits;
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

// Without an entry there is no line either, and the filter lets no load pass: who takes one is known without
// what the entries say, but for that. `movable`: some data way does not wait.
void take_entry(ReuseFrame& f, const ReuseTags& tags, const ReusePorts& ports, const Expr& movable,
                const rtl::Condition& can_take) {
  const ReuseLeave& leave = ports.leave;
  Expr leaves = leave.load & ~ports.probe.entry_match & leave.queue_not_full;
  if (!f.filters) leaves = leaves & leave.has_free.value() & movable;
  if (ports.probe.filter_enable)
    leaves = leaves & (*ports.probe.filter_enable | (leave.has_free.value() & movable));
  leaves = leaves & can_take;
  const Expr may_take = f.m.let("may_take", leaves, "the probe is a load that takes an entry if it has none");
  f.m.assign(tags.takes, may_take & ~tags.has_entry);
}

}  // namespace

// With more entries than data ways some entry has no line, and can go.
ReplacementLogic choose_entry(ReuseFrame& f, const ReuseState& state, const DataLinks& links,
                              const ReuseTags& tags, const Expr& counts, const ReusePorts& ports) {
  rtl::Module& m = f.m;
  const bool spare = f.entries > f.ways, dataless = f.p.reuse.tag_victim == TagVictim::dataless_lfu;
  m.section("The entry for a line that has none: the lowest that stands for no line, else the victim.");
  const Expr movable = m.let("movable_ways", ~state.busy_now, "data ways that do not wait");
  const ReplacementLogic oldest =
      replacement(m, f.p, {ports.probe.set, ports.enter.set, state.turnover, state.late}, movable);
  const Expr some_movable = m.let("some_movable", rtl::any(movable), "there is one");
  std::optional<Expr> settled;
  if (!spare || !dataless)
    settled = m.let("settled", ~links.holders_of(state.busy_now), "entries that do not wait for a line");
  rtl::Condition can_take = rtl::Condition::always();  // some entry is settled
  if (!spare) can_take = m.let("can_take", rtl::any(settled.value()), "there is one");
  m.assign(ports.result.can_allocate, spare ? some_movable : some_movable & (tags.has_entry | can_take));
  const Expr candidates =
      dataless ? m.let("dataless", ~links.holders_of(links.occupied()), "entries that have no line")
               : settled.value();
  Expr chosen = least_used(f, counts, candidates);
  if (!spare && dataless) chosen = mux(rtl::any(candidates), chosen, links.holders_of(oldest.victim));
  const Expr unknown = m.let("unknown", ~state.known.row, "entries that stand for no line");
  const Expr lowest = lowest_of(m, "lowest_unknown", unknown, "the lowest of them, one-hot");
  m.assign(tags.new_entry, mux(rtl::all(state.known.row), chosen, lowest));
  take_entry(f, tags, ports, some_movable, can_take);
  return oldest;
}

// Where the filter is always on, a line that has no entry takes no data way, and the victim's is none to
// take.
ChosenWay choose_way(ReuseFrame& f, const ReuseState& state, const DataLinks& links, const ReuseTags& tags,
                     const Expr& line_way, const ReplacementLogic& oldest, const ReusePorts& ports) {
  rtl::Module& m = f.m;
  const ReuseLeave& leave = ports.leave;
  const ReuseResult& result = ports.result;
  m.section("The data way for a line: the lowest free one, the victim's included, else the oldest.");
  const Expr taken = m.let("taken_way", links.ways_of(tags.new_entry) & state.valid.row,
                           "the data way whose line goes with its entry");
  const bool freed = !f.filters || f.p.reuse.follow;
  const Expr free = ~links.occupied();
  const Expr open = m.let("open_ways", freed ? free | (taken & f.of_ways(~tags.has_entry)) : free,
                          "data ways that a line may have without another's going");
  const Expr none_open = m.let("none_open", ~rtl::any(open), "a line must go");
  const Expr lowest = lowest_of(m, "lowest_open", open, "the data way, if there is one");
  m.assign(tags.new_way, mux(none_open, oldest.victim, lowest));
  const Expr none = m.let("no_line", ~(ports.probe.entry_match | rtl::any(result.match)),
                          "no data way has the probe's line");
  m.assign(result.way, line_way | (tags.new_way & f.of_ways(none)));
  Expr touches = leave.bypass ? m.let("touches", leave.load & ~*leave.bypass,
                                      "a load that has, awaits or takes a data way")
                              : leave.load;
  // With protected tags the row may change before the request leaves.
  if (tags.wrong) touches = m.let("touches_now", touches & ports.enter.moves, "and it leaves");
  oldest.update({.way = result.way, .touches = touches});
  if (result.evicted)
    m.assign(*result.evicted, (tags.takes & rtl::any(taken)) | (leave.allocate & none_open));
  return {taken, touches};
}

namespace {

// Entries that a load of the probe's line changes.
struct ChangedEntries {
  Expr own, unlinked, loser, used;  // takes a data way; links that end; of the line that goes; of the load
};
ChangedEntries changed_entries(ReuseFrame& f, const ReuseState& state, const DataLinks& links,
                               const ReuseTags& tags, const Expr& allocate) {
  rtl::Module& m = f.m;
  const Expr taking = f.of_entries(allocate);
  const Expr own = m.let("own", (tags.found | tags.written) & taking, "the entry that takes a data way");
  const Expr unlinked =
      m.let("unlinked", tags.written | (links.holders_of(tags.new_way) & taking), "entries whose link ends");
  const Expr emptied =
      m.let("emptied", tags.new_way & state.valid.row, "the data way whose line is replaced");
  return {own, unlinked, m.let("loser", links.holders_of(emptied), "the entry of that line"), tags.found};
}

}  // namespace

void next_reuse(ReuseFrame& f, const ReuseState& state, const DataLinks& links, const ReuseTags& tags,
                const ReuseRow& row, const Expr& entry_way, const Expr& allocate) {
  rtl::Module& m = f.m;
  const int entries = f.entries, rc_bits = f.rc_bits;
  m.section("Reuse counts, links and positions after this cycle, if a load leaves.");
  ChangedEntries changed = changed_entries(f, state, links, tags, allocate);
  const Expr raised = m.wire("raised_counts", entries * rc_bits, "counts of entries that are used");
  const Expr aged = m.wire("aged_counts", entries * rc_bits, "counts of the others when a data way is taken");
  const Expr rc_after = m.wire("rc_after", entries * rc_bits, "reuse counts");
  std::optional<Expr> positions_after;
  if (row.positions) positions_after = m.wire("positions_after", entries * f.position_bits, "positions");
  const Expr number = number_of(tags.new_way);
  if (tags.wrong) {
    const Expr of_entry =
        m.let("entry_of_mshr", links.holders_of(entry_way), "the entry of the MSHR entry's line");
    changed.used = m.let("used", tags.found | of_entry, "the entry of the probe's line");
  }
  m.comb("Entries after this cycle: the others of the set age when a data way is taken.", [&] {
    m.loop("entry", entries, [&](const Expr& e) {
      const Expr count = row.counts.part(e, rc_bits), here = aged.part(e, rc_bits);
      m.set(raised.part(e, rc_bits), mux(rtl::all(count), count, count + lit(rc_bits, 1)));
      m.set(here, mux(changed.loser.at(e), lit(rc_bits, 0), count - rtl::zext(rtl::any(count), rc_bits)));
      const Expr others = mux(tags.written.at(e), lit(rc_bits, 1), mux(allocate, here, count));
      m.set(rc_after.part(e, rc_bits), mux(changed.used.at(e), raised.part(e, rc_bits), others));
      if (positions_after)
        m.set(positions_after->part(e, f.position_bits),
              mux(changed.own.at(e), number, row.positions->part(e, f.position_bits)));
    });
  });
  const Expr linked = (row.linked & ~changed.unlinked) | changed.own;
  m.assign(row.after, cat(positions_after ? std::vector<Expr>{*positions_after, linked, rc_after}
                                          : std::vector<Expr>{linked, rc_after}));
}

}  // namespace hw
