#include "hw/tags/reuse_filter_parts.h"

#include <fmt/format.h>

#include <utility>

#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/tags/reuse_filter.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

ReuseFrame::ReuseFrame(const TagParams& params, int tag_width, rtl::Module module)
    : m(std::move(module)),
      p(params),
      ways(p.ways),
      entries(p.reuse.ways),
      sets(p.sets),
      set_bits(bits_to_number(sets)),
      tag_bits(tag_width),
      rc_bits(p.reuse.rc_bits),
      position_bits(bits_to_number(ways)),
      filters(hw::filters(p)) {}

namespace {

ReuseProbe reuse_probe_port(ReuseFrame& f) {
  rtl::Module& m = f.m;
  return {
      .set = m.input("probe_set", f.set_bits, "set of the request in the tag-lookup stage"),
      .tag = m.input("probe_tag", f.tag_bits, "tag of the request"),
      .entry_match = m.input("entry_match", 1, "an MSHR entry has its line"),
      .entry_way = m.input("entry_way", f.ways, "the data way of that entry, one-hot, or 0"),
      .filter_enable = input_if(m, f.filters && f.p.reuse.follow, "filter_enable", 1, "the filter is on")};
}

ReuseLeave reuse_leave_port(ReuseFrame& f) {
  rtl::Module& m = f.m;
  return {.allocate = m.input("allocate", 1, "the request takes a data way for its line"),
          .load = m.input("load", 1, "the request is a load"),
          .has_free = input_if(m, !f.filters || f.p.reuse.follow, "has_free", 1, "an MSHR entry is free"),
          .queue_not_full = m.input("queue_not_full", 1, "the miss queue has a free slot"),
          .bypass = input_if(m, f.filters, "bypass", 1, "a load leaves that takes no data way"),
          .invalidate = m.input("invalidate", 1, "a store or an atomic leaves")};
}

ReuseFill reuse_fill_port(ReuseFrame& f) {
  rtl::Module& m = f.m;
  return {.valid = m.input("fill", 1, "a line arrives and may be found"),
          .set = m.input("fill_set", f.set_bits, "set of the line that arrives"),
          .way = m.input("fill_way", f.ways, "data way of the line that arrives, one-hot")};
}

FreedPort reuse_dealloc_port(ReuseFrame& f) {
  rtl::Module& m = f.m;
  return {.valid = m.input("dealloc", 1, "an MSHR entry is freed"),
          .set = m.input("dealloc_set", f.set_bits, "set of the entry that is freed"),
          .way = m.input("dealloc_way", f.ways, "data way of the entry that is freed, one-hot")};
}

ReuseResult reuse_result_port(ReuseFrame& f) {
  rtl::Module& m = f.m;
  return {
      .match = m.output("match", f.ways, "the data way that holds the line, one-hot, or 0"),
      .can_allocate = m.output("can_allocate", 1, "a data way may be taken, and an entry for it"),
      .filtered = output_if(m, f.filters, "filtered", 1, "the line has too few loads to get data"),
      .tags_wrong = output_if(m, protects_tags(f.p.ecc), "tags_wrong", 1, "an entry goes whose tag is wrong"),
      .way = m.output("way", f.ways, "the way that matched, or that of the MSHR entry, or for the line"),
      .evicted = output_if(m, f.p.counters, "evicted", 1, "a valid line is lost to a load")};
}

}  // namespace

ReusePorts::ReusePorts(ReuseFrame& f)
    : enter(enter_port(f.m, f.p, f.tag_bits)),
      probe(reuse_probe_port(f)),
      leave(reuse_leave_port(f)),
      fill(reuse_fill_port(f)),
      dealloc(reuse_dealloc_port(f)),
      flush(f.m.input("flush", 1, "nothing stays valid")),
      present(input_if(f.m, protects_tags(f.p.ecc), "present", 1, "a request is in the tag-lookup stage")),
      drop(drop_port(f.m, f.p, "data way of that line, one-hot")),
      result(reuse_result_port(f)) {}

Expr FreedWay::in(const Expr& of_set) const {
  return way & rtl::replicate(way.width(), valid & (set == of_set));
}

