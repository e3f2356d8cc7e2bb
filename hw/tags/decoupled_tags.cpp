#include "hw/tags/decoupled_tags.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/require.h"
#include "hw/tags/decoupled_choice.h"
#include "hw/tags/decoupled_tags_builder.h"
#include "hw/tags/decoupled_way.h"
#include "hw/tags/tag_rams.h"
#include "hw/tags/tag_ranges.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void check_decoupled(const TagParams& p, int /*tag_bits*/) {
  const int tags = p.decoupled.tags_per_way;
  require_in(DecoupledRanges::tags_per_way, "tags.decoupled.tags_per_way", tags,
             "use 2, the DSC-2 of the TSC paper");
  require(decoupled_entries(p) <= most_decoupled_entries, "tags.decoupled.tags_per_way", tags,
          fmt::format("makes {} tags of a set with {} ways; they must be at most {}", decoupled_entries(p),
                      p.ways, most_decoupled_entries),
          fmt::format("use at most {}, or fewer geometry.ways", most_decoupled_entries / p.ways));
  require(p.replacement == Replacement::lru, "tags.replacement",
          p.replacement == Replacement::nru ? "nru" : "random",
          "is not what decoupled tags have: they are replaced by LRU", "use lru, or leave it out");
}

DecoupledTagsBuilder::DecoupledTagsBuilder(const TagParams& params, int tag_width, const std::string& name)
    : p(params),
      ways(p.ways),
      tags(p.decoupled.tags_per_way),
      entries(decoupled_entries(p)),
      chunks(chunks_of_line(p)),
      places(ways * chunks),
      sets(p.sets),
      set_bits(bits_to_number(sets)),
      tag_bits(tag_width),
      selector_width(selector_bits(p)),
      age_bits(bits_to_number(entries)),
      mask_scope(p.store_scope == StoreScope::mask),
      m(name,
        fmt::format("Decoupled sectored tags of {} sets of {} way{} of {} chunk{}, {} tag{} a way (DSC of "
                    "the TSC paper).",
                    sets, ways, ways == 1 ? "" : "s", chunks, chunks == 1 ? "" : "s", tags,
                    tags == 1 ? "" : "s")) {}

rtl::Module DecoupledTagsBuilder::run() {
  request_ports();
  change_ports();
  outputs();
  state();
  late_state();
  if (selector_width) stored_selectors();
  if (age_bits) stored_ages();
  lines_of_ways();
  lookup();
  plan();
  taken_places();
  lost_places();
  if (selector_width) selector_changes();
  valid_changes();
  busy_changes();
  if (age_bits) age_changes();
  if (p.counters) evicted();
  shown();
  return m;
}

void DecoupledTagsBuilder::request_ports() {
  moves = m.input("moves", 1, "the tag-lookup stage is free or becomes free");
  comes = m.input("comes", 1, "then a request enters it");
  if (p.moving_sets)
    rehashed = m.input("rehashed", 1, "the request is the probe's own once more, in another set");
  enter_set = m.input("enter_set", set_bits, "set of the request that enters");
  enter_tag = m.input("enter_tag", tag_bits, "tag of the request that enters");
  probe_set = m.input("probe_set", set_bits, "set of the request in the tag-lookup stage");
  tag = m.input("probe_tag", tag_bits, "tag of the request");
  mask = m.input("probe_mask", chunks, "chunks that the request asks for");
  missed = m.input("missed", chunks, "chunks neither valid nor on their way");
  if (mask_scope) entry_match = m.input("entry_match", 1, "an MSHR entry has its line");
  entry_way = m.input("entry_way", ways, "the way of that entry's line, one-hot, or 0");
  if (tags > 1) entry_number = m.input("entry_tag", tags, "tag of that line there, one-hot, or 0");
  planned = m.input("planned", 1, "the load stood there in the cycle before, and its plan counts");
}

