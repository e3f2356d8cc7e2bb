#include "hw/tags/reuse_filter_changes.h"

#include "hw/tags/reuse_filter.h"

namespace hw {

using rtl::Expr, rtl::lit;

// A request that enters takes its set's row as this cycle leaves it.
void change_entries(ReuseFrame& f, const ReuseState& state, const ReuseTags& tags, const ReusePorts& ports,
                    const Expr& touches, const rtl::Condition& emptied) {
  rtl::Module& m = f.m;
  const SetState& known = state.known;
  const LateRow& late = state.late;
  m.section("Changes.");
  Expr changes_it = (ports.enter.moves & touches) | tags.takes | ports.leave.invalidate;
  if (emptied.can_be()) changes_it = changes_it | ports.result.tags_wrong.value();
  const Expr changes = m.let("changes", changes_it, "the probe changes its set");
  remember(m, late, ports.probe.set, changes);
  const Expr stays = emptied.can_be() ? known.row & ~emptied.when() : known.row;
  const Expr after = m.let("entries_after", stays | tags.written, "entries after this cycle");
  m.clocked("Entries that stand for a line.", [&] {
    known.take_over(m, late, "entered_set");
    m.when(ports.flush, [&] { m.set(known.array, lit(f.sets * f.entries, 0)); });
  });
  m.clocked("Entries that the array takes over.", [&] { m.set(known.late, after); });
  const Expr coming =
      m.let("coming_entries", known.coming(late, known.of(ports.enter.set)), "the next request's set");
  const Expr kept =
      m.let("kept_entries", after & ~f.of_entries(ports.flush), "the probe's set, with a flush");
  known.turn(m, "Entries of the probe's set.", state.turnover, coming, kept, kept);
}

namespace {

// Less the line with wrong data that goes.
Expr dropped_from(ReuseFrame& f, const std::optional<DropPort>& drop, const Expr& row, const Expr& of_set) {
  return drop ? row & ~(drop->way & f.of_ways(drop->valid & (drop->set == of_set))) : row;
}

}  // namespace

void change_lines(ReuseFrame& f, const ReuseState& state, const ReuseTags& tags, const ReusePorts& ports,
                  const DataLinks& links, const Expr& line_way, const Expr& taken_way,
                  const rtl::Condition& emptied) {
  rtl::Module& m = f.m;
  const SetState& valid = state.valid;
  const LateRow& late = state.late;
  const ReuseFill& fill = ports.fill;
  const auto& drop = ports.drop;
  const auto filled_if = [&](const Expr& here) { return fill.way & f.of_ways(fill.valid & here); };
  Expr clears = (taken_way & f.of_ways(tags.takes)) | (tags.new_way & f.of_ways(ports.leave.allocate)) |
                (line_way & f.of_ways(ports.leave.invalidate));
  if (emptied.can_be())
    clears = clears | m.let("emptied_ways", links.ways_of(emptied.when()), "data ways of those that go");
  const Expr cleared = m.let("cleared", clears, "data ways whose lines the probe makes invalid");
  const Expr& here = ports.probe.set;
  const Expr after =
      m.let("valid_after", dropped_from(f, drop, (valid.row | filled_if(fill.set == here)) & ~cleared, here),
            "the probe's set after this cycle");
  const Expr row =
      m.let("late_valid", dropped_from(f, drop, valid.late | filled_if(fill.set == late.set), late.set),
            "the row that the array takes over, with what a fill sets there");
  m.clocked("Valid lines: a flush wins over a probe, a probe over a fill.", [&] {
    m.when(fill.valid, [&] {
      set_row(m, "filled_set", valid.array, fill.set, f.ways,
              [&](const Expr& now) { return now | fill.way; });
    });
    if (drop)
      m.when(drop->valid, [&] {
        const Expr beside = filled_if(fill.set == drop->set);
        set_row(m, "dropped_set", valid.array, drop->set, f.ways,
                [&](const Expr& now) { return (now | beside) & ~drop->way; });
      });
    valid.take_over(m, late, "probed_set", row);
    m.when(ports.flush, [&] { m.set(valid.array, lit(f.sets * f.ways, 0)); });
  });
  m.clocked("Valid lines that the array takes over.", [&] { m.set(valid.late, after); });
  const Expr& next = ports.enter.set;
  const Expr coming =
      m.let("coming_valid",
            dropped_from(f, drop, valid.coming(late, valid.of(next)) | filled_if(fill.set == next), next),
            "the next request's set after this cycle");
  const Expr kept = m.let("kept_valid", after & ~f.of_ways(ports.flush), "the probe's set, with a flush");
  valid.turn(m, "Valid lines of the probe's set.", state.turnover, coming, kept, kept);
}

void change_busy_ways(ReuseFrame& f, const ReuseState& state, const ReuseTags& tags,
                      const ReusePorts& ports) {
  rtl::Module& m = f.m;
  const SetState& busy = state.busy;
  const LateRow& late = state.late;
  const FreedWay& freed = state.freed;
  const Expr after = m.let("busy_after", state.busy_now | (tags.new_way & f.of_ways(ports.leave.allocate)),
                           "the probe's set after this cycle");
  const Expr row = m.let("late_busy", busy.late & ~freed.in(late.set), "the row that the array takes over");
  m.clocked("Busy data ways.", [&] {
    m.when(freed.valid, [&] {
      set_row(m, "deallocated_set", busy.array, freed.set, f.ways,
              [&](const Expr& now) { return now & ~freed.way; });
    });
    busy.take_over(m, late, "taken_set", row);
  });
  m.clocked("Whether a data way is released.", [&] { m.set(freed.valid, ports.dealloc.valid); });
  m.clocked("Busy data ways that the array takes over.", [&] { m.set(busy.late, after); });
  m.clocked("The data way that is released, and the set.", [&] {
    m.set(freed.set, ports.dealloc.set);
    m.set(freed.way, ports.dealloc.way);
  });
  const Expr& next = ports.enter.set;
  const Expr coming =
      m.let("coming_busy", busy.coming(late, busy.of(next)) & ~freed.in(next), "the next request's set");
  busy.turn(m, "Busy data ways of the probe's set.", state.turnover, coming, after, after);
}

// What the probe changed in the cycle before is on its way into the arrays.
void observe_reuse(ReuseFrame& f, const ReuseState& state) {
  rtl::Module& m = f.m;
  const auto& [known, valid, busy, late, turnover, freed, busy_now, same, enter] = state;
  const Expr looked = m.looked_at("set", f.set_bits);
  const Expr lines = valid.now(late, looked, valid.of(looked));
  const Expr taken = busy.now(late, looked, busy.of(looked)) & ~freed.in(looked);
  m.observe("valid", lines, {{"way", f.ways}});
  m.observe("busy", taken, {{"way", f.ways}});
  m.observe("entry_valid", known.now(late, looked, known.of(looked)), {{"entry", f.entries}});
  const Expr row = m.stored("reuse", looked);
  const int links_at = f.entries * f.rc_bits, positions_at = links_at + f.entries;
  m.observe("reuse_count", row.slice(links_at - 1, 0), {{"entry", f.entries}});
  std::vector<Expr> has_line;
  for (int e = f.entries - 1; e >= 0; --e) {
    std::vector<Expr> at;  // its data way, one-hot
    const int low = positions_at + e * f.position_bits;
    for (int w = f.ways - 1; w >= 0; --w)
      at.push_back(f.position_bits ? row.slice(low + f.position_bits - 1, low) ==
                                         lit(f.position_bits, static_cast<std::uint64_t>(w))
                                   : lit(1, 1));
    has_line.push_back(row.bit(links_at + e) & rtl::any((lines | taken) & rtl::cat(at)));
  }
  m.observe("has_line", rtl::cat(has_line), {{"entry", f.entries}});
  if (f.position_bits)
    m.observe("position", row.slice(row.width() - 1, positions_at), {{"entry", f.entries}});
}

}  // namespace hw
