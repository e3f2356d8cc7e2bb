#include "hw/mshr/mshr_targets.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/mshr/chunk_lasts.h"
#include "hw/mshr/chunk_waits.h"
#include "hw/mshr/loads_in_order.h"
#include "hw/mshr/targets_part.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

namespace {

NewLoad new_load(MshrPart& f, const MshrPorts& ports, const MshrNets& nets, const TargetKinds& kinds) {
  const bool several = f.merges > 1, holds = kinds.holding && !kinds.keeps_last;
  return {.allocate = f.in(ports.probe.allocate),
          .merge = f.in(ports.probe.merge),
          .id = f.in(ports.request.id),
          .mask = f.in(ports.request.mask),
          .line = f.in(ports.request.line),
          .match = f.in(net_if(holds || (several && !f.in_order && kinds.match == MatchTiming::late),
                               ports.lookup.match)),
          .match_bits = f.in(net_if(several || holds || kinds.freeing, nets.match.bits)),
          .entry = f.in(ports.entry.entry),
          .in_use = f.in(nets.entries.in_use)};
}

StageOfTargets stage_of_targets(MshrPart& f, const MshrPorts& ports, const ReplayNets& nets) {
  const Expr ready = f.in(ports.offer.ready), granted = f.in(ports.request.granted);
  const std::optional<Expr> valid = f.in(nets.valid);
  return {.ready = ready,
          .granted = granted,
          .valid = valid,
          .bits = f.entries > 1 ? f.in(nets.bits) : *valid,
          .next_found = f.in(nets.next_found),
          .next_number = f.in(nets.next_number),
          .next_head = f.in(nets.next_head),
          .next_more = f.in(nets.next_more),
          .last_bits = f.in_order ? std::nullopt : f.in(nets.last_bits),
          .answered = f.in(nets.answered)};
}

OfferedLoad offered_load(MshrPart& f, const LoadAnswer& ports) {
  OfferedLoad out{.id = f.out(ports.id),
                  .mask = f.out(ports.mask),
                  .line = ports.line ? std::optional(f.out(ports.line->line)) : std::nullopt,
                  .rows = {}};
  if (ports.rows.wrong.can_be()) out.rows.wrong = f.out(ports.rows.wrong.when());
  if (ports.rows.corrected.can_be()) out.rows.corrected = f.out(ports.rows.corrected.when());
  return out;
}

std::optional<HoldingPorts> holding_ports(MshrPart& f, const MshrNets& nets, const TargetKinds& kinds) {
  const std::optional<HoldingNets>& holding = kinds.holding;
  if (!holding) return {};
  const bool of_entries = !kinds.keeps_last || kinds.freeing;  // something is kept in each entry
  return HoldingPorts{.match_own = of_entries || f.place_width > 0 ? f.in(nets.match.own) : std::nullopt,
                      .free_firsts = f.in(net_if(of_entries, nets.entries.free_firsts)),
                      .own_before = f.in(holding->own_before),
                      .last_for = f.out(holding->last_for)};
}

std::optional<FreeingPorts> freeing_ports(MshrPart& f, const std::optional<FreeingNets>& freeing) {
  if (!freeing) return {};
  return FreeingPorts{.named = f.in(freeing->named),
                      .fill_joined = f.in(freeing->fill_joined),
                      .fill_waited = f.out(freeing->fill_waited),
                      .unwanted = f.out(freeing->unwanted)};
}

TargetsPorts targets_ports(MshrPart& f, const MshrPorts& all, const MshrNets& nets,
                           const TargetKinds& kinds) {
  return {.load = new_load(f, all, nets, kinds),
          .stage = stage_of_targets(f, all, nets.replay),
          .offered = offered_load(f, all.load),
          .out = {.mergeable = f.out(nets.targets.mergeable),
                  .last_target = f.out(nets.targets.last_target),
                  .heads = f.out(nets.targets.heads),
                  .more = f.out(nets.targets.more)},
          .holding = holding_ports(f, nets, kinds),
          .freeing = freeing_ports(f, kinds.freeing)};
}

std::optional<NextOfEntry> next_of_entry(MshrPart& f) {
  if (!f.place_width || f.in_order) return {};
  f.m.section("The entry that the replay stage stays at.");
  const Expr kept = f.m.reg("kept_q", 1, 0, "the stage stays at its entry, with the next MSHR target");
  return NextOfEntry{kept, f.m.data_reg("passed_head_q", f.place_width, "slot of the next MSHR target")};
}

}  // namespace

