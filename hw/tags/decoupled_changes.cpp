// Changes of the positions and ages of decoupled sectored tags (DSC of the TSC paper).
#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/tags/decoupled_tags_builder.h"
#include "hw/tags/decoupled_way.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void DecoupledTagsBuilder::taken_places() {
  m.section("Positions that the load takes: all as planned.");
  m.assign(written, target_q & replicate(entries, allocate));
  target_way = ways_of("target_way", target_q, "the way that was planned, one-hot");
  m.assign(way_out, target_way);
  if (tags > 1) {
    std::vector<Expr> numbers;  // most significant first
    for (int j = tags - 1; j >= 0; --j) {
      std::vector<Expr> of_ways;
      for (int w = ways - 1; w >= 0; --w) of_ways.push_back(target_q.bit(w * tags + j));
      numbers.push_back(rtl::any(cat(of_ways)));
    }
    m.assign(number_out, cat(numbers));
  }
  taken = spread("taken", target_way, missed, "positions of the missed chunks");
}

Expr DecoupledTagsBuilder::places_of(const std::string& name, const Expr& lines, const std::string& doc) {
  const Expr bits = m.wire(name, places, doc);
  const rtl::Module of_way = decoupled_places(p, m.name() + "_places");
  m.repeat(name + "_in", ways, "A way each.", [&](const Expr& w) {
    m.instance(of_way, "of_way",
               {{"owns", owns.part(w, tags * chunks)},
                {"lines", lines.part(w, tags)},
                {"places", bits.part(w, chunks)}},
               "Positions in the target way.");
  });
  return bits;
}

// A new tag's former line goes as a whole. A store clears its line, also what a fill brings in this cycle, or
// the chunks of its mask if no MSHR entry has the line.
void DecoupledTagsBuilder::lost_places() {
  m.section("Positions that lines lose.");
  const Expr fresh = replicate(entries, fresh_q);
  const Expr emptied = m.let("emptied", mux(allocate, target_q & fresh, line), "the line whose chunks go");
  Expr whole = places_of("line_places", emptied, "positions of that line");
  if (mask_scope) {
    const Expr some = m.let("cleared_chunks", mask | replicate(chunks, allocate | entry_match),
                            "chunks that the line loses");
    whole = whole & replicate(ways, some);
  }
  lost = m.let("lost", whole | (taken & replicate(places, allocate)), "positions whose chunks go");
  const Expr clears = m.let("clears", allocate | invalidate, "the probe clears valid bits");
  cleared = m.let("cleared", lost & replicate(places, clears), "positions whose valid bit goes");
}

void DecoupledTagsBuilder::selector_changes() {
  const int b = selector_width;
  const Expr number = m.let("target_number", number_of(number_out), "number of the planned tag in its way");
  m.comb("Selectors with the positions of the load.", [&] {
    m.loop("place", places, [&](const Expr& i) {
      m.set(last_selectors.part(i, b), mux(taken.at(i), number, selectors.part(i, b)));
    });
  });
}

void DecoupledTagsBuilder::valid_changes() {
  m.section("Changes.");
  remember(m, late, probe_set, invalidate | (load & moves));
  const Expr filled_places = spread("fill_places", fill_way, fill_mask, "positions that a fill makes valid");
  valid.change(m, late, turnover,
               {.what = "positions",
                .fill = fill,
                .fill_set = fill_set,
                .fill_bits = filled_places,
                .set = probe_set,
                .enter_set = enter_set,
                .cleared = cleared,
                .flush = flush});
}

// A load that becomes an MSHR target holds all chunks that it requests in its line's way, present or not.
// The answer to the MSHR target on offer is known last in a cycle: the positions that are released then leave
// the array a cycle later.
void DecoupledTagsBuilder::busy_changes() {
  const Expr by_plan =
      m.let("planned_way", target_way & replicate(ways, planned), "way of the plan, if that counts");
  const Expr waiting_way =
      m.let("waiting_way", (line_way | by_plan) & replicate(ways, waits), "where the load waits");
  const Expr held = spread("held", waiting_way, mask, "positions that the load makes busy");
  const Expr released =
      spread("released", replay_way, replay_released, "positions without an owner after an answer");
  const auto released_in = [&](const Expr& set) { return released & replicate(places, replay_set == set); };
  const auto left_in = [&](const Expr& set) { return released_q & replicate(places, released_set_q == set); };
  const Expr after =
      m.let("row_busy", (busy.row & ~released_in(probe_set)) | held, "the probe's set after this cycle");
  m.clocked("Busy positions: the probe's copy of its set includes all releases there.", [&] {
    set_row(m, "released_set", busy.array, released_set_q, places,
            [&](const Expr& now) { return now & ~released_q; });
    busy.take_over(m, late, "taken_set");
  });
  m.clocked("Positions that leave the array a cycle later.", [&] { m.set(released_q, released); });
  m.clocked("Busy positions that the array takes over.", [&] {
    m.set(busy.late, after);
    m.set(released_set_q, replay_set);
  });
  const Expr stored = m.let("stored_busy", busy.of(enter_set) & ~left_in(enter_set),
                            "the next request's set, but for what the probe left there");
  const Expr coming = m.let("coming_busy", busy.coming(late, stored) & ~released_in(enter_set),
                            "the next request's set after this cycle");
  busy.turn(m, "Busy positions of the probe's set.", turnover, coming, after, after);
}

