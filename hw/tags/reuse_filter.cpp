#include "hw/tags/reuse_filter.h"

#include <fmt/format.h>

#include "hw/dueling/dueling_ranges.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/tags/reuse_filter_builder.h"
#include "hw/tags/tag_rams.h"
#include "hw/tags/tag_ranges.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

int reuse_row_bits(const TagParams& p) {
  return p.reuse.ways * (p.reuse.rc_bits + 1 + bits_to_number(p.ways));
}

void check_reuse_filter(const TagParams& p, int /*tag_bits*/) {
  const ReuseFilterParams& r = p.reuse;
  require_in(ReuseFilterRanges::ways, "tags.reuse_filter.ways", r.ways,
             "use 8, the tag entries of the paper");
  require(r.ways >= p.ways, "tags.reuse_filter.ways", r.ways,
          fmt::format("is less than the {} data ways of a set, and each line needs a tag", p.ways),
          fmt::format("use {} or more, or fewer geometry.ways", p.ways));
  require_in(ReuseFilterRanges::rc_bits, "tags.reuse_filter.rc_bits", r.rc_bits,
             "use 6, the reuse count of the paper");
  require(r.threshold >= 0 && r.threshold < 1 << r.rc_bits, "tags.reuse_filter.threshold", r.threshold,
          fmt::format("must be from 0 to {}, which {} bits can count", (1 << r.rc_bits) - 1, r.rc_bits),
          "use 2, the threshold of the paper, or more tags.reuse_filter.rc_bits");
  require(p.replacement == Replacement::lru, "tags.replacement",
          p.replacement == Replacement::nru ? "nru" : "random",
          "is not what a reuse filter's data ways have: they are replaced by LRU",
          "use lru, or leave it out");
  require_in(FilterDuelingRanges::interval, "tags.reuse_filter.dueling_interval", r.dueling_interval,
             "use 500, the interval of the paper");
  require_in(FilterDuelingRanges::margin_percent, "tags.reuse_filter.dueling_margin_percent",
             r.dueling_margin_percent, "use 10, the margin of the paper");
}

ReuseFilterBuilder::ReuseFilterBuilder(const TagParams& params, int tag_width, const std::string& name)
    : p(params),
      ways(p.ways),
      entries(p.reuse.ways),
      sets(p.sets),
      set_bits(bits_to_number(sets)),
      tag_bits(tag_width),
      rc_bits(p.reuse.rc_bits),
      position_bits(bits_to_number(ways)),
      filters(hw::filters(p)),
      m(name,
        fmt::format("Tags of {} sets of {} entries for {} data way{}, with reuse counts of {} bits: "
                    "the entry and data way of a line, and the lines that get data (Decoupled L1D paper, "
                    "section 4).",
                    sets, entries, ways, ways == 1 ? "" : "s", rc_bits)) {}

rtl::Module ReuseFilterBuilder::run() {
  ports();
  state();
  reuse_ram();
  links();
  if (strange) wrong_tags(*strange);
  lookup();
  entry_choice();
  way_choice();
  next_reuse();
  entry_changes();
  valid_changes();
  busy_changes();
  shown();
  return m;
}