TargetsPart::TargetsPart(MshrTop& file, const MshrPorts& all, const MshrNets& nets, const TargetKinds& kinds)
    : MshrPart(
          file, "targets",
          fmt::format("MSHR targets of an MSHR file: the loads that wait in each entry, in {} a RAM, and how "
                      "many they are.",
                      file.in_order ? "rows of" : "a ring of rows of")),
      ports(targets_ports(*this, all, nets, kinds)),
      behind(next_of_entry(*this)) {}

namespace {

// Counts of the entries, and the rows of their oldest loads.
TargetCounts count_targets(TargetsPart& f, bool joins_soon) {
  rtl::Module& m = f.m;
  const NewLoad& load = f.ports.load;
  m.section("Loads of each entry.");
  TargetCounts counts = target_counts(m, f.count_widths(), f.ports.out.heads);
  if (f.ports.freeing) counts.count_now = target_count_now(m, f.count_widths());
  TargetChanges changes{
      .in_use = load.in_use, .answered = f.ports.stage.answered.value(), .last = f.last_bits()};
  if (f.merges > 1 || f.ports.freeing)
    changes.joined = m.let("joined", *load.match_bits & f.each(load.merge), "the entry that a load joins");
  if (f.behind) changes.behind = f.behind->passed_head_q;
  drive_target_counts(m, f.own_module("counts"), f.count_widths(), counts, changes, joins_soon);
  const Expr& mergeable = f.ports.out.mergeable;
  const Expr most =
      m.constant("MERGES", f.count_width, static_cast<std::uint64_t>(f.merges), "loads an entry");
  m.comb("Compare all counts.", [&] {
    m.loop("e", f.entries,
           [&](const Expr& e) { m.set(mergeable.at(e), counts.count.part(e, f.count_width) != most); });
  });
  return counts;
}

// Slot of the request's load: behind the loads of the entry that it matches. An MSHR target that was answered
// in the cycle before counts here still, and the oldest slot is still its own: the slot behind is the same.
struct MatchedRing {
  Expr head, count;
};

std::optional<MatchedRing> matched_ring(TargetsPart& f, EntryValues& values, const TargetCounts& counts) {
  if (!counts.rows) return {};
  const Expr head = values.add("entry_oldest", counts.rows->head, f.place_width,
                               "slot of the matched entry's oldest MSHR target");
  return MatchedRing{head,
                     values.add("entry_count", counts.count, f.count_width, "loads that wait in that entry")};
}

std::optional<Expr> new_slot(TargetsPart& f, const std::optional<MatchedRing>& matched) {
  if (!matched) return {};
  rtl::Module& m = f.m;
  const Expr& allocate = f.ports.load.allocate;
  const int bits = f.place_width, wide = bits + 1;
  const Expr behind = m.let("slot_behind", rtl::zext(matched->head, wide) + rtl::zext(matched->count, wide),
                            "the slot behind its MSHR targets");
  const Expr low = behind.slice(bits - 1, 0);
  if (f.merges == 1 << bits) {
    m.unused("unused_place", behind.bit(bits), "slots wrap");
    return m.let("new_slot", low & ~replicate(bits, allocate), "slot of the new MSHR target");
  }
  const auto most = static_cast<std::uint64_t>(f.merges);
  const Expr wrapped = mux(behind >= lit(wide, most), low - lit(bits, most), low);
  return m.let("new_slot", mux(allocate, lit(bits, 0), wrapped), "slot of the new MSHR target");
}

// The MSHR target of the stage, of its entry: loads that wait in it, and the slot behind, where there may be
// one.
struct OwnRing {
  Expr count;
  std::optional<Expr> oldest;
};

OwnRing own_ring(TargetsPart& f, EntryValues& values, const TargetCounts& counts) {
  const Expr count = values.add("replay_count", counts.count, f.count_width,
                                "MSHR targets of the entry, and the one answered last");
  if (!counts.rows) return {count, {}};
  return {count,
          values.add("replay_oldest", counts.rows->head, f.place_width, "slot of its oldest MSHR target")};
}

std::optional<Expr> slot_of_target(TargetsPart& f, const OwnRing& ring) {
  if (!ring.oldest) return {};
  return f.m.let("replay_head", mux(f.behind->kept_q, f.behind->passed_head_q, *ring.oldest),
                 "slot of the MSHR target on offer");
}

std::optional<Expr> slot_behind_target(TargetsPart& f, const std::optional<Expr>& of_target) {
  if (!of_target) return {};
  rtl::Module& m = f.m;
  const int bits = f.place_width;
  const Expr& place = *of_target;
  Expr behind = place + lit(bits, 1);
  if (f.merges != 1 << bits) {
    const Expr last = m.constant("LAST_PLACE", bits, static_cast<std::uint64_t>(f.merges - 1));
    behind = mux(place == last, lit(bits, 0), behind);
  }
  return m.let("replay_head_next", behind, "the slot behind that MSHR target");
}

void drive_last_target(TargetsPart& f, const OwnRing& ring) {
  const Expr one_left = ring.count == lit(f.count_width, 1);
  f.m.assign(f.ports.out.last_target,
             f.behind ? mux(f.behind->kept_q, ring.count == lit(f.count_width, 2), one_left) : one_left);
}

void keep_next(TargetsPart& f, const std::optional<Expr>& head_next) {
  if (!f.behind) return;
  rtl::Module& m = f.m;
  m.clocked("Whether the stage stays at its entry.",
            [&] { m.set(f.behind->kept_q, f.ports.stage.granted & ~f.ports.out.last_target); });
  m.clocked("The slot behind the MSHR target.", [&] { m.set(f.behind->passed_head_q, *head_next); });
}

// While the stage keeps its entry the next of its MSHR targets is read, else the oldest of the next entry.
void target_ram(TargetsPart& f, const Slots& slots, const RowRead& row) {
  rtl::Module& m = f.m;
  const NewLoad& load = f.ports.load;
  const StageOfTargets& stage = f.ports.stage;
  m.section("Rows of the loads.");
  const Expr keeps =
      m.let("keeps", stage.ready & ~f.ports.out.last_target, "another MSHR target of the entry follows");
  Expr read_row = lit(1, 0), write_row = lit(1, 0);
  if (f.entry_width + f.place_width) {
    std::vector<Expr> from_stage, from_next, written;
    if (f.entry_width) {
      from_stage.push_back(
          number_of(m, "replay_entry", stage.bits, "number of the entry of the replay stage"));
      from_next.push_back(*stage.next_number);
      written.push_back(*load.entry);
    }
    if (f.place_width) {
      from_stage.push_back(*slots.behind_target);
      from_next.push_back(stage.next_head.value_or(lit(f.place_width, 0)));
      written.push_back(*slots.of_load);
    }
    read_row = mux(keeps, join_known(from_stage), join_known(from_next));
    write_row = join_known(written);
  }
  protected_ram(m, f.p.protection, "targets", "Id and mask of each waiting load.", target_rows(f.p), row,
                {.read = mux(keeps, stage.granted, stage.next_found),
                 .read_row = read_row,
                 .write = m.let("joins", load.allocate | load.merge, "the request's load waits in an entry"),
                 .write_row = write_row,
                 .write_data = rtl::cat({load.id, load.mask})});
}

// Loads that read wrong data fetch their line once more.
void line_ram(TargetsPart& f, const RowRead& row) {
  const NewLoad& load = f.ports.load;
  const StageOfTargets& stage = f.ports.stage;
  protected_ram(f.m, f.p.protection, "lines", "Line of each entry.", std::max(2, f.entries), row,
                {.read = stage.next_found,
                 .read_row = stage.next_number.value_or(lit(1, 0)),
                 .write = load.allocate,
                 .write_row = load.entry.value_or(lit(1, 0)),
                 .write_data = *load.line});
}

void rams(TargetsPart& f, const Slots& slots) {
  rtl::Module& m = f.m;
  const OfferedLoad& out = f.ports.offered;
  const Expr target = m.wire("target", f.p.core_id_bits + f.chunks, "id and mask of the load on offer");
  const RowRead row = row_read(m, f.p.protection, target, "target");
  RowErrors errors = row;
  target_ram(f, slots, row);
  if (out.line) {
    const RowRead line = row_read(m, f.p.protection, *out.line, "target_line");
    errors = {.corrected = errors.corrected | line.corrected, .wrong = errors.wrong | line.wrong};
    line_ram(f, line);
  }
  if (out.rows.wrong.can_be()) m.assign(out.rows.wrong.when(), *f.ports.stage.valid & errors.wrong.when());
  if (out.rows.corrected.can_be()) m.assign(out.rows.corrected.when(), errors.corrected.when());
  m.assign(out.id, target.slice(f.p.core_id_bits + f.chunks - 1, f.chunks));
  m.assign(out.mask, target.slice(f.chunks - 1, 0));
}

// Whether a load waits in the entry that fill_entry names.
void drive_fill_waited(TargetsPart& f, EntryValues& values, const TargetCounts& counts) {
  const Expr count =
      values.add("filled_count", *counts.count_now, f.count_width, "loads that wait in that entry");
  f.m.assign(f.ports.freeing->fill_waited, rtl::any(count));
}

}  // namespace

