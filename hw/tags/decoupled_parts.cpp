#include "hw/tags/decoupled_parts.h"

#include <utility>

#include "hw/ecc/protected_rows.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/tags/decoupled_choice.h"
#include "hw/tags/decoupled_way.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

DecoupledFrame::DecoupledFrame(const TagParams& params, int tag_width, rtl::Module module)
    : m(std::move(module)),
      p(params),
      ways(p.ways),
      tags(p.decoupled.tags_per_way),
      entries(decoupled_entries(p)),
      chunks(chunks_of_line(p)),
      places(ways * chunks),
      sets(p.sets),
      set_bits(bits_to_number(sets)),
      tag_bits(tag_width),
      selector_width(selector_bits(p)),
      age_bits(bits_to_number(entries)) {}

Expr DecoupledFrame::spread(const std::string& name, const Expr& of_ways, const Expr& of_chunks,
                            const std::string& doc) {
  const Expr bits = m.wire(name, places, doc);
  m.comb("A chunk has the bit of its way.", [&] {
    m.loop(name + "_way", ways,
           [&](const Expr& w) { m.set(bits.part(w, chunks), replicate(chunks, of_ways.at(w)) & of_chunks); });
  });
  return bits;
}

Expr DecoupledFrame::ways_of(const std::string& name, const Expr& lines, const std::string& doc) {
  const Expr bits = m.wire(name, ways, doc);
  m.comb("A way has the bit of any of its lines.", [&] {
    m.loop(name + "_at", ways, [&](const Expr& w) { m.set(bits.at(w), rtl::any(lines.part(w, tags))); });
  });
  return bits;
}

namespace {

StagePort probe_port(DecoupledFrame& f) {
  rtl::Module& m = f.m;
  return {.set = m.input("probe_set", f.set_bits, "set of the request in the tag-lookup stage"),
          .tag = m.input("probe_tag", f.tag_bits, "tag of the request"),
          .mask = m.input("probe_mask", f.chunks, "chunks that the request asks for"),
          .missed = m.input("missed", f.chunks, "chunks neither valid nor on their way"),
          .entry_match = input_if(m, f.p.store_scope == StoreScope::mask, "entry_match", 1,
                                  "an MSHR entry has its line"),
          .entry_way = m.input("entry_way", f.ways, "the way of that entry's line, one-hot, or 0"),
          .entry_tag = input_if(m, f.tags > 1, "entry_tag", f.tags, "tag of that line there, one-hot, or 0"),
          .planned = m.input("planned", 1, "the load stood there in the cycle before, and its plan counts")};
}

LeavePort leave_port(DecoupledFrame& f) {
  rtl::Module& m = f.m;
  return {.allocate = m.input("allocate", 1, "the load leaves with the positions that were planned"),
          .waits = m.input("waits", 1, "the load becomes an MSHR target"),
          .load = m.input("load", 1, "the request is a load"),
          .invalidate = m.input("invalidate", 1, "a store or an atomic leaves")};
}

FillPort fill_port(DecoupledFrame& f) {
  rtl::Module& m = f.m;
  return {.valid = m.input("fill", 1, "chunks arrive and may be found"),
          .set = m.input("fill_set", f.set_bits, "set of the chunks that arrive"),
          .way = m.input("fill_way", f.ways, "way of the chunks that arrive, one-hot"),
          .mask = m.input("fill_mask", f.chunks, "chunks of the fill")};
}

ReplayPort replay_port(DecoupledFrame& f) {
  rtl::Module& m = f.m;
  return {.set = m.input("replay_set", f.set_bits, "set of the waiting load on offer"),
          .way = m.input("replay_way", f.ways, "way of its line, one-hot"),
          .released = m.input("replay_released", f.chunks, "chunks that nobody waits for after its answer")};
}

std::optional<DecoupledDrop> decoupled_drop_port(DecoupledFrame& f) {
  const auto line = drop_port(f.m, f.p, "way of that line, one-hot");
  if (!line) return {};
  return DecoupledDrop{*line, f.m.input("drop_mask", f.chunks, "its valid chunks, which go")};
}

ResultPort result_port(DecoupledFrame& f) {
  rtl::Module& m = f.m;
  ResultPort r{
      .hit = m.output("hit", f.ways, "the way of the line, one-hot, if it holds all of the chunks"),
      .valid = m.output("line_valid", f.chunks, "chunks of the line that may be found"),
      .enough = m.output("enough", 1, "the plan of the cycle before has a position for each missed chunk"),
      .way = m.output("line_way", f.ways, "the way that was planned, one-hot"),
      .tag = output_if(m, f.tags > 1, "line_tag", f.tags, "the tag there, one-hot"),
      .found_way =
          output_if(m, stores_update(f.p), "found_way", f.ways, "the way of the line, one-hot, or 0"),
      .lost = {},
      .tags_wrong = output_if(m, protects_tags(f.p.ecc), "tags_wrong", 1, "a line goes whose tag is wrong"),
      .waits = output_if(m, protects_tags(f.p.ecc) && f.selector_width, "tags_wait", 1,
                         "selectors are wrong, and positions of the set are in use")};
  const auto counts = [](int n) { return rtl::clog2(static_cast<std::uint64_t>(n) + 1); };
  if (f.p.counters)
    r.lost =
        LossPort{.lines = m.output("lines_lost", counts(f.tags), "lines that the load's chunks displace"),
                 .chunks = m.output("chunks_lost", counts(f.chunks), "chunks that they displace")};
  return r;
}

}  // namespace

