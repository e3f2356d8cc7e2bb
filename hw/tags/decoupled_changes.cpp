#include "hw/tags/decoupled_changes.h"

#include <vector>

#include "hw/prim/one_hot.h"
#include "hw/tags/decoupled_way.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

TakenPlaces take_places(DecoupledFrame& f, const DecoupledSet& set, const FoundLine& found,
                        const Expr& allocate, const Expr& missed, const ResultPort& result) {
  rtl::Module& m = f.m;
  m.section("Positions that the load takes: all as planned.");
  m.assign(found.written, set.target & replicate(f.entries, allocate));
  const Expr way = f.ways_of("target_way", set.target, "the way that was planned, one-hot");
  m.assign(result.way, way);
  if (result.tag) {
    std::vector<Expr> numbers;  // most significant first
    for (int j = f.tags - 1; j >= 0; --j) {
      std::vector<Expr> of_ways;
      for (int w = f.ways - 1; w >= 0; --w) of_ways.push_back(set.target.bit(w * f.tags + j));
      numbers.push_back(rtl::any(cat(of_ways)));
    }
    m.assign(*result.tag, cat(numbers));
  }
  return {way, f.spread("taken", way, missed, "positions of the missed chunks")};
}

// A new tag's former line goes as a whole. A store clears its line, also what a fill brings in this cycle, or
// the chunks of its mask if no MSHR entry has the line.
LostPlaces lose_places(DecoupledFrame& f, const DecoupledSet& set, const StagePort& probe,
                       const LeavePort& leave, const Expr& owns, const Expr& line, const Expr& taken,
                       const std::optional<Expr>& wrong) {
  rtl::Module& m = f.m;
  m.section("Positions that lines lose.");
  const Expr fresh = replicate(f.entries, set.fresh);
  const Expr emptied =
      m.let("emptied", mux(leave.allocate, set.target & fresh, line), "the line whose chunks go");
  Expr whole = places_of(f, owns, "line_places", emptied, "positions of that line", "of_way");
  if (probe.entry_match) {
    const Expr all = replicate(f.chunks, leave.allocate | *probe.entry_match);
    whole =
        whole & replicate(f.ways, m.let("cleared_chunks", probe.mask | all, "chunks that the line loses"));
  }
  const Expr lost =
      m.let("lost", whole | (taken & replicate(f.places, leave.allocate)), "positions whose chunks go");
  const Expr clears = m.let("clears", leave.allocate | leave.invalidate, "the probe clears valid bits");
  const Expr by_probe = lost & replicate(f.places, clears);
  return {lost, m.let("cleared", wrong ? by_probe | *wrong : by_probe, "positions whose valid bit goes")};
}

void change_selectors(DecoupledFrame& f, const Selectors& selectors, const Expr& taken, const Expr& tag) {
  rtl::Module& m = f.m;
  const int b = f.selector_width;
  const Expr number = m.let("target_number", number_of(tag), "number of the planned tag in its way");
  m.comb("Selectors with the positions of the load.", [&] {
    m.loop("place", f.places, [&](const Expr& i) {
      m.set(selectors.after.part(i, b), mux(taken.at(i), number, selectors.row.part(i, b)));
    });
  });
}

void change_valid(DecoupledFrame& f, const DecoupledPorts& ports, const DecoupledState& state,
                  const Expr& cleared) {
  rtl::Module& m = f.m;
  const FillPort& fill = ports.fill;
  m.section("Changes.");
  Expr changes = ports.leave.invalidate | (ports.leave.load & ports.enter.moves);
  if (ports.result.tags_wrong) changes = changes | *ports.result.tags_wrong;
  remember(m, state.set.late, ports.probe.set, changes);
  const Expr filled = f.spread("fill_places", fill.way, fill.mask, "positions that a fill makes valid");
  ValidChanges valid_changes{.what = "positions",
                             .fill = fill.valid,
                             .fill_set = fill.set,
                             .fill_bits = filled,
                             .set = ports.probe.set,
                             .enter_set = ports.enter.set,
                             .cleared = cleared,
                             .flush = ports.flush};
  if (const auto& drop = ports.drop)
    valid_changes.drop = DroppedLine{
        drop->line.valid, drop->line.set,
        f.spread("drop_places", drop->line.way, drop->chunks, "positions of a line in which data was wrong")};
  state.places.valid.change(m, state.set.late, state.set.turnover, valid_changes);
}