void ReuseFilterBuilder::ports() {
  moves = m.input("moves", 1, "the tag-lookup stage is free or becomes free");
  comes = m.input("comes", 1, "then a request enters it");
  if (p.moving_sets)
    rehashed = m.input("rehashed", 1, "the request is the probe's own once more, in another set");
  enter_set = m.input("enter_set", set_bits, "set of the request that enters");
  enter_tag = m.input("enter_tag", tag_bits, "tag of the request that enters");
  set = m.input("probe_set", set_bits, "set of the request in the tag-lookup stage");
  tag = m.input("probe_tag", tag_bits, "tag of the request");
  entry_match = m.input("entry_match", 1, "an MSHR entry has its line");
  entry_way = m.input("entry_way", ways, "the data way of that entry, one-hot, or 0");
  if (filters && p.reuse.follow) filter_enable = m.input("filter_enable", 1, "the filter is on");
  allocate = m.input("allocate", 1, "the request takes a data way for its line");
  load = m.input("load", 1, "the request is a load");
  if (!filters || p.reuse.follow) has_free = m.input("has_free", 1, "an MSHR entry is free");
  queue_not_full = m.input("queue_not_full", 1, "the miss queue has a free slot");
  if (filters) bypass = m.input("bypass", 1, "a load leaves that takes no data way");
  invalidate = m.input("invalidate", 1, "a store or an atomic leaves");
  fill = m.input("fill", 1, "a line arrives and may be found");
  fill_set = m.input("fill_set", set_bits, "set of the line that arrives");
  fill_way = m.input("fill_way", ways, "data way of the line that arrives, one-hot");
  dealloc = m.input("dealloc", 1, "an MSHR entry is freed");
  dealloc_set = m.input("dealloc_set", set_bits, "set of the entry that is freed");
  dealloc_way = m.input("dealloc_way", ways, "data way of the entry that is freed, one-hot");
  flush = m.input("flush", 1, "nothing stays valid");
  if (protects_tags(p.ecc)) present = m.input("present", 1, "a request is in the tag-lookup stage");
  if (protects_data(p.ecc)) {
    drop = m.input("drop", 1, "a line goes in which data was wrong");
    drop_set = m.input("drop_set", set_bits, "set of that line");
    drop_way = m.input("drop_way", ways, "data way of that line, one-hot");
  }

  match_out = m.output("match", ways, "the data way that holds the line, one-hot, or 0");
  can_allocate_out = m.output("can_allocate", 1, "a data way may be taken, and an entry for it");
  if (filters) filtered_out = m.output("filtered", 1, "the line has too few loads to get data");
  if (protects_tags(p.ecc)) wrong_out = m.output("tags_wrong", 1, "an entry goes whose tag is wrong");
  way_out = m.output("way", ways, "the way that matched, or that of the MSHR entry, or for the line");
  if (p.counters) evicted_out = m.output("evicted", 1, "a valid line is lost to a load");
}

void ReuseFilterBuilder::state() {
  m.section("State; that of the probe's set is kept beside the rest, so that it is there early.");
  known.array = m.reg("entry_valid_q", sets * entries, 0, "entries that stand for a line, by set and entry");
  valid.array = m.reg("valid_q", sets * ways, 0, "lines that may be found, by set and data way");
  busy.array = m.reg("busy_q", sets * ways, 0, "data ways owned by an MSHR entry, by set and data way");
  known.row = m.reg("row_entries_q", entries, 0, "entries of the probe's set that stand for a line");
  valid.row = m.reg("row_valid_q", ways, 0, "data ways of the probe's set whose lines may be found");
  busy.row = m.reg("row_busy_q", ways, 0, "busy data ways of the probe's set");
  known.late = m.data_reg("late_entry_valid_q", entries, "entries that the probe left in its set");
  valid.late = m.data_reg("late_valid_q", ways, "lines that it left there");
  busy.late = m.data_reg("late_busy_q", ways, "busy data ways that it left there");
  late = late_row(m, "late", set, enter_set);
  deallocated = m.reg("dealloc_q", 1, 0, "an MSHR entry was freed in the cycle before");
  deallocated_set = m.data_reg("dealloc_set_q", set_bits, "set of the entry that was freed");
  deallocated_way =
      m.data_reg("dealloc_way_q", ways, "data way of the entry that was freed, busy until now, one-hot");
  busy_now = m.let("busy_now", busy.row & ~deallocated_in(set), "busy ways, less the one that was released");
  same = m.let("same_set", enter_set == set, "the next request asks for the probe's set");
  enter = m.let("enter", moves & comes, "the next request enters");
  turnover = {moves, m.let("other_set", comes & ~same, "the next request asks for another set")};
  takes = m.wire("takes", 1, "the probe's line takes an entry");
  new_entry = m.wire("new_entry", entries, "the entry for a line that has none, one-hot");
  new_way = m.wire("new_way", ways, "the data way for a line that has none, one-hot");
  written = m.let("tag_written", new_entry & replicate(entries, takes), "the entry whose tag is written");
  const ComparedTags tags =
      tag_rams(m, "entry", sets, {set, tag, enter, enter_set, enter_tag, same, rehashed}, written,
               tag_code(p.ecc.tags, tag_bits));
  equal = tags.equal;
  strange = tags.wrong;
  found = m.let("found", equal & known.row, "the entry of the probe's line, one-hot, or 0");
  has_entry = m.let("has_entry", rtl::any(found), "there is one");
}

