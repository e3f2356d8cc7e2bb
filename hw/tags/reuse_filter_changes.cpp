// Reuse-count filter: state a set, of which the probe's row lies in registers and reaches the arrays a cycle
// later.
#include "hw/tags/reuse_filter_builder.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

// A request that enters takes its set's row as this cycle leaves it.
void ReuseFilterBuilder::entry_changes() {
  m.section("Changes.");
  const Expr changes = m.let("changes", (moves & touches) | takes | invalidate, "the probe changes its set");
  remember(m, late, set, changes);
  const Expr after = m.let("entries_after", known | written, "entries after this cycle");
  m.clocked("Entries that stand for a line.", [&] {
    m.when(late.changed, [&] {
      set_row(m, "entered_set", entry_valid_q, late.set, entries, [&](const Expr&) { return late_known; });
    });
    m.when(flush, [&] { m.set(entry_valid_q, lit(sets * entries, 0)); });
  });
  m.clocked("Entries that the array takes over.", [&] { m.set(late_known, after); });
  const Expr coming =
      m.let("coming_entries", mux(late.entered, late_known, entry_valid_q.part(enter_set, entries)),
            "the next request's set");
  const Expr kept =
      m.let("kept_entries", after & ~replicate(entries, flush), "the probe's set, with a flush");
  m.clocked("Entries of the probe's set.", [&] { m.set(known, next_row(turnover, coming, kept, kept)); });
}

void ReuseFilterBuilder::valid_changes() {
  const auto filled_if = [&](const Expr& here) { return fill_way & replicate(ways, fill & here); };
  const Expr cleared = m.let("cleared",
                             (taken_way & replicate(ways, takes)) | (new_way & replicate(ways, allocate)) |
                                 (line_way & replicate(ways, invalidate)),
                             "data ways whose lines the probe makes invalid");
  const Expr after = m.let("valid_after", (valid | filled_if(fill_set == set)) & ~cleared,
                           "the probe's set after this cycle");
  const Expr row = m.let("late_valid", late_valid | filled_if(fill_set == late.set),
                         "the row that the array takes over, with what a fill sets there");
  m.clocked("Valid lines: a flush wins over a probe, a probe over a fill.", [&] {
    m.when(fill, [&] {
      set_row(m, "filled_set", valid_q, fill_set, ways, [&](const Expr& now) { return now | fill_way; });
    });
    m.when(late.changed,
           [&] { set_row(m, "probed_set", valid_q, late.set, ways, [&](const Expr&) { return row; }); });
    m.when(flush, [&] { m.set(valid_q, lit(sets * ways, 0)); });
  });
  m.clocked("Valid lines that the array takes over.", [&] { m.set(late_valid, after); });
  const Expr coming =
      m.let("coming_valid",
            mux(late.entered, late_valid, valid_q.part(enter_set, ways)) | filled_if(fill_set == enter_set),
            "the next request's set after this cycle");
  const Expr kept = m.let("kept_valid", after & ~replicate(ways, flush), "the probe's set, with a flush");
  m.clocked("Valid lines of the probe's set.", [&] { m.set(valid, next_row(turnover, coming, kept, kept)); });
}

// The data way of a freed entry stays in the registers for a cycle more, and is taken out wherever it is
// read.
Expr ReuseFilterBuilder::vacated_in(const Expr& of_set) const {
  return vacated_way & replicate(ways, vacated & (vacated_set == of_set));
}

void ReuseFilterBuilder::busy_changes() {
  const Expr after =
      m.let("busy_after", busy | (new_way & replicate(ways, allocate)), "the probe's set after this cycle");
  const Expr row = m.let("late_busy", late_busy & ~vacated_in(late.set), "the row that the array takes over");
  m.clocked("Busy data ways.", [&] {
    m.when(vacated, [&] {
      set_row(m, "vacated_set", busy_q, vacated_set, ways,
              [&](const Expr& now) { return now & ~vacated_way; });
    });
    m.when(late.changed,
           [&] { set_row(m, "taken_set", busy_q, late.set, ways, [&](const Expr&) { return row; }); });
  });
  m.clocked("Whether a data way is vacated.", [&] { m.set(vacated, vacate); });
  m.clocked("Busy data ways that the array takes over.", [&] { m.set(late_busy, after); });
  m.clocked("Which data way.", [&] {
    m.set(vacated_set, vacate_set);
    m.set(vacated_way, vacate_way);
  });
  const Expr coming = m.let(
      "coming_busy", mux(late.entered, late_busy, busy_q.part(enter_set, ways)) & ~vacated_in(enter_set),
      "the next request's set");
  m.clocked("Busy data ways of the probe's set.",
            [&] { m.set(row_busy, next_row(turnover, coming, after, after)); });
}

// What the probe changed in the cycle before is on its way into the arrays.
void ReuseFilterBuilder::shown() {
  const Expr looked = m.looked_at("set", set_bits), changed = late.changed & (late.set == looked);
  const Expr lines = mux(changed, late_valid, valid_q.part(looked, ways));
  const Expr taken = mux(changed, late_busy, busy_q.part(looked, ways)) & ~vacated_in(looked);
  m.observe("valid", lines, {{"way", ways}});
  m.observe("busy", taken, {{"way", ways}});
  m.observe("entry_valid", mux(changed, late_known, entry_valid_q.part(looked, entries)),
            {{"entry", entries}});
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