ReuseState reuse_state(ReuseFrame& f, const EnterPort& enter, const Expr& probe_set) {
  rtl::Module& m = f.m;
  const int sets = f.sets;
  ReuseState s;
  m.section("State; that of the probe's set is kept beside the rest, so that it is there early.");
  s.known.array =
      m.reg("entry_valid_q", sets * f.entries, 0, "entries that stand for a line, by set and entry");
  s.valid.array = m.reg("valid_q", sets * f.ways, 0, "lines that may be found, by set and data way");
  s.busy.array = m.reg("busy_q", sets * f.ways, 0, "data ways owned by an MSHR entry, by set and data way");
  s.known.row = m.reg("row_entries_q", f.entries, 0, "entries of the probe's set that stand for a line");
  s.valid.row = m.reg("row_valid_q", f.ways, 0, "data ways of the probe's set whose lines may be found");
  s.busy.row = m.reg("row_busy_q", f.ways, 0, "busy data ways of the probe's set");
  s.known.late = m.data_reg("late_entry_valid_q", f.entries, "entries that the probe left in its set");
  s.valid.late = m.data_reg("late_valid_q", f.ways, "lines that it left there");
  s.busy.late = m.data_reg("late_busy_q", f.ways, "busy data ways that it left there");
  s.late = late_row(m, "late", probe_set, enter.set);
  s.freed = {.valid = m.reg("dealloc_q", 1, 0, "an MSHR entry was freed in the cycle before"),
             .set = m.data_reg("dealloc_set_q", f.set_bits, "set of the entry that was freed"),
             .way = m.data_reg("dealloc_way_q", f.ways,
                               "data way of the entry that was freed, busy until now, one-hot")};
  s.busy_now =
      m.let("busy_now", s.busy.row & ~s.freed.in(probe_set), "busy ways, less the one that was released");
  s.same = m.let("same_set", enter.set == probe_set, "the next request asks for the probe's set");
  s.enter = m.let("enter", enter.moves & enter.comes, "the next request enters");
  s.turnover = {enter.moves,
                m.let("other_set", enter.comes & ~s.same, "the next request asks for another set")};
  return s;
}

ReuseTags reuse_tags(ReuseFrame& f, const ReuseState& state, const EnterPort& enter,
                     const ReuseProbe& probe) {
  rtl::Module& m = f.m;
  const Expr takes = m.wire("takes", 1, "the probe's line takes an entry"),
             new_entry = m.wire("new_entry", f.entries, "the entry for a line that has none, one-hot"),
             new_way = m.wire("new_way", f.ways, "the data way for a line that has none, one-hot");
  const Expr written =
      m.let("tag_written", new_entry & f.of_entries(takes), "the entry whose tag is written");
  const TagProbe stage{probe.set, probe.tag, state.enter, enter.set, enter.tag, state.same, enter.rehashed};
  const ComparedTags tags = tag_rams(m, "entry", f.sets, stage, written, tag_code(f.p.ecc.tags, f.tag_bits));
  const Expr found =
      m.let("found", tags.equal & state.known.row, "the entry of the probe's line, one-hot, or 0");
  const Expr has_entry = m.let("has_entry", rtl::any(found), "there is one");
  return {takes, new_entry, new_way, written, tags.equal, tags.wrong, found, has_entry};
}

// Nothing but a load that leaves the tag-lookup stage changes reuse counts, links and positions: they lie in
// a RAM.
ReuseRow reuse_row(ReuseFrame& f, const ReuseState& state, const EnterPort& enter, const Expr& probe_set,
                   const Expr& load) {
  rtl::Module& m = f.m;
  m.section("Reuse counts, links and positions of a set, of all its entries in one row.");
  const int bits = reuse_row_bits(f.p), counts = f.entries * f.rc_bits;
  const Expr counted = m.let("counted", enter.moves & load, "a load leaves");
  const Expr stored = m.wire("stored_row", bits, "the row read last"),
             after = m.wire("row_after", bits, "the probe's row after this cycle");
  m.instance(sram_1r1w(f.sets, bits), "reuse",
             {{"read", state.enter},
              {"read_row", enter.set},
              {"read_data", stored},
              {"write", counted},
              {"write_row", probe_set},
              {"write_data", after}},
             "Rows.");
  const Expr beside_q = m.reg("row_beside_q", 1, 0, "the row was written as it was read"),
             last_row_q = m.data_reg("last_row_q", bits, "the row written last");
  const Expr row = m.let("row", mux(beside_q, last_row_q, stored), "of the probe's set");
  m.clocked("Whether to look beside the RAM.",
            [&] { m.when(state.enter, [&] { m.set(beside_q, counted & state.same); }); });
  m.clocked("The row written last.", [&] { m.when(counted, [&] { m.set(last_row_q, after); }); });
  ReuseRow r{.counts = m.let("reuse_counts", row.slice(counts - 1, 0), "of each entry"),
             .linked = m.let("linked", row.slice(counts + f.entries - 1, counts), "entries with a position"),
             .positions = {},
             .after = after};
  if (f.position_bits) r.positions = m.let("positions", row.slice(bits - 1, counts + f.entries), "data ways");
  return r;
}