DecoupledPorts::DecoupledPorts(DecoupledFrame& f)
    : enter(enter_port(f.m, f.p, f.tag_bits)),
      probe(probe_port(f)),
      leave(leave_port(f)),
      fill(fill_port(f)),
      replay(replay_port(f)),
      flush(f.m.input("flush", 1, "nothing stays valid")),
      present(input_if(f.m, protects_tags(f.p.ecc), "present", 1, "a request is in the tag-lookup stage")),
      drop(decoupled_drop_port(f)),
      result(result_port(f)) {}

DecoupledState decoupled_state(DecoupledFrame& f, const EnterPort& enter, const Expr& probe_set) {
  rtl::Module& m = f.m;
  const int all = f.sets * f.places;
  DecoupledState s;
  ValidState& valid = s.places.valid;
  SetState& busy = s.places.busy;
  m.section("State; that of the probe's set is kept beside the rest, so that it is there early.");
  valid.array = m.reg("valid_q", all, 0, "positions whose chunks may be found, by set");
  busy.array = m.reg("busy_q", all, 0, "positions on their way or waited for, by set");
  valid.row = m.reg("row_valid_q", f.places, 0, "positions of the probe's set whose chunks may be found");
  busy.row = m.reg("row_busy_q", f.places, 0, "busy positions of the probe's set");
  s.set.same = m.let("same_set", enter.set == probe_set, "the next request asks for the probe's set");
  s.set.enter = m.let("enter", enter.moves & enter.comes, "the next request enters");
  s.set.turnover = {enter.moves,
                    m.let("other_set", enter.comes & ~s.set.same, "the next request asks for another set")};
  s.set.target = m.data_reg("target_q", f.entries, "the tag of the line or for it, as planned, one-hot");
  s.set.fresh = m.data_reg("fresh_q", 1, "the line had no tag when that was planned");
  s.set.enough = m.data_reg("enough_q", 1, "each missed chunk has a position there");
  // What is decided late in a cycle reaches the arrays in the next one.
  s.set.late = late_row(m, "late", probe_set, enter.set);
  valid.late = m.data_reg("late_valid_q", f.places, "valid positions that the probe left in its set");
  busy.late = m.data_reg("late_busy_q", f.places, "busy positions that it left there");
  valid.filled = m.reg("fill_q", 1, 0, "chunks arrived in the cycle before and may be found");
  valid.filled_set = m.data_reg("fill_set_q", f.set_bits, "set of the chunks that arrived");
  valid.filled_bits = m.data_reg("fill_places_q", f.places, "positions of those chunks");
  if (protects_data(f.p.ecc))
    valid.dropped = DroppedLine{.valid = m.reg("drop_q", 1, 0, "chunks of a line with wrong data went then"),
                                .set = m.data_reg("drop_set_q", f.set_bits, "set of that line"),
                                .bits = m.data_reg("drop_places_q", f.places, "positions of those chunks")};
  s.places.released =
      m.data_reg("released_q", f.places, "positions without an owner after the answer in the cycle before");
  s.places.released_set = m.data_reg("released_set_q", f.set_bits, "set of the positions that were released");
  return s;
}