// A load that becomes an MSHR target holds all chunks that it requests in its line's way, present or not.
// The answer to the MSHR target on offer is known last in a cycle: the positions that are released then leave
// the array a cycle later.
void change_busy(DecoupledFrame& f, const DecoupledPorts& ports, const DecoupledState& state,
                 const Expr& line_way, const Expr& target_way) {
  rtl::Module& m = f.m;
  const PlacesState& places = state.places;
  const SetState& busy = places.busy;
  const LateRow& late = state.set.late;
  const ReplayPort& replay = ports.replay;
  const Expr by_plan = m.let("planned_way", target_way & replicate(f.ways, ports.probe.planned),
                             "way of the plan, if that counts");
  const Expr waiting_way = m.let("waiting_way", (line_way | by_plan) & replicate(f.ways, ports.leave.waits),
                                 "where the load waits");
  const Expr held = f.spread("held", waiting_way, ports.probe.mask, "positions that the load makes busy");
  const Expr released =
      f.spread("released", replay.way, replay.released, "positions without an owner after an answer");
  const auto released_in = [&](const Expr& set) { return released & replicate(f.places, replay.set == set); };
  const auto left_in = [&](const Expr& set) {
    return places.released & replicate(f.places, places.released_set == set);
  };
  const Expr after = m.let("row_busy", (busy.row & ~released_in(ports.probe.set)) | held,
                           "the probe's set after this cycle");
  m.clocked("Busy positions: the probe's copy of its set includes all releases there.", [&] {
    set_row(m, "released_set", busy.array, places.released_set, f.places,
            [&](const Expr& now) { return now & ~places.released; });
    busy.take_over(m, late, "taken_set");
  });
  m.clocked("Positions that leave the array a cycle later.", [&] { m.set(places.released, released); });
  m.clocked("Busy positions that the array takes over.", [&] {
    m.set(busy.late, after);
    m.set(places.released_set, replay.set);
  });
  const Expr& next = ports.enter.set;
  const Expr stored = m.let("stored_busy", busy.of(next) & ~left_in(next),
                            "the next request's set, but for what the probe left there");
  const Expr coming = m.let("coming_busy", busy.coming(late, stored) & ~released_in(next),
                            "the next request's set after this cycle");
  busy.turn(m, "Busy positions of the probe's set.", state.set.turnover, coming, after, after);
}

// The tag that is used becomes the youngest, younger ones age; a tag that loses chunks keeps its age.
void change_ages(DecoupledFrame& f, const DecoupledSet& set, const TagAges& ages, const EnterPort& enter,
                 const Expr& line, const Expr& planned, const Expr& load) {
  rtl::Module& m = f.m;
  const SetState& age = ages.age;
  const int bits = f.age_bits;
  const Expr by_plan = replicate(f.entries, planned);
  const Expr touched = m.let("touched", line | (set.target & by_plan), "the tag that the load uses, one-hot");
  const Expr aged = m.wire("aged", f.entries * bits, "ages with that one the youngest");
  m.comb("Tags younger than the used one age.", [&] {
    m.loop("tag_at", f.entries, [&](const Expr& e) {
      const Expr now = age.row.part(e, bits), place = aged.part(e, bits);
      const Expr younger = rtl::any(touched & ages.older.part(e, f.entries));
      m.set(place, mux(touched.at(e), lit(bits, 0), now + rtl::zext(younger, bits)));
    });
  });
  // With protected RAMs of tags the array takes rows from requests that stay.
  const Expr touches = protects_tags(f.p.ecc) ? m.let("touches", load & enter.moves, "a load leaves") : load;
  const Expr left = m.let("left_ages", mux(touches, aged, age.row), "the ages if the probe's request leaves");
  const Expr coming =
      m.let("coming_ages", age.coming(set.late, age.of(enter.set)), "ages of the next request's set");
  m.clocked("Ages of all sets.", [&] { age.take_over(m, set.late, "aged_set"); });
  m.clocked("Ages that the array takes over, if the request leaves.", [&] { m.set(age.late, left); });
  age.turn(m, "Ages of the probe's set.", set.turnover, coming, left, age.row);
}