void DecoupledTagsBuilder::change_ports() {
  allocate = m.input("allocate", 1, "the load leaves with the positions that were planned");
  waits = m.input("waits", 1, "the load becomes an MSHR target");
  load = m.input("load", 1, "the request is a load");
  invalidate = m.input("invalidate", 1, "a store or an atomic leaves");
  fill = m.input("fill", 1, "chunks arrive and may be found");
  fill_set = m.input("fill_set", set_bits, "set of the chunks that arrive");
  fill_way = m.input("fill_way", ways, "way of the chunks that arrive, one-hot");
  fill_mask = m.input("fill_mask", chunks, "chunks of the fill");
  replay_set = m.input("replay_set", set_bits, "set of the waiting load on offer");
  replay_way = m.input("replay_way", ways, "way of its line, one-hot");
  replay_released = m.input("replay_released", chunks, "chunks that nobody waits for after its answer");
  flush = m.input("flush", 1, "nothing stays valid");
}

void DecoupledTagsBuilder::outputs() {
  hit_out = m.output("hit", ways, "the way of the line, one-hot, if it holds all of the chunks");
  valid_out = m.output("line_valid", chunks, "chunks of the line that may be found");
  enough_out = m.output("enough", 1, "the plan of the cycle before has a position for each missed chunk");
  way_out = m.output("line_way", ways, "the way that was planned, one-hot");
  if (tags > 1) number_out = m.output("line_tag", tags, "the tag there, one-hot");
  if (stores_update(p)) found_way_out = m.output("found_way", ways, "the way of the line, one-hot, or 0");
  if (!p.counters) return;
  lines_lost_out = m.output("lines_lost", rtl::clog2(static_cast<std::uint64_t>(tags) + 1),
                            "lines that the load's chunks displace");
  chunks_lost_out = m.output("chunks_lost", rtl::clog2(static_cast<std::uint64_t>(chunks) + 1),
                             "chunks that they displace");
}

void DecoupledTagsBuilder::state() {
  m.section("State; that of the probe's set is kept beside the rest, so that it is there early.");
  valid.array = m.reg("valid_q", sets * places, 0, "positions whose chunks may be found, by set");
  busy.array = m.reg("busy_q", sets * places, 0, "positions on their way or waited for, by set");
  valid.row = m.reg("row_valid_q", places, 0, "positions of the probe's set whose chunks may be found");
  busy.row = m.reg("row_busy_q", places, 0, "busy positions of the probe's set");
  same = m.let("same_set", enter_set == probe_set, "the next request asks for the probe's set");
  enter = m.let("enter", moves & comes, "the next request enters");
  turnover = {moves, m.let("other_set", comes & ~same, "the next request asks for another set")};
  target_q = m.data_reg("target_q", entries, "the tag of the line or for it, as planned, one-hot");
  fresh_q = m.data_reg("fresh_q", 1, "the line had no tag when that was planned");
  enough_q = m.data_reg("enough_q", 1, "each missed chunk has a position there");
}

// What is decided late in a cycle reaches the arrays in the next one.
void DecoupledTagsBuilder::late_state() {
  late = late_row(m, "late", probe_set, enter_set);
  valid.late = m.data_reg("late_valid_q", places, "valid positions that the probe left in its set");
  busy.late = m.data_reg("late_busy_q", places, "busy positions that it left there");
  valid.filled = m.reg("fill_q", 1, 0, "chunks arrived in the cycle before and may be found");
  valid.filled_set = m.data_reg("fill_set_q", set_bits, "set of the chunks that arrived");
  valid.filled_bits = m.data_reg("fill_places_q", places, "positions of those chunks");
  released_q =
      m.data_reg("released_q", places, "positions without an owner after the answer in the cycle before");
  released_set_q = m.data_reg("released_set_q", set_bits, "set of the positions that were released");
}