// A row written as the next request reads it reaches that request beside the RAM.
Selectors stored_selectors(DecoupledFrame& f, const DecoupledSet& set, const EnterPort& enter,
                           const Expr& probe_set, const Expr& allocate) {
  rtl::Module& m = f.m;
  m.section("Selectors: the tag that each position belongs to, if it is in use.");
  const int row = f.places * f.selector_width;
  const Expr bypass_q = m.reg("bypass_selectors_q", 1, 0, "the row was written as it was read"),
             last_q = m.data_reg("last_selectors_q", row, "the row that was written last"),
             stored = m.wire("stored_selectors", row, "the row that was read"),
             after = m.wire("selectors_after", row, "selectors of the probe's set with the load's positions");
  const Protection protection = f.p.ecc.tags;
  const bool checked = protection != Protection::none;
  Expr read = stored, written = after, stored_wrong;
  if (checked) {
    const int bits = stored_row_bits(protection, row);
    read = m.wire("selectors_read", bits, "that row with its check bits");
    written = m.wire("selectors_written", bits, "the new row with its check bits");
    stored_wrong = m.wire("stored_selectors_wrong", 1, "the row that was read is wrong");
  }
  m.instance(sram_1r1w(f.sets, read.width()), "selectors",
             {{"read", set.enter},
              {"read_row", enter.set},
              {"read_data", read},
              {"write", allocate},
              {"write_row", probe_set},
              {"write_data", written}},
             "Selectors, a row a set.");
  if (checked)
    m.instance(row_check(protection, row, m.name() + "_selectors_check"), "selectors_check",
               {{"write_data", after},
                {"write_row", written},
                {"read_row", read},
                {"read_data", stored},
                {"wrong", stored_wrong}},
               "Check bits of the selectors.");
  const Expr selectors =
      m.let("row_selectors", mux(bypass_q, last_q, stored), "selectors of the probe's set");
  m.clocked("Whether to look beside the RAM.",
            [&] { m.when(set.enter, [&] { m.set(bypass_q, allocate & set.same); }); });
  m.clocked("The row that is written.", [&] { m.when(allocate, [&] { m.set(last_q, after); }); });
  if (!checked) return {selectors, after, {}};
  return {selectors, after,
          m.let("selectors_wrong", stored_wrong & ~bypass_q, "selectors of the set are wrong")};
}