namespace {

// Adds wire `name`: what lies in the one way where some of these bits are, `width` of them a way.
Expr of_one_way(DecoupledFrame& f, const std::string& name, const Expr& of_ways, int width,
                const std::string& doc) {
  const Expr bits = f.m.wire(name, width, doc);
  f.m.comb("OR over the ways.", [&] {
    f.m.set(bits, lit(width, 0));
    f.m.loop(name + "_way", f.ways, [&](const Expr& w) { f.m.set(bits, bits | of_ways.part(w, width)); });
  });
  return bits;
}

}  // namespace

void count_losses(DecoupledFrame& f, const PlacesState& state, const LinesOfWays& lines, const Expr& lost,
                  const Expr& allocate, const LossPort& port) {
  rtl::Module& m = f.m;
  m.section("Costs of a load, for the counters.");
  const Expr displaced =
      m.let("displaced", state.valid.row & lost & replicate(f.places, allocate), "chunks displaced");
  const Expr of_chunks =
      of_one_way(f, "displaced_chunks", displaced, f.chunks, "displaced chunks of the planned way");
  m.assign(port.chunks, ones_of(m, "displaced_number", of_chunks, "number of them"));
  const Expr kept = m.let("kept_places", (state.valid.row | state.busy.row) & ~displaced,
                          "positions in use that nobody loses");
  const Expr gone = m.wire("gone", f.entries, "lines that lose the last of theirs");
  const rtl::Module of_way = decoupled_losers(f.p, m.name() + "_losers");
  m.repeat("losing", f.ways, "A way each.", [&](const Expr& w) {
    m.instance(of_way, "losers",
               {{"owns", lines.owns.part(w, f.tags * f.chunks)},
                {"used", lines.used.part(w, f.tags)},
                {"kept", kept.part(w, f.chunks)},
                {"gone", gone.part(w, f.tags)}},
               "Lines that go there.");
  });
  const Expr of_tags = of_one_way(f, "gone_tags", gone, f.tags, "lost lines of the planned way");
  m.assign(port.lines, ones_of(m, "gone_number", of_tags, "number of them"));
}

// What the cycle before changed is on its way into the arrays.
void observe_places(DecoupledFrame& f, const DecoupledState& state, bool selectors,
                    const std::optional<TagAges>& ages) {
  rtl::Module& m = f.m;
  const PlacesState& places = state.places;
  const LateRow& late = state.set.late;
  const Expr set = m.looked_at("set", f.set_bits);
  const std::vector<rtl::Index> parts{{"way", f.ways}, {"chunk", f.chunks}};
  m.observe("valid", places.valid.now(late, set, places.valid.stored(set)), parts);
  const Expr left = places.released & replicate(f.places, places.released_set == set);
  m.observe("busy", places.busy.now(late, set, places.busy.of(set) & ~left), parts);
  if (selectors) {
    const Expr stored = m.stored("selectors", set);
    const int bits = f.places * f.selector_width;
    m.observe("selector", protects_tags(f.p.ecc) ? stored.slice(bits - 1, 0) : stored, parts);
  }
  if (ages) m.observe("age", ages->age.now(late, set, ages->age.of(set)), {{"entry", f.entries}});
}

}  // namespace hw
