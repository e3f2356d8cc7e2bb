#include "hw/tags/way_tags_parts.h"

#include <utility>

#include "hw/prim/one_hot.h"
#include "hw/tags/tag_kinds.h"
#include "hw/tags/way_tags.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

WayFrame::WayFrame(const TagParams& params, int tag_width, rtl::Module module)
    : m(std::move(module)),
      p(params),
      ways(p.ways),
      sectors(valid_bits(p)),
      set_bits(bits_to_number(p.sets)),
      tag_bits(tag_width),
      sectored(sectors > 1) {}

Expr WayFrame::spread(const std::string& name, const Expr& of_ways, const Expr& of_sectors,
                      const std::string& doc) {
  if (!sectored) return of_ways;
  const Expr bits = m.wire(name, ways * sectors, doc);
  m.comb("A sector has the bit of its way.", [&] {
    m.loop(name + "_way", ways, [&](const Expr& w) {
      m.set(bits.part(w, sectors), replicate(sectors, of_ways.at(w)) & of_sectors);
    });
  });
  return bits;
}

namespace {

WayProbe way_probe_port(WayFrame& f) {
  rtl::Module& m = f.m;
  return {.set = m.input("probe_set", f.set_bits, "set of the request in the tag-lookup stage"),
          .tag = m.input("probe_tag", f.tag_bits, "tag of the request"),
          .mask = input_if(m, f.sectored, "probe_mask", f.sectors, "chunks that the request asks for"),
          .entry_match = m.input("entry_match", 1, "an MSHR entry has its line"),
          .entry_way = m.input("entry_way", f.ways, "the way of that entry, one-hot, or 0")};
}

WayLeave way_leave_port(WayFrame& f) {
  rtl::Module& m = f.m;
  return {.allocate = m.input("allocate", 1, "the request takes a way for a new line"),
          .reserve = input_if(m, f.sectored, "reserve", 1,
                              "the request takes an MSHR entry for the way that it matched"),
          .load = input_if(m, needs_touch(f.p), "load", 1, "the request is a load"),
          .invalidate = m.input("invalidate", 1, "a store or an atomic leaves")};
}

WayFill way_fill_port(WayFrame& f) {
  rtl::Module& m = f.m;
  return {.valid = m.input("fill", 1, "chunks arrive and may be found"),
          .set = m.input("fill_set", f.set_bits, "set of the chunks that arrive"),
          .way = m.input("fill_way", f.ways, "way of the chunks that arrive, one-hot"),
          .mask = input_if(m, f.sectored, "fill_mask", f.sectors, "chunks of the fill")};
}

FreedPort way_dealloc_port(WayFrame& f) {
  rtl::Module& m = f.m;
  return {.valid = m.input("dealloc", 1, "an MSHR entry is freed"),
          .set = m.input("dealloc_set", f.set_bits, "set of the entry that is freed"),
          .way = m.input("dealloc_way", f.ways, "way of the entry that is freed, one-hot")};
}

std::optional<HomeInputs> home_inputs(WayFrame& f) {
  if (!f.p.stale_lines) return {};
  return HomeInputs{
      .foreign = f.m.input("foreign", 1, "the home of the request's line is another cache"),
      .shared_sets = f.m.input("shared_sets", 2, "of even sets, and of odd ones, such lines are left over")};
}

WayResult way_result_port(WayFrame& f) {
  rtl::Module& m = f.m;
  const Expr match = m.output("match", f.ways, "the way that holds the line, one-hot, or 0");
  std::optional<SectorResult> sectors;
  if (f.sectored)
    sectors = SectorResult{
        .hit = m.output("hit", f.ways, "the way that matches, if it holds all of the chunks"),
        .match_valid = m.output("match_valid", f.sectors, "valid chunks of the way that matches")};
  std::optional<ClosedWays> closed;
  if (f.p.closed_ways)
    closed =
        ClosedWays{.open = m.input("open_ways", f.ways, "ways that may take a line, the invalid among them"),
                   .reserved = m.output("reserved_ways", f.ways, "ways of the set that MSHR entries own")};
  return {
      .match = match,
      .sectors = sectors,
      .closed = closed,
      .can_allocate = m.output("can_allocate", 1, "some way may take a new line"),
      .tags_wrong = output_if(m, protects_tags(f.p.ecc), "tags_wrong", 1, "a line goes whose tag is wrong"),
      .way = m.output("way", f.ways, "the way that matched, or that of the entry, or for the new line"),
      .evicted = output_if(m, f.p.counters, "evicted", f.sectors, "valid bits that a new line evicts")};
}

}  // namespace

WayPorts::WayPorts(WayFrame& f)
    : enter(enter_port(f.m, f.p, f.tag_bits)),
      probe(way_probe_port(f)),
      leave(way_leave_port(f)),
      fill(way_fill_port(f)),
      dealloc(way_dealloc_port(f)),
      flush(f.m.input("flush", 1, "nothing stays valid")),
      present(input_if(f.m, protects_tags(f.p.ecc), "present", 1, "a request is in the tag-lookup stage")),
      drop(drop_port(f.m, f.p, "way of that line, one-hot")),
      homes(home_inputs(f)),
      result(way_result_port(f)) {}