void place_targets(MshrTop& file, const MshrPorts& all, const MshrNets& nets, const TargetKinds& kinds) {
  TargetsPart f(file, all, nets, kinds);
  rtl::Module& m = f.m;
  if (f.in_order) {
    rams(f, slots_in_order(f, kinds.joins_soon));
    f.place("Holds the loads that wait.");
    return;
  }
  std::optional<ChunkWaits> waits;
  std::optional<ChunkLasts> lasts;
  if (kinds.keeps_last)
    lasts = chunk_lasts(f);
  else if (f.ports.holding)
    waits = chunk_waits(f);
  const TargetCounts counts = count_targets(f, kinds.joins_soon);
  EntryValues of_match(f), of_replay(f), of_fill(f);
  const std::optional<MatchedRing> matched = matched_ring(f, of_match, counts);
  if (waits) matched_waits(f, of_match, *waits);
  of_match.gather("Of the entry that matched.", "of_match",
                  kinds.match == MatchTiming::late && f.ports.load.match ? rtl::Condition(*f.ports.load.match)
                                                                         : rtl::Condition::always(),
                  f.ports.load.match_bits.value_or(lit(1, 1)));
  m.section("The MSHR target on offer.");
  const OwnRing ring = own_ring(f, of_replay, counts);
  if (waits) replayed_waits(f, of_replay, *waits);
  of_replay.gather("Of the entry in the replay stage.", "of_replay", *f.ports.stage.valid,
                   f.ports.stage.bits);
  if (f.ports.freeing) {
    m.section("The entry of a fill.");
    if (lasts)
      filled_wanted(f, of_fill, *lasts);
    else
      filled_waits(f, of_fill, *waits);
    drive_fill_waited(f, of_fill, counts);
    of_fill.gather("Of the entry that a fill comes to.", "of_fill", rtl::Condition::always(),
                   f.ports.freeing->named);
  }
  const std::optional<Expr> of_load = new_slot(f, matched), of_target = slot_of_target(f, ring);
  const Slots slots{.of_load = of_load, .behind_target = slot_behind_target(f, of_target)};
  drive_last_target(f, ring);
  keep_next(f, slots.behind_target);
  rams(f, slots);
  if (waits) change_waits(f, *waits);
  if (lasts) change_lasts(f, *lasts, of_load, of_target);
  f.place("Holds the loads that wait.");
}

}  // namespace hw