TagAges stored_ages(DecoupledFrame& f) {
  rtl::Module& m = f.m;
  m.section("Ages of the tags of a set, all different; 0 is the youngest.");
  const int all = f.sets * f.entries * f.age_bits, row_bits = f.entries * f.age_bits;
  std::vector<std::uint64_t> start((static_cast<std::size_t>(all) + 63) / 64);
  for (int i = 0; i < all; ++i)
    if (i / f.age_bits % f.entries >> i % f.age_bits & 1)
      start[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << i % 64;
  const Expr array = m.wide_reg("age_q", all, start, "age of each tag of each set");
  start.resize((static_cast<std::size_t>(row_bits) + 63) / 64);
  if (const int rest = row_bits % 64) start.back() &= ~std::uint64_t{0} >> (64 - rest);
  const SetState age{.array = array,
                     .row = m.wide_reg("row_ages_q", row_bits, start, "ages in the probe's set"),
                     .late = m.data_reg("late_ages_q", row_bits, "ages that the probe left in its set")};
  return {age, older_than_each(m, "older", age_order(f.entries, f.age_bits, m.name() + "_order"), age.row,
                               f.entries, "for each tag the older ones")};
}

LinesOfWays lines_of_ways(DecoupledFrame& f, const PlacesState& state,
                          const std::optional<Selectors>& selectors, const Expr& mask) {
  rtl::Module& m = f.m;
  m.section("The lines of each way.");
  const auto of_entries = [&](const char* name, const char* doc) { return m.wire(name, f.entries, doc); };
  const LinesOfWays l{
      .owns = m.wire("owns", f.entries * f.chunks, "positions of each line, if they are in use"),
      .holds = m.wire("holds", f.entries * f.chunks, "positions of each line with a chunk to be found"),
      .covers = of_entries("covers", "lines that have all chunks of the request"),
      .filled = of_entries("filled", "lines that have a chunk"),
      .used = of_entries("used", "tags that stand for a line"),
      .waits = of_entries("busy_lines", "lines with a position on its way or waited for"),
      .hurt = of_entries("hurt", "lines with a chunk where the request has one"),
      .blocked = m.wire("blocked", f.ways, "ways where a position for the request may not be overwritten")};
  const rtl::Module way = decoupled_way(f.p, m.name() + "_way");
  m.repeat("way", f.ways, "A way each.", [&](const Expr& w) {
    std::vector<std::pair<std::string, Expr>> pins;
    if (selectors) pins.emplace_back("selectors", selectors->row.part(w, f.chunks * f.selector_width));
    pins.insert(pins.end(), {{"valid", state.valid.row.part(w, f.chunks)},
                             {"busy", state.busy.row.part(w, f.chunks)},
                             {"mask", mask},
                             {"owns", l.owns.part(w, f.tags * f.chunks)},
                             {"holds", l.holds.part(w, f.tags * f.chunks)},
                             {"covers", l.covers.part(w, f.tags)},
                             {"filled", l.filled.part(w, f.tags)},
                             {"used", l.used.part(w, f.tags)},
                             {"waits", l.waits.part(w, f.tags)},
                             {"hurt", l.hurt.part(w, f.tags)},
                             {"blocked", l.blocked.at(w)}});
    m.instance(way, "lines", pins, "Lines of the way.");
  });
  return l;
}

// Of two tags alike one may be of a line that a flush left behind, which holds nothing; and a line of which
// all is on its way is known by its MSHR entry.
FoundLine find_line(DecoupledFrame& f, const DecoupledSet& set, const DecoupledPorts& ports,
                    const LinesOfWays& lines) {
  rtl::Module& m = f.m;
  const auto& [enter, probe, leave, fill, replay, flush, present, drop, result] = ports;
  const Expr written = m.wire("tag_written", f.entries, "the tag that is written, one-hot");
  const TagProbe tags{probe.set, probe.tag, set.enter, enter.set, enter.tag, set.same, enter.rehashed};
  const ComparedTags stored = tag_rams(m, "entry", f.sets, tags, written, tag_code(f.p.ecc.tags, f.tag_bits));
  m.section("Lookup.");
  const Expr awaited = m.wire("awaited", f.entries, "the tag that the MSHR entry names, one-hot");
  const auto name_awaited = [&](const Expr& w) {
    const Expr here = replicate(f.tags, probe.entry_way.at(w));
    m.set(awaited.part(w, f.tags), probe.entry_tag ? here & *probe.entry_tag : here);
  };
  Expr equal = stored.equal;
  if (stored.wrong) {
    m.comb("The tag that the MSHR entry names.", [&] { m.loop("awaited_at", f.ways, name_awaited); });
    equal = m.let("line_equal", equal | awaited, "tags of the probe's line, if they stand for a line");
  }
  const Expr covering = m.let("covering", equal & lines.covers, "the line, if it has all requested chunks");
  m.comb("Tags and ways.", [&] {
    m.loop("way_at", f.ways, [&](const Expr& w) {
      if (!stored.wrong) name_awaited(w);
      m.set(result.hit.at(w), rtl::any(covering.part(w, f.tags)));
    });
  });
  const Expr line = m.let("line", (equal & lines.filled) | awaited, "the tag of the line, one-hot, or 0");
  m.comb("Chunks of the line.", [&] {
    m.set(result.valid, lit(f.chunks, 0));
    m.loop("line_at", f.entries, [&](const Expr& e) {
      const Expr held = lines.holds.part(e, f.chunks) & replicate(f.chunks, equal.at(e));
      m.set(result.valid, result.valid | held);
    });
  });
  return {written, line, stored.wrong};
}

Expr places_of(DecoupledFrame& f, const Expr& owns, const std::string& name, const Expr& lines,
               const std::string& doc, const char* instance) {
  const Expr bits = f.m.wire(name, f.places, doc);
  const rtl::Module of_way = decoupled_places(f.p, f.m.name() + "_places");
  f.m.repeat(name + "_in", f.ways, "A way each.", [&](const Expr& w) {
    f.m.instance(of_way, instance,
                 {{"owns", owns.part(w, f.tags * f.chunks)},
                  {"lines", lines.part(w, f.tags)},
                  {"places", bits.part(w, f.chunks)}},
                 "Positions in the target way.");
  });
  return bits;
}

// What is busy stays: its MSHR entry knows it. Of a set whose selectors are wrong nothing else is known, so
// that all the rest goes, and the request waits for what is busy.
Expr wrong_positions(DecoupledFrame& f, const PlacesState& state, const rtl::Condition& selectors_wrong,
                     const LinesOfWays& lines, const Expr& tags_wrong, const DecoupledPorts& ports) {
  rtl::Module& m = f.m;
  const ResultPort& result = ports.result;
  const Expr& present = ports.present.value();
  m.section("Wrong tags and selectors.");
  const Expr emptied =
      m.let("emptied_tags", tags_wrong & lines.filled & ~lines.waits & replicate(f.entries, present),
            "tags whose line goes, since they are wrong");
  const Expr places =
      places_of(f, lines.owns, "wrong_places", emptied, "positions of these lines", "wrong_of_way");
  if (!selectors_wrong.can_be()) {
    m.assign(*result.tags_wrong, rtl::any(emptied));
    return places;
  }
  m.assign(*result.waits, present & selectors_wrong & rtl::any(state.valid.row | state.busy.row));
  const Expr ownerless =
      m.let("ownerless", state.valid.row & ~state.busy.row & replicate(f.places, selectors_wrong & present),
            "positions that go, since nobody knows whose they are");
  m.assign(*result.tags_wrong, rtl::any(emptied) | rtl::any(ownerless));
  return places | ownerless;
}

// A line without a tag misses all that it asks for: so the choice need not wait for the comparison. A plan
// with its tag is none once the line has lost it.
Expr plan_places(DecoupledFrame& f, const DecoupledSet& set, const Expr& busy_row, const LinesOfWays& lines,
                 const Expr& line, const std::optional<TagAges>& ages, const Expr& missed,
                 const ResultPort& result) {
  rtl::Module& m = f.m;
  m.section("The plan for the next cycle: in the line's way, with any owners there, or with a new tag.");
  const Expr chosen = m.wire("chosen", f.entries, "the tag that a new line would take");
  const Expr some = m.wire("some", 1, "there is one");
  std::vector<std::pair<std::string, Expr>> pins{{"used", lines.used}, {"waits", lines.waits}};
  const bool by_way = f.p.decoupled.victim == DecoupledVictim::way;
  if (by_way)
    pins.emplace_back("hurt", lines.hurt);
  else
    m.unused("unused_hurt", lines.hurt, "the choice does not look at what it costs others");
  pins.emplace_back("blocked", lines.blocked);
  if (by_way && f.tags > 1) pins.emplace_back("ages", ages.value().age.row);
  if (ages) pins.emplace_back("older", ages->older);
  pins.insert(pins.end(), {{"chosen", chosen}, {"some", some}});
  m.instance(decoupled_choice(f.p, m.name() + "_choice"), "choice", pins, "The choice of a tag.");
  const Expr line_way = f.ways_of("way_of_line", line, "way of the line, one-hot, or 0");
  if (result.found_way) m.assign(*result.found_way, line_way);
  const Expr own_busy = m.wire("own_busy", f.chunks, "positions of that way that may not be overwritten");
  m.comb("The line's own way.", [&] {
    m.set(own_busy, lit(f.chunks, 0));
    m.loop("own_way", f.ways, [&](const Expr& w) {
      m.set(own_busy, own_busy | (busy_row.part(w, f.chunks) & replicate(f.chunks, line_way.at(w))));
    });
  });
  const Expr found = m.let("found", rtl::any(line), "the line has a tag");
  m.clocked("The plan.", [&] {
    m.set(set.target, mux(found, line, chosen));
    m.set(set.fresh, ~found);
    m.set(set.enough, mux(found, ~rtl::any(own_busy & missed), some));
  });
  const bool loses_tags = protects_data(f.p.ecc) || protects_tags(f.p.ecc);
  m.assign(result.enough, loses_tags ? set.enough & (set.fresh | found) : set.enough);
  return line_way;
}

}  // namespace hw