Expr ReleasedWay::in(const Expr& of_set) const {
  return way & replicate(way.width(), valid & (set == of_set));
}

WayState way_state(WayFrame& f, const EnterPort& enter, const Expr& probe_set) {
  rtl::Module& m = f.m;
  const int sets = f.p.sets, ways = f.ways, bits = ways * f.sectors;
  WayState s;
  m.section("State; that of the probe's set is kept beside the rest, so that it is there early.");
  s.valid.array = m.reg("valid_q", sets * bits, 0, "lines that may be found, by set, way and sector");
  s.busy.array = m.reg("busy_q", sets * ways, 0, "ways owned by an MSHR entry, by set and way");
  s.valid.row = m.reg("row_valid_q", bits, 0, "lines that may be found in the probe's set");
  s.busy.row = m.reg("row_busy_q", ways, 0, "busy ways of the probe's set");
  s.valid.late = m.data_reg("late_valid_q", bits, "the probe's set after its change");
  s.busy.late = m.data_reg("late_busy_q", ways, "busy ways that it left there");
  if (f.p.stale_lines)
    s.foreign =
        SetState{.array = m.reg("foreign_q", sets * ways, 0, "lines of other homes, by set and way"),
                 .row = m.reg("row_foreign_q", ways, 0, "lines of other homes in the probe's set"),
                 .late = m.data_reg("late_foreign_q", ways, "foreign lines that the probe left there")};
  s.late = late_row(m, "late", probe_set, enter.set);
  s.valid.filled = m.reg("fill_q", 1, 0, "chunks arrived in the cycle before");
  s.valid.filled_set = m.data_reg("fill_set_q", f.set_bits, "set of the chunks that arrived");
  s.valid.filled_bits = m.data_reg("fill_bits_q", bits, "valid bits of the chunks that arrived");
  if (protects_data(f.p.ecc))
    s.valid.dropped =
        DroppedLine{.valid = m.reg("drop_q", 1, 0, "a line with wrong data went in the cycle before"),
                    .set = m.data_reg("drop_set_q", f.set_bits, "set of that line"),
                    .bits = m.data_reg("drop_bits_q", bits, "valid bits of that line")};
  s.released = {
      .valid = m.reg("dealloc_q", 1, 0, "an MSHR entry was freed in the cycle before"),
      .here = m.reg("dealloc_here_q", 1, 0, "the freed entry was of the set that is now the probe's"),
      .set = m.data_reg("dealloc_set_q", f.set_bits, "set of the entry that was freed"),
      .way = m.data_reg("dealloc_way_q", ways, "way of the entry that was freed, busy until now, one-hot")};
  s.same = m.let("same_set", enter.set == probe_set, "the next request asks for the probe's set");
  s.enter = m.let("enter", enter.moves & enter.comes, "the next request enters");
  s.turnover = {enter.moves,
                m.let("other_set", enter.comes & ~s.same, "the next request asks for another set")};
  s.busy_now = m.let("busy_now", s.busy.row & ~(s.released.way & f.each(s.released.here)),
                     "busy ways, less the one that was released");
  return s;
}

namespace {

// The line of an MSHR entry is found by the entry and not by its tag, and stays until the entry is freed.
void check_tags(WayFrame& f, const WayState& state, const Expr& wrong, const WayPorts& ports,
                WayLookup& lookup) {
  rtl::Module& m = f.m;
  const Expr& valid = state.valid.row;
  lookup.equal = m.let("way_equal", lookup.equal | ports.probe.entry_way,
                       "ways with the probe's line, if they are valid");
  Expr here = valid;
  if (f.sectored) {
    here = m.wire("some_valid", f.ways, "ways with a valid sector");
    m.comb("Some sector of each way.", [&] {
      m.loop("sector_of", f.ways,
             [&](const Expr& w) { m.set(here.at(w), rtl::any(valid.part(w, f.sectors))); });
    });
  }
  const Expr emptied = m.let("emptied_ways", wrong & here & ~state.busy_now & f.each(ports.present.value()),
                             "ways whose line goes, since its tag is wrong");
  m.assign(ports.result.tags_wrong.value(), rtl::any(emptied));
  lookup.emptied = emptied;
}

}  // namespace

WayLookup compare_ways(WayFrame& f, const WayState& state, const WayPorts& ports) {
  rtl::Module& m = f.m;
  const auto& [moves, comes, rehashed, enter_set, enter_tag] = ports.enter;
  const Expr new_way = m.wire("new_way", f.ways, "the way for a new line, one-hot");
  const Expr written =
      m.let("tag_written", new_way & f.each(ports.leave.allocate), "the way whose tag is written");
  const TagProbe stage{ports.probe.set, ports.probe.tag, state.enter, enter_set,
                       enter_tag,       state.same,      rehashed};
  const ComparedTags tags = tag_rams(m, "way", f.p.sets, stage, written, tag_code(f.p.ecc.tags, f.tag_bits));
  WayLookup lookup{new_way, written, tags.equal, {}};
  if (tags.wrong) check_tags(f, state, *tags.wrong, ports, lookup);
  return lookup;
}

