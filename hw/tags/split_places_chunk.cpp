// Victims by chunk: in circular order from a random slot, those not recently used first; in a group with
// another tag the first victim opens the whole group (TSC paper, section 3).
#include <fmt/format.h>

#include "hw/tags/split_places_builder.h"

namespace hw {

using rtl::Expr, rtl::replicate;

void SplitPlaces::order_by_chunk() {
  search_order();
  openings();
  m.section("Who becomes a place before whom.");
  const Expr low = table(
      "low_slots", slots, slots, [](int row, int column, int) { return column < row; }, 0,
      "for each slot, the slots below it");
  const Expr own = table(
      "own_groups", slots, slots, [](int row, int column, int step) { return column / step == row / step; },
      per_group, "for each slot, the slots of its group");
  std::vector<Expr> earlier;
  for (std::size_t k = 1; k < classes.size(); ++k)
    earlier.push_back(m.let(fmt::format("before_class{}", k),
                            k == 1 ? classes[0] : earlier.back() | classes[k - 1],
                            "slots of earlier classes"));
  const Expr below = m.wire("class_before", slots * slots, "for each slot, those of its class before it");
  ahead = m.wire("ahead", slots * slots, "for each slot, the slots that become places before it");
  m.comb("The slot that opens a group comes first in it; else the order is ascending.", [&] {
    m.loop("s", slots, [&](const Expr& s) {
      const Expr group = own.part(s, slots), opening = opens.at(s);
      m.set(below.part(s, slots), (low.part(s, slots) & ~(group & replicate(slots, opening))) |
                                      (opens & group & replicate(slots, ~opening)));
      Expr rows = replicate(slots, classes[0].at(s)) & classes[0] & below.part(s, slots);
      for (std::size_t k = 1; k < classes.size(); ++k)
        rows = rows |
               (replicate(slots, classes[k].at(s)) & (earlier[k - 1] | (classes[k] & below.part(s, slots))));
      m.set(ahead.part(s, slots), rows);
    });
  });
}

void SplitPlaces::search_order() {
  m.section("The search for victims, in four parts.");
  const Expr behind = m.wire("from_start", slots, "slots at and above the start");
  m.comb("Compare with the start.", [&] {
    m.loop("slot", slots, [&](const Expr& s) { m.set(behind.at(s), s.slice(rank_bits - 1, 0) >= start); });
  });
  const Expr fresh = m.let("unused_victims", victims & ~used, "those not recently used");
  const Expr worn = m.let("used_victims", victims & used, "the others");
  searched = {m.let("part0", fresh & behind, "from the start on, not used"),
              m.let("part1", fresh & ~behind, "below the start, not used"),
              m.let("part2", worn & behind, "from the start on, used"),
              m.let("part3", worn & ~behind, "below the start, used")};
}

// A foreign group counts in the part in which its first victim is met, with all of its slots.
void SplitPlaces::openings() {
  m.section("Groups that are opened.");
  Expr still = foreign_groups, candidates;
  for (std::size_t k = 0; k < searched.size(); ++k) {
    const Expr met = in_groups(fmt::format("met{}", k), searched[k], "groups with a victim in the part");
    const Expr opened = m.let(fmt::format("opened{}", k), still & met, "foreign groups met there first");
    const Expr all = spread(fmt::format("open{}", k), opened, "their slots");
    if (k + 1 < searched.size())
      still = m.let(fmt::format("unmet{}", k), still & ~met, "foreign groups not met yet");
    const Expr first = searched[k] & all;
    candidates = candidates.known() ? candidates | first : first;
    classes.push_back(
        m.let(fmt::format("class{}", k + 2), (searched[k] & home) | all, "slots that it makes places"));
  }
  opens = lowest_in_groups(m.let("may_open", candidates, "victims that may be met first in their groups"));
}

// In steps of doubled reach; nobody stands above the last slot.
Expr SplitPlaces::lowest_in_groups(Expr candidates) {
  if (per_group == 1) return candidates;
  const auto inside = [&](const Expr& shifted, int by) {
    std::vector<std::uint64_t> same((static_cast<std::size_t>(shifted.width()) + 63) / 64);
    for (int s = 0; s < shifted.width(); ++s)
      if (s % per_group >= by) same[static_cast<std::size_t>(s) / 64] |= std::uint64_t{1} << s % 64;
    return shifted & rtl::wide_lit(shifted.width(), same);
  };
  const int n = slots - 1;
  Expr reach = m.let("may_open_within1", candidates.slice(n - 1, 0), "all but the last slot");
  for (int by = 1; by < per_group - 1; by *= 2)
    reach = m.let(fmt::format("may_open_within{}", 2 * by),
                  reach | inside(rtl::cat({reach.slice(n - 1 - by, 0), rtl::lit(by, 0)}), by),
                  fmt::format("one is set here or up to {} below in the group", 2 * by - 1));
  return m.let("opens", candidates & ~inside(rtl::cat({reach, rtl::lit(1, 0)}), 1),
               "the slot with which each foreign group is opened");
}

}  // namespace hw
