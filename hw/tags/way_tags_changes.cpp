// Changes of the state of a set-associative cache's tags.
#include "hw/prim/one_hot.h"
#include "hw/tags/way_tags.h"
#include "hw/tags/way_tags_parts.h"

namespace hw {
namespace {

using rtl::Expr, rtl::mux, rtl::replicate;

// A new line clears its way; a store clears its line, or the chunks of its mask if no entry has the line.
Expr cleared_bits(WayFrame& f, const WayLookup& lookup, const Expr& known, const WayPorts& ports) {
  const Expr& allocate = ports.leave.allocate;
  const Expr way = f.m.let("emptied", mux(allocate, lookup.new_way, known), "ways whose valid bits go");
  if (!f.sectored) return way;
  Expr sectors = rtl::ones(f.sectors);
  if (f.p.store_scope == StoreScope::mask) {
    const Expr all = replicate(f.sectors, allocate | ports.probe.entry_match);
    sectors = f.m.let("cleared_sectors", ports.probe.mask.value() | all, "sectors whose valid bits go");
  }
  return f.spread("cleared", way, sectors, "valid bits that the probe clears");
}

void change_valid_bits(WayFrame& f, const WayState& state, const WayLookup& lookup, const Expr& known,
                       const WayPorts& ports) {
  rtl::Module& m = f.m;
  const WayFill& fill = ports.fill;
  const Expr whole = rtl::ones(f.sectors);
  const Expr filled =
      f.spread("fill_bits", fill.way, fill.mask.value_or(whole), "valid bits that a fill sets");
  const Expr cleared = cleared_bits(f, lookup, known, ports);
  ValidChanges changes{.what = "bits",
                       .fill = fill.valid,
                       .fill_set = fill.set,
                       .fill_bits = filled,
                       .set = ports.probe.set,
                       .enter_set = ports.enter.set,
                       .cleared = {},
                       .flush = ports.flush};
  if (ports.drop)
    changes.drop = DroppedLine{.valid = ports.drop->valid,
                               .set = ports.drop->set,
                               .bits = f.spread("drop_bits", ports.drop->way, whole,
                                                "valid bits of a line in which data was wrong")};
  const Expr clears =
      m.let("clears", ports.leave.allocate | ports.leave.invalidate, "the probe clears valid bits");
  const Expr of_probe = cleared & replicate(f.ways * f.sectors, clears);
  changes.cleared = lookup.emptied.can_be()
                        ? of_probe | f.spread("emptied_bits", lookup.emptied.when(), whole,
                                              "valid bits of lines whose tag is wrong")
                        : of_probe;
  state.valid.change(m, state.late, state.turnover, changes);
}

void change_busy_bits(WayFrame& f, const WayState& state, const WayPorts& ports) {
  rtl::Module& m = f.m;
  const Expr& allocate = ports.leave.allocate;
  const Expr takes = ports.leave.reserve
                         ? m.let("takes", allocate | *ports.leave.reserve, "an MSHR entry takes a way")
                         : allocate;
  const Expr after = m.let("row_busy", state.busy_now | (ports.result.way & f.each(takes)),
                           "the probe's set after this cycle");
  const Expr row = m.let("late_busy", state.busy.late & ~state.released.in(state.late.set),
                         "the row that the array takes over");
  m.clocked("Busy ways.", [&] {
    m.when(state.released.valid, [&] {
      set_row(m, "deallocated_set", state.busy.array, state.released.set, f.ways,
              [&](const Expr& now) { return now & ~state.released.way; });
    });
    state.busy.take_over(m, state.late, "taken_set", row);
  });
  const FreedPort& freed = ports.dealloc;
  m.clocked("Whether a way is released.", [&] {
    m.set(state.released.valid, freed.valid);
    const Expr here = freed.set == ports.probe.set;
    m.set(state.released.here,
          freed.valid & next_row(state.turnover, freed.set == ports.enter.set, here, here));
  });
  m.clocked("Busy ways that the array takes over.", [&] { m.set(state.busy.late, after); });
  m.clocked("The way that is released, and the set.", [&] {
    m.set(state.released.set, freed.set);
    m.set(state.released.way, freed.way);
  });
  const Expr& next = ports.enter.set;
  const Expr coming =
      m.let("coming_busy", state.busy.coming(state.late, state.busy.of(next)) & ~state.released.in(next),
            "the next request's set");
  state.busy.turn(m, "Busy ways of the probe's set.", state.turnover, coming, after, after);
}

void change_foreign(WayFrame& f, const WayState& state, const Expr& written, const Expr& comes_foreign,
                    const Expr& enter_set) {
  rtl::Module& m = f.m;
  const SetState& foreign = state.foreign.value();
  const Expr after = m.let("row_foreign", (foreign.row & ~written) | (written & f.each(comes_foreign)),
                           "the probe's set after this cycle");
  m.clocked("Lines of other homes.", [&] { foreign.take_over(m, state.late, "sorted_set"); });
  m.clocked("Foreign lines that the array takes over.", [&] { m.set(foreign.late, after); });
  const Expr coming =
      m.let("coming_foreign", foreign.coming(state.late, foreign.of(enter_set)), "the next request's set");
  foreign.turn(m, "Lines of other homes in the probe's set.", state.turnover, coming, after, after);
}

}  // namespace

void change_way_state(WayFrame& f, const WayState& state, const WayLookup& lookup, const WayChoice& choice,
                      const WayPorts& ports) {
  rtl::Module& m = f.m;
  const WayLeave& leave = ports.leave;
  m.section("Changes.");
  Expr changes = leave.allocate | leave.invalidate;
  if (leave.reserve) changes = changes | *leave.reserve;
  if (leave.load) changes = changes | (*leave.load & ports.enter.moves);
  if (ports.result.tags_wrong) changes = changes | *ports.result.tags_wrong;
  remember(m, state.late, ports.probe.set, changes);
  // With protected tags the row may change before the request leaves.
  std::optional<Expr> touches = leave.load;
  if (touches && ports.result.tags_wrong)
    touches = m.let("touches", *touches & ports.enter.moves, "a load leaves");
  choice.replacement.update({.way = ports.result.way,
                             .touches = touches,
                             .replaced = choice.replaced,
                             .new_line = choice.new_line,
                             .full = choice.none_free});
  change_valid_bits(f, state, lookup, choice.known, ports);
  change_busy_bits(f, state, ports);
  if (ports.homes) change_foreign(f, state, lookup.written, ports.homes->foreign, ports.enter.set);
}

// What the cycle before changed is on its way into the arrays.
void observe_ways(WayFrame& f, const WayState& state) {
  const Expr set = f.m.looked_at("set", f.set_bits);
  const LateRow& late = state.late;
  f.m.observe("valid", state.valid.now(late, set, state.valid.stored(set)), {{"way", f.ways}});
  const Expr busy = state.busy.now(late, set, state.busy.of(set));
  f.m.observe("busy", busy & ~state.released.in(set), {{"way", f.ways}});
}

}  // namespace hw