// The tag that is used becomes the youngest, younger ones age; a tag that loses chunks keeps its age.
void DecoupledTagsBuilder::age_changes() {
  const Expr by_plan = replicate(entries, planned);
  const Expr touched = m.let("touched", line | (target_q & by_plan), "the tag that the load uses, one-hot");
  const Expr aged = m.wire("aged", entries * age_bits, "ages with that one the youngest");
  m.comb("Tags younger than the used one age.", [&] {
    m.loop("tag_at", entries, [&](const Expr& e) {
      const Expr now = age.row.part(e, age_bits), place = aged.part(e, age_bits);
      const Expr younger = rtl::any(touched & older.part(e, entries));
      m.set(place, mux(touched.at(e), lit(age_bits, 0), now + rtl::zext(younger, age_bits)));
    });
  });
  const Expr left = m.let("left_ages", mux(load, aged, age.row), "the ages if the probe's request leaves");
  const Expr coming =
      m.let("coming_ages", age.coming(late, age.of(enter_set)), "ages of the next request's set");
  m.clocked("Ages of all sets.", [&] { age.take_over(m, late, "aged_set"); });
  m.clocked("Ages that the array takes over, if the request leaves.", [&] { m.set(age.late, left); });
  age.turn(m, "Ages of the probe's set.", turnover, coming, left, age.row);
}

Expr DecoupledTagsBuilder::of_one_way(const std::string& name, const Expr& of_ways, int width,
                                      const std::string& doc) {
  const Expr bits = m.wire(name, width, doc);
  m.comb("OR over the ways.", [&] {
    m.set(bits, lit(width, 0));
    m.loop(name + "_way", ways, [&](const Expr& w) { m.set(bits, bits | of_ways.part(w, width)); });
  });
  return bits;
}

void DecoupledTagsBuilder::evicted() {
  m.section("Costs of a load, for the counters.");
  const Expr displaced =
      m.let("displaced", valid.row & lost & replicate(places, allocate), "chunks displaced");
  const Expr of_chunks =
      of_one_way("displaced_chunks", displaced, chunks, "displaced chunks of the planned way");
  m.assign(chunks_lost_out, ones_of(m, "displaced_number", of_chunks, "number of them"));
  const Expr kept =
      m.let("kept_places", (valid.row | busy.row) & ~displaced, "positions in use that nobody loses");
  const Expr gone = m.wire("gone", entries, "lines that lose the last of theirs");
  const rtl::Module of_way = decoupled_losers(p, m.name() + "_losers");
  m.repeat("losing", ways, "A way each.", [&](const Expr& w) {
    m.instance(of_way, "losers",
               {{"owns", owns.part(w, tags * chunks)},
                {"used", used.part(w, tags)},
                {"kept", kept.part(w, chunks)},
                {"gone", gone.part(w, tags)}},
               "Lines that go there.");
  });
  const Expr of_tags = of_one_way("gone_tags", gone, tags, "lost lines of the planned way");
  m.assign(lines_lost_out, ones_of(m, "gone_number", of_tags, "number of them"));
}

// What the cycle before changed is on its way into the arrays.
void DecoupledTagsBuilder::shown() {
  const Expr set = m.looked_at("set", set_bits);
  const std::vector<rtl::Index> parts{{"way", ways}, {"chunk", chunks}};
  m.observe("valid", valid.now(late, set, valid.stored(set)), parts);
  const Expr left = released_q & replicate(places, released_set_q == set);
  m.observe("busy", busy.now(late, set, busy.of(set) & ~left), parts);
  if (selector_width) m.observe("selector", m.stored("selectors", set), parts);
  if (age_bits) m.observe("age", age.now(late, set, age.of(set)), {{"entry", entries}});
}

}  // namespace hw