Expr find_way(WayFrame& f, const WayState& state, const Expr& equal, const WayPorts& ports) {
  rtl::Module& m = f.m;
  const Expr& valid = state.valid.row;
  const WayResult& result = ports.result;
  const char* const invalid_doc = "ways that hold nothing and wait for nothing";
  m.section("Lookup.");
  if (!result.sectors) {
    const Expr invalid = m.let("invalid", ~(valid | state.busy_now), invalid_doc);
    m.assign(result.match, equal & valid);
    return invalid;
  }
  const int v = f.sectors;
  const Expr filled = m.wire("filled", f.ways, "ways with a valid sector"),
             covers = m.wire("covers", f.ways, "ways where all chunks of the probe are valid");
  m.comb("Sectors of each way.", [&] {
    m.loop("sectors_of", f.ways, [&](const Expr& w) {
      m.set(filled.at(w), rtl::any(valid.part(w, v)));
      m.set(covers.at(w), ~rtl::any(ports.probe.mask.value() & ~valid.part(w, v)));
    });
  });
  const Expr invalid = m.let("invalid", ~(filled | state.busy_now), invalid_doc);
  m.assign(result.match, equal & filled);
  m.assign(result.sectors->hit, equal & covers);
  const Expr& found = result.sectors->match_valid;
  m.comb("Valid sectors of the way that matched.", [&] {
    m.set(found, lit(v, 0));
    m.loop("way_at", f.ways,
           [&](const Expr& w) { m.set(found, found | (valid.part(w, v) & replicate(v, equal.at(w)))); });
  });
  return invalid;
}

namespace {

// A line of another home goes before the oldest.
Expr victim_of(WayFrame& f, const WayState& state, const Expr& oldest, const Expr& candidates,
               const WayPorts& ports) {
  if (!ports.homes) return oldest;
  rtl::Module& m = f.m;
  const Expr& sets = ports.homes->shared_sets;
  const Expr shared = mux(ports.probe.set.bit(0), sets.bit(1), sets.bit(0));
  const Expr left = m.let("left_over", candidates & state.foreign.value().row & f.each(shared),
                          "ways with a stale-home line");
  const Expr first = lowest_of(m, "first_left_over", left, "goes before the oldest");
  return mux(rtl::any(left), first, oldest);
}

void show_evicted(WayFrame& f, const Expr& valid, const Expr& new_way, const Expr& replaced,
                  const Expr& evicted) {
  rtl::Module& m = f.m;
  const int v = f.sectors;
  if (!f.sectored) return m.assign(evicted, replaced);
  m.comb("Sectors of the victim.", [&] {
    m.set(evicted, lit(v, 0));
    m.loop("victim_at", f.ways, [&](const Expr& w) {
      m.set(evicted, evicted | (valid.part(w, v) & replicate(v, new_way.at(w) & replaced)));
    });
  });
}

}  // namespace

WayChoice choose_way_for_line(WayFrame& f, const WayState& state, const Expr& new_way, const Expr& invalid,
                              const WayPorts& ports) {
  rtl::Module& m = f.m;
  const WayResult& result = ports.result;
  const auto& closed = result.closed;
  m.section("The way for a new line: the lowest invalid one, else a victim.");
  const Expr candidates =
      m.let("candidates", closed ? ~state.busy_now & closed->open : ~state.busy_now, "ways that may go");
  const ReplacementLogic policy =
      replacement(m, f.p, {ports.probe.set, ports.enter.set, state.turnover, state.late}, candidates);
  const Expr empty = closed ? m.let("open_invalid", invalid & closed->open, "ways that are open") : invalid;
  const Expr none_invalid = m.let("none_invalid", ~rtl::any(empty), "a victim is needed");
  const Expr lowest = lowest_of(m, "lowest_invalid", empty, "the way for a new line, if there is one");
  if (closed) m.assign(closed->reserved, state.busy_now);
  m.assign(result.can_allocate, rtl::any(candidates));
  m.assign(new_way, mux(none_invalid, victim_of(f, state, policy.victim, candidates, ports), lowest));
  const Expr known =
      m.let("known", ports.probe.entry_way | result.match, "the way of the line; both name the same one");
  const Expr none = m.let("none_known", ~(ports.probe.entry_match | rtl::any(result.match)), "no way has it");
  m.assign(result.way, known | (new_way & f.each(none)));
  const Expr replaced = ports.leave.allocate & none_invalid;
  if (result.evicted) show_evicted(f, state.valid.row, new_way, replaced, *result.evicted);
  return {policy, known, none, none_invalid, replaced};
}

}  // namespace hw
