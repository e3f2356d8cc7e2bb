// Reuse-count filter: state a set, of which the probe's row lies in registers and reaches the arrays a cycle
// later.
#include "hw/tags/reuse_filter_builder.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

// A request that enters takes its set's row as this cycle leaves it.
void ReuseFilterBuilder::entry_changes() {
  m.section("Changes.");
  Expr changes_it = (moves & touches) | takes | invalidate;
  if (emptied.can_be()) changes_it = changes_it | wrong_out;
  const Expr changes = m.let("changes", changes_it, "the probe changes its set");
  remember(m, late, set, changes);
  const Expr stays = emptied.can_be() ? known.row & ~emptied.when() : known.row;
  const Expr after = m.let("entries_after", stays | written, "entries after this cycle");
  m.clocked("Entries that stand for a line.", [&] {
    known.take_over(m, late, "entered_set");
    m.when(flush, [&] { m.set(known.array, lit(sets * entries, 0)); });
  });
  m.clocked("Entries that the array takes over.", [&] { m.set(known.late, after); });
  const Expr coming =
      m.let("coming_entries", known.coming(late, known.of(enter_set)), "the next request's set");
  const Expr kept =
      m.let("kept_entries", after & ~replicate(entries, flush), "the probe's set, with a flush");
  known.turn(m, "Entries of the probe's set.", turnover, coming, kept, kept);
}

// Less the line with wrong data that goes.
Expr ReuseFilterBuilder::dropped_from(const Expr& row, const Expr& of_set) const {
  if (!drop.can_be()) return row;
  return row & ~(drop_way & replicate(ways, drop & (drop_set == of_set)));
}

void ReuseFilterBuilder::valid_changes() {
  const auto filled_if = [&](const Expr& here) { return fill_way & replicate(ways, fill & here); };
  Expr clears = (taken_way & replicate(ways, takes)) | (new_way & replicate(ways, allocate)) |
                (line_way & replicate(ways, invalidate));
  if (emptied.can_be())
    clears = clears | m.let("emptied_ways", ways_of(emptied.when()), "data ways of those that go");
  const Expr cleared = m.let("cleared", clears, "data ways whose lines the probe makes invalid");
  const Expr after =
      m.let("valid_after", dropped_from((valid.row | filled_if(fill_set == set)) & ~cleared, set),
            "the probe's set after this cycle");
  const Expr row = m.let("late_valid", dropped_from(valid.late | filled_if(fill_set == late.set), late.set),
                         "the row that the array takes over, with what a fill sets there");
  m.clocked("Valid lines: a flush wins over a probe, a probe over a fill.", [&] {
    m.when(fill, [&] {
      set_row(m, "filled_set", valid.array, fill_set, ways, [&](const Expr& now) { return now | fill_way; });
    });
    if (drop.can_be())
      m.when(drop.when(), [&] {
        const Expr beside = filled_if(fill_set == drop_set);
        set_row(m, "dropped_set", valid.array, drop_set, ways,
                [&](const Expr& now) { return (now | beside) & ~drop_way; });
      });
    valid.take_over(m, late, "probed_set", row);
    m.when(flush, [&] { m.set(valid.array, lit(sets * ways, 0)); });
  });
  m.clocked("Valid lines that the array takes over.", [&] { m.set(valid.late, after); });
  const Expr coming = m.let(
      "coming_valid",
      dropped_from(valid.coming(late, valid.of(enter_set)) | filled_if(fill_set == enter_set), enter_set),
      "the next request's set after this cycle");
  const Expr kept = m.let("kept_valid", after & ~replicate(ways, flush), "the probe's set, with a flush");
  valid.turn(m, "Valid lines of the probe's set.", turnover, coming, kept, kept);
}

// The data way of a freed entry stays in the registers for a cycle more, and is taken out wherever it is
// read.
Expr ReuseFilterBuilder::deallocated_in(const Expr& of_set) const {
  return deallocated_way & replicate(ways, deallocated & (deallocated_set == of_set));
}

void ReuseFilterBuilder::busy_changes() {
  const Expr after = m.let("busy_after", busy_now | (new_way & replicate(ways, allocate)),
                           "the probe's set after this cycle");
  const Expr row =
      m.let("late_busy", busy.late & ~deallocated_in(late.set), "the row that the array takes over");
  m.clocked("Busy data ways.", [&] {
    m.when(deallocated, [&] {
      set_row(m, "deallocated_set", busy.array, deallocated_set, ways,
              [&](const Expr& now) { return now & ~deallocated_way; });
    });
    busy.take_over(m, late, "taken_set", row);
  });
  m.clocked("Whether a data way is released.", [&] { m.set(deallocated, dealloc); });
  m.clocked("Busy data ways that the array takes over.", [&] { m.set(busy.late, after); });
  m.clocked("The data way that is released, and the set.", [&] {
    m.set(deallocated_set, dealloc_set);
    m.set(deallocated_way, dealloc_way);
  });
  const Expr coming = m.let("coming_busy", busy.coming(late, busy.of(enter_set)) & ~deallocated_in(enter_set),
                            "the next request's set");
  busy.turn(m, "Busy data ways of the probe's set.", turnover, coming, after, after);
}

// What the probe changed in the cycle before is on its way into the arrays.
void ReuseFilterBuilder::shown() {
  const Expr looked = m.looked_at("set", set_bits);
  const Expr lines = valid.now(late, looked, valid.of(looked));
  const Expr taken = busy.now(late, looked, busy.of(looked)) & ~deallocated_in(looked);
  m.observe("valid", lines, {{"way", ways}});
  m.observe("busy", taken, {{"way", ways}});
  m.observe("entry_valid", known.now(late, looked, known.of(looked)), {{"entry", entries}});
  const Expr row = m.stored("reuse", looked);
  const int links_at = entries * rc_bits, positions_at = links_at + entries;
  m.observe("reuse_count", row.slice(links_at - 1, 0), {{"entry", entries}});
  std::vector<Expr> has_line;
  for (int e = entries - 1; e >= 0; --e) {
    std::vector<Expr> at;  // its data way, one-hot
    const int low = positions_at + e * position_bits;
    for (int w = ways - 1; w >= 0; --w)
      at.push_back(position_bits ? row.slice(low + position_bits - 1, low) ==
                                       lit(position_bits, static_cast<std::uint64_t>(w))
                                 : lit(1, 1));
    has_line.push_back(row.bit(links_at + e) & rtl::any((lines | taken) & rtl::cat(at)));
  }
  m.observe("has_line", rtl::cat(has_line), {{"entry", entries}});
  if (position_bits) m.observe("position", row.slice(row.width() - 1, positions_at), {{"entry", entries}});
}

}  // namespace hw
