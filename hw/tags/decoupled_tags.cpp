#include "hw/tags/decoupled_tags.h"

#include <fmt/format.h>

#include "hw/require.h"
#include "hw/tags/decoupled_changes.h"
#include "hw/tags/decoupled_parts.h"
#include "hw/tags/decoupled_way.h"
#include "hw/tags/replacement.h"
#include "hw/tags/tag_ranges.h"

namespace hw {

using rtl::Expr;

void check_decoupled(const TagParams& p, int /*tag_bits*/) {
  const int tags = p.decoupled.tags_per_way;
  require_in(DecoupledRanges::tags_per_way, "tags.decoupled.tags_per_way", tags,
             "use 2, the DSC-2 of the TSC paper");
  require(decoupled_entries(p) <= most_decoupled_entries, "tags.decoupled.tags_per_way", tags,
          fmt::format("makes {} tags of a set with {} ways; they must be at most {}", decoupled_entries(p),
                      p.ways, most_decoupled_entries),
          fmt::format("use at most {}, or fewer geometry.ways", most_decoupled_entries / p.ways));
  require(p.replacement == Replacement::lru, "tags.replacement", replacement_name(p.replacement),
          "is not what decoupled tags have: they are replaced by LRU", "use lru, or leave it out");
}

rtl::Module decoupled_tags(const TagParams& p, int tag_bits, const std::string& name) {
  const int ways = p.ways, chunks = chunks_of_line(p), tags = p.decoupled.tags_per_way;
  const auto s = [](int n) { return n == 1 ? "" : "s"; };
  DecoupledFrame f(
      p, tag_bits,
      rtl::Module(name,
                  fmt::format("Decoupled sectored tags of {} sets of {} way{} of {} chunk{}, {} tag{} a way "
                              "(DSC of the TSC paper).",
                              p.sets, ways, s(ways), chunks, s(chunks), tags, s(tags))));
  const DecoupledPorts ports(f);
  const auto& [enter, probe, leave, fill, replay, flush, present, drop, result] = ports;
  const DecoupledState state = decoupled_state(f, enter, probe.set);
  std::optional<Selectors> selectors;
  if (f.selector_width) selectors = stored_selectors(f, state.set, enter, probe.set, leave.allocate);
  std::optional<TagAges> ages;
  if (f.age_bits) ages = stored_ages(f);
  const LinesOfWays lines = lines_of_ways(f, state.places, selectors, probe.mask);
  const FoundLine found = find_line(f, state.set, ports, lines);
  const Expr line_way =
      plan_places(f, state.set, state.places.busy.row, lines, found.line, ages, probe.missed, result);
  std::optional<Expr> wrong;
  if (found.wrong)
    wrong = wrong_positions(f, state.places, selectors ? selectors->wrong : rtl::Condition(), lines,
                            *found.wrong, ports);
  const TakenPlaces taken = take_places(f, state.set, found, leave.allocate, probe.missed, result);
  const LostPlaces lost =
      lose_places(f, state.set, probe, leave, lines.owns, found.line, taken.places, wrong);

  if (selectors) change_selectors(f, *selectors, taken.places, result.tag.value());
  change_valid(f, ports, state, lost.cleared);
  change_busy(f, ports, state, line_way, taken.way);
  if (ages) change_ages(f, state.set, *ages, enter, found.line, probe.planned, leave.load);
  if (result.lost) count_losses(f, state.places, lines, lost.lost, leave.allocate, *result.lost);
  observe_places(f, state, selectors.has_value(), ages);
  return f.m;
}

}  // namespace hw