// A link to a data way that is neither valid nor busy means nothing, so that neither a store nor the end of a
// poisoned fill has to look for it.
DataLinks::DataLinks(ReuseFrame& f, const ReuseState& state, const ReuseRow& row) {
  rtl::Module& m = f.m;
  m.section("Entries linked to each data way.");
  if (row.positions) {
    for (int w = 0; w < f.ways; ++w)
      holders_.push_back(
          m.wire(fmt::format("holder{}", w), f.entries, fmt::format("entries linked to way {}", w)));
    m.comb("Compare the positions.", [&] {
      m.loop("e", f.entries, [&](const Expr& e) {
        for (int w = 0; w < f.ways; ++w) {
          const Expr here =
              row.positions->part(e, f.position_bits) == lit(f.position_bits, static_cast<std::uint64_t>(w));
          m.set(holders(w).at(e), state.known.row.at(e) & row.linked.at(e) & here);
        }
      });
    });
  } else {
    holders_.push_back(m.let("holder0", state.known.row & row.linked, "entries linked to the data way"));
  }
  occupied_ =
      m.let("occupied", state.valid.row | state.busy_now, "data ways that hold a line or wait for one");
}

Expr DataLinks::holders_of(const Expr& ways) const {
  const auto of_way = [&](int w) { return holders(w) & rtl::replicate(holders(w).width(), ways.bit(w)); };
  Expr all = of_way(0);
  for (int w = 1; w < ways.width(); ++w) all = all | of_way(w);
  return all;
}

Expr DataLinks::ways_of(const Expr& entries) const {
  std::vector<Expr> bits;
  for (auto h = holders_.rbegin(); h != holders_.rend(); ++h) bits.push_back(rtl::any(*h & entries));
  return cat(bits);
}

rtl::Condition wrong_entries(ReuseFrame& f, const ReuseState& state, const DataLinks& links,
                             const ReuseTags& tags, const ReusePorts& ports) {
  if (!tags.wrong) return {};
  const Expr waiting = f.m.let("waiting", links.holders_of(state.busy_now), "entries that wait for a line");
  const Expr emptied = f.m.let("emptied_entries",
                               *tags.wrong & state.known.row & ~waiting & f.of_entries(ports.present.value()),
                               "entries that go, since their tag is wrong");
  f.m.assign(ports.result.tags_wrong.value(), rtl::any(emptied));
  return emptied;
}

// The line of an MSHR entry is found by that entry where a stored tag may be wrong.
Expr find_data_way(ReuseFrame& f, const ReuseState& state, const DataLinks& links, const ReuseTags& tags,
                   const Expr& counts, const ReuseProbe& probe, const ReuseResult& result) {
  rtl::Module& m = f.m;
  m.section("Lookup.");
  std::vector<Expr> matches;
  for (int w = f.ways - 1; w >= 0; --w)
    matches.push_back(rtl::any(tags.equal & (links.holders(w) & f.of_entries(state.valid.row.bit(w)))));
  m.assign(result.match, tags.wrong ? cat(matches) | (probe.entry_way & state.valid.row) : cat(matches));
  const Expr line_way =
      m.let("line_way", probe.entry_way | result.match, "the data way of the line; both name the same one");
  if (!result.filtered) return line_way;
  const Expr hot = m.wire("hot", f.entries, "entries that reach the threshold with one more load");
  m.comb("Compare the reuse counts with the threshold.", [&] {
    m.loop("hot_entry", f.entries, [&](const Expr& e) {
      m.set(hot.at(e),
            counts.part(e, f.rc_bits) >= lit(f.rc_bits, static_cast<std::uint64_t>(f.p.reuse.threshold - 1)));
    });
  });
  const Expr cold = ~rtl::any(tags.found & hot);
  m.assign(*result.filtered, probe.filter_enable ? *probe.filter_enable & cold : cold);
  return line_way;
}

}  // namespace hw