// Nothing but a load that leaves the tag-lookup stage changes reuse counts, links and positions: they lie in
// a RAM.
void ReuseFilterBuilder::reuse_ram() {
  m.section("Reuse counts, links and positions of a set, of all its entries in one row.");
  const int bits = reuse_row_bits(p);
  counted = m.let("counted", moves & load, "a load leaves");
  const Expr stored = m.wire("stored_row", bits, "the row read last");
  row_after = m.wire("row_after", bits, "the probe's row after this cycle");
  m.instance(sram_1r1w(sets, bits), "reuse",
             {{"read", enter},
              {"read_row", enter_set},
              {"read_data", stored},
              {"write", counted},
              {"write_row", set},
              {"write_data", row_after}},
             "Rows.");
  const Expr beside_q = m.reg("row_beside_q", 1, 0, "the row was written as it was read");
  const Expr last_row_q = m.data_reg("last_row_q", bits, "the row written last");
  const Expr row = m.let("row", mux(beside_q, last_row_q, stored), "of the probe's set");
  m.clocked("Whether to look beside the RAM.",
            [&] { m.when(enter, [&] { m.set(beside_q, counted & same); }); });
  m.clocked("The row written last.", [&] { m.when(counted, [&] { m.set(last_row_q, row_after); }); });
  const int counts = entries * rc_bits;
  rc = m.let("reuse_counts", row.slice(counts - 1, 0), "of each entry");
  linked = m.let("linked", row.slice(counts + entries - 1, counts), "entries with a position");
  if (position_bits) positions = m.let("positions", row.slice(bits - 1, counts + entries), "data ways");
}

// A link to a data way that is neither valid nor busy means nothing, so that neither a store nor the end of a
// poisoned fill has to look for it.
void ReuseFilterBuilder::links() {
  m.section("Entries linked to each data way.");
  for (int w = 0; w < ways; ++w) {
    if (!position_bits) {
      holders.push_back(m.let("holder0", known.row & linked, "entries linked to the data way"));
      continue;
    }
    const Expr holder =
        m.wire(fmt::format("holder{}", w), entries, fmt::format("entries linked to way {}", w));
    holders.push_back(holder);
  }
  if (position_bits)
    m.comb("Compare the positions.", [&] {
      m.loop("e", entries, [&](const Expr& e) {
        for (int w = 0; w < ways; ++w)
          m.set(holders[w].at(e),
                known.row.at(e) & linked.at(e) &
                    (positions.part(e, position_bits) == lit(position_bits, static_cast<std::uint64_t>(w))));
      });
    });
  occupied = m.let("occupied", valid.row | busy_now, "data ways that hold a line or wait for one");
}

// The entries that are linked to the data ways named.
Expr ReuseFilterBuilder::holders_of(const Expr& of_ways) const {
  Expr all = holders[0] & replicate(entries, of_ways.bit(0));
  for (int w = 1; w < ways; ++w) all = all | (holders[w] & replicate(entries, of_ways.bit(w)));
  return all;
}

// The data ways that the entries named are linked to.
Expr ReuseFilterBuilder::ways_of(const Expr& of_entries) const {
  std::vector<Expr> bits;
  for (int w = ways - 1; w >= 0; --w) bits.push_back(rtl::any(holders[w] & of_entries));
  return cat(bits);
}

// An entry that waits stays with a wrong tag too: the MSHR entry has its line.
void ReuseFilterBuilder::wrong_tags(const Expr& wrong) {
  const Expr waiting = m.let("waiting", holders_of(busy_now), "entries that wait for a line");
  emptied = m.let("emptied_entries", wrong & known.row & ~waiting & replicate(entries, present),
                  "entries that go, since their tag is wrong");
  m.assign(wrong_out, rtl::any(emptied.when()));
}

// The line of an MSHR entry is found by that entry where a stored tag may be wrong.
void ReuseFilterBuilder::lookup() {
  m.section("Lookup.");
  std::vector<Expr> matches;
  for (int w = ways - 1; w >= 0; --w)
    matches.push_back(rtl::any(equal & (holders[w] & replicate(entries, valid.row.bit(w)))));
  m.assign(match_out, strange ? cat(matches) | (entry_way & valid.row) : cat(matches));
  line_way = m.let("line_way", entry_way | match_out, "the data way of the line; both name the same one");
  if (!filters) return;
  const Expr hot = m.wire("hot", entries, "entries that reach the threshold with one more load");
  m.comb("Compare the reuse counts with the threshold.", [&] {
    m.loop("hot_entry", entries, [&](const Expr& e) {
      m.set(hot.at(e),
            rc.part(e, rc_bits) >= lit(rc_bits, static_cast<std::uint64_t>(p.reuse.threshold - 1)));
    });
  });
  const Expr cold = ~rtl::any(found & hot);
  m.assign(filtered_out, p.reuse.follow ? filter_enable & cold : cold);
}

rtl::Module reuse_filter(const TagParams& p, int tag_bits, const std::string& name) {
  return ReuseFilterBuilder(p, tag_bits, name).run();
}

}  // namespace hw