// A row written as the next request reads it reaches that request beside the RAM.
void DecoupledTagsBuilder::stored_selectors() {
  m.section("Selectors: the tag that each position belongs to, if it is in use.");
  const int row = places * selector_width;
  const Expr bypass_q = m.reg("bypass_selectors_q", 1, 0, "the row was written as it was read");
  const Expr last_q = m.data_reg("last_selectors_q", row, "the row that was written last");
  const Expr stored = m.wire("stored_selectors", row, "the row that was read");
  last_selectors = m.wire("selectors_after", row, "selectors of the probe's set with the load's positions");
  m.instance(sram_1r1w(sets, row), "selectors",
             {{"read", enter},
              {"read_row", enter_set},
              {"read_data", stored},
              {"write", allocate},
              {"write_row", probe_set},
              {"write_data", last_selectors}},
             "Selectors, a row a set.");
  selectors = m.let("row_selectors", mux(bypass_q, last_q, stored), "selectors of the probe's set");
  m.clocked("Whether to look beside the RAM.",
            [&] { m.when(enter, [&] { m.set(bypass_q, allocate & same); }); });
  m.clocked("The row that is written.", [&] { m.when(allocate, [&] { m.set(last_q, last_selectors); }); });
}

void DecoupledTagsBuilder::stored_ages() {
  m.section("Ages of the tags of a set, all different; 0 is the youngest.");
  const int all = sets * entries * age_bits;
  std::vector<std::uint64_t> start((static_cast<std::size_t>(all) + 63) / 64);
  for (int i = 0; i < all; ++i)
    if (i / age_bits % entries >> i % age_bits & 1)
      start[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << i % 64;
  age.array = m.wide_reg("age_q", all, start, "age of each tag of each set");
  start.resize((static_cast<std::size_t>(entries * age_bits) + 63) / 64);
  if (const int rest = entries * age_bits % 64) start.back() &= ~std::uint64_t{0} >> (64 - rest);
  age.row = m.wide_reg("row_ages_q", entries * age_bits, start, "ages in the probe's set");
  age.late = m.data_reg("late_ages_q", entries * age_bits, "ages that the probe left in its set");
  older = older_than_each(m, "older", age_order(entries, age_bits, m.name() + "_order"), age.row, entries,
                          "for each tag the older ones");
}

void DecoupledTagsBuilder::lines_of_ways() {
  m.section("The lines of each way.");
  const auto of_entries = [&](const char* name, const char* doc) { return m.wire(name, entries, doc); };
  owns = m.wire("owns", entries * chunks, "positions of each line, if they are in use");
  holds = m.wire("holds", entries * chunks, "positions of each line with a chunk to be found");
  covers = of_entries("covers", "lines that have all chunks of the request");
  filled = of_entries("filled", "lines that have a chunk");
  used = of_entries("used", "tags that stand for a line");
  busy_lines = of_entries("busy_lines", "lines with a position on its way or waited for");
  hurt = of_entries("hurt", "lines with a chunk where the request has one");
  blocked = m.wire("blocked", ways, "ways where a position for the request may not be overwritten");
  const rtl::Module way = decoupled_way(p, m.name() + "_way");
  m.repeat("way", ways, "A way each.", [&](const Expr& w) {
    std::vector<std::pair<std::string, Expr>> pins;
    if (selector_width) pins.emplace_back("selectors", selectors.part(w, chunks * selector_width));
    pins.insert(pins.end(), {{"valid", valid.row.part(w, chunks)},
                             {"busy", busy.row.part(w, chunks)},
                             {"mask", mask},
                             {"owns", owns.part(w, tags * chunks)},
                             {"holds", holds.part(w, tags * chunks)},
                             {"covers", covers.part(w, tags)},
                             {"filled", filled.part(w, tags)},
                             {"used", used.part(w, tags)},
                             {"waits", busy_lines.part(w, tags)},
                             {"hurt", hurt.part(w, tags)},
                             {"blocked", blocked.at(w)}});
    m.instance(way, "lines", pins, "Lines of the way.");
  });
}

// Of two tags alike one may be of a line that a flush left behind, which holds nothing; and a line of which
// all is on its way is known by its MSHR entry.
void DecoupledTagsBuilder::lookup() {
  written = m.wire("tag_written", entries, "the tag that is written, one-hot");
  equal = tag_rams(m, "entry", sets, {probe_set, tag, enter, enter_set, enter_tag, same, rehashed}, written)
              .equal;
  m.section("Lookup.");
  const Expr awaited = m.wire("awaited", entries, "the tag that the MSHR entry names, one-hot");
  const Expr covering = m.let("covering", equal & covers, "the line, if it has all requested chunks");
  m.comb("Tags and ways.", [&] {
    m.loop("way_at", ways, [&](const Expr& w) {
      const Expr here = replicate(tags, entry_way.at(w));
      m.set(awaited.part(w, tags), tags > 1 ? here & entry_number : here);
      m.set(hit_out.at(w), rtl::any(covering.part(w, tags)));
    });
  });
  line = m.let("line", (equal & filled) | awaited, "the tag of the line, one-hot, or 0");
  m.comb("Chunks of the line.", [&] {
    m.set(valid_out, lit(chunks, 0));
    m.loop("line_at", entries, [&](const Expr& e) {
      m.set(valid_out, valid_out | (holds.part(e, chunks) & replicate(chunks, equal.at(e))));
    });
  });
}

// A line without a tag misses all that it asks for: so the choice need not wait for the comparison.
void DecoupledTagsBuilder::plan() {
  m.section("The plan for the next cycle: in the line's way, with any owners there, or with a new tag.");
  const Expr chosen = m.wire("chosen", entries, "the tag that a new line would take");
  const Expr some = m.wire("some", 1, "there is one");
  std::vector<std::pair<std::string, Expr>> pins{{"used", used}, {"waits", busy_lines}};
  if (p.decoupled.victim == DecoupledVictim::way)
    pins.emplace_back("hurt", hurt);
  else
    m.unused("unused_hurt", hurt, "the choice does not look at what it costs others");
  pins.emplace_back("blocked", blocked);
  if (p.decoupled.victim == DecoupledVictim::way && tags > 1) pins.emplace_back("ages", age.row);
  if (age_bits) pins.emplace_back("older", older);
  pins.insert(pins.end(), {{"chosen", chosen}, {"some", some}});
  m.instance(decoupled_choice(p, m.name() + "_choice"), "choice", pins, "The choice of a tag.");
  line_way = ways_of("way_of_line", line, "way of the line, one-hot, or 0");
  if (found_way_out) m.assign(*found_way_out, line_way);
  const Expr own_busy = m.wire("own_busy", chunks, "positions of that way that may not be overwritten");
  m.comb("The line's own way.", [&] {
    m.set(own_busy, lit(chunks, 0));
    m.loop("own_way", ways, [&](const Expr& w) {
      m.set(own_busy, own_busy | (busy.row.part(w, chunks) & replicate(chunks, line_way.at(w))));
    });
  });
  const Expr found = m.let("found", rtl::any(line), "the line has a tag");
  m.clocked("The plan.", [&] {
    m.set(target_q, mux(found, line, chosen));
    m.set(fresh_q, ~found);
    m.set(enough_q, mux(found, ~rtl::any(own_busy & missed), some));
  });
  m.assign(enough_out, enough_q);
}

Expr DecoupledTagsBuilder::spread(const std::string& name, const Expr& of_ways, const Expr& of_chunks,
                                  const std::string& doc) {
  const Expr bits = m.wire(name, places, doc);
  m.comb("A chunk has the bit of its way.", [&] {
    m.loop(name + "_way", ways,
           [&](const Expr& w) { m.set(bits.part(w, chunks), replicate(chunks, of_ways.at(w)) & of_chunks); });
  });
  return bits;
}

Expr DecoupledTagsBuilder::ways_of(const std::string& name, const Expr& lines, const std::string& doc) {
  const Expr bits = m.wire(name, ways, doc);
  m.comb("A way has the bit of any of its lines.", [&] {
    m.loop(name + "_at", ways, [&](const Expr& w) { m.set(bits.at(w), rtl::any(lines.part(w, tags))); });
  });
  return bits;
}

rtl::Module decoupled_tags(const TagParams& p, int tag_bits, const std::string& name) {
  return DecoupledTagsBuilder(p, tag_bits, name).run();
}

}  // namespace hw
