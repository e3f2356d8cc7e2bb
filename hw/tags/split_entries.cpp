#include "hw/tags/split_entries.h"

#include <optional>

#include "hw/mshr/mshr_entries.h"
#include "hw/mshr/mshr_lookup.h"
#include "hw/mshr/mshr_replay.h"
#include "hw/mshr/mshr_targets.h"
#include "hw/tags/split_entry_slots.h"
#include "hw/tags/tag_ports.h"

namespace hw {
namespace {

using rtl::Expr, rtl::replicate;

SplitMshrPorts split_mshr_ports(SplitMshrTop& f) {
  rtl::Module& m = f.m;
  const int n = f.chunks;
  return {{probe_ports(f), request_ports(f), lookup_ports(f), entry_ports(f), offer_ports(f), load_ports(f)},
          {.numbers = m.input("slot_numbers", n * f.slot_width, "where the chunks of the request's line lie"),
           .valid = m.input("chunk_valid", n, "chunks of the request's line that are valid"),
           .load = m.input("load", 1, "the request is a load"),
           .effective = input_if(m, f.widened, "effective", n, "chunks that the request looks for"),
           .pending_slots =
               m.output("pending_slots", f.slots, "slots of the chunks that the matched entry awaits"),
           .fill_numbers = m.output("fill_numbers", n * f.slot_width, "slots of the fill's entry"),
           .fill_at = m.output("fill_at", n * f.slots, "where the chunks of the fill go, one-hot"),
           .fill_released =
               output_if(m, f.widened, "fill_released", f.slots, "filled slots without an MSHR target"),
           .replay_at = m.output("replay_at", n * f.slots, "slots of the MSHR target's chunks, one-hot"),
           .replay_released =
               m.output("replay_released", f.slots, "slots without another MSHR target after the answer")}};
}

// Where accesses also fetch chunks that nobody waits for: then a fill may free the entry, and a load may wait
// for nothing that is on its way. What the entries need for it.
struct FreeingEntryPorts {
  Expr mask, filled_waited, answers_last, named, fill_joined, spent, ends;
};

std::optional<FreeingEntryPorts> freeing_entry_ports(EntriesPart& f, const MshrPorts& ports,
                                                     const std::optional<FreeingNets>& nets) {
  if (!nets) return {};
  return FreeingEntryPorts{.mask = f.in(ports.request.mask),
                           .filled_waited = f.in(nets->fill_waited),
                           .answers_last = f.in(nets->answers_last),
                           .named = f.out(nets->named),
                           .fill_joined = f.out(nets->fill_joined),
                           .spent = f.out(nets->spent),
                           .ends = f.out(nets->ends)};
}

Expr pending_of_match(EntriesPart& f, const EntryFlags& flags) {
  EntryValues values(f);
  const Expr pending = *matched_pending(values, f, flags);
  values.gather("Of the entry that matched.", "of_match", rtl::Condition::always(), f.ports.match.bits);
  const Expr& out = *f.ports.answer.match_pending;
  f.m.assign(out, pending & replicate(f.pending, f.ports.match.match));
  return out;
}

// Chunks on their way to the entry of a fill.
Expr pending_of_fill(EntriesPart& f, const EntryFlags& flags, const Expr& named) {
  EntryValues values(f);
  const Expr pending = values.add("filled_pending", *flags.pending_q, f.chunks, "chunks on their way to it");
  values.gather("Of the entry that a fill comes to.", "of_fill", rtl::Condition::always(), named);
  return pending;
}

// Returns the entries to look at.
Expr wake_split_entries(EntriesPart& f, const FreeingEntryPorts& ports, const Expr& spent_q,
                        const EntryFlags& flags, const NewEntry& entry, const FilledEntry& fill,
                        const Expr& match_pending) {
  rtl::Module& m = f.m;
  const EntriesPorts& p = f.ports;
  const Expr &filled = fill.filled, &merge = *p.request.merge, &missed = *p.request.missed;
  const Expr filled_pending = pending_of_fill(f, flags, fill.named);
  m.assign(ports.named, fill.named);
  m.assign(ports.fill_joined, merge & rtl::any(p.match.bits & filled));
  const Expr fills_own = m.let("fills_own", rtl::any(filled & *p.match.replay_bits),
                               "the fill comes to the entry in the replay stage");
  const Expr emptied = m.let("emptied", fills_own & ports.answers_last,
                             "the last MSHR target of the fill's entry is answered");
  const Expr waited = m.let("waited", ports.fill_joined | (ports.filled_waited & ~emptied),
                            "a load waits in the fill's entry after this cycle");
  const Expr complete = m.let("complete", p.fill.valid & ~rtl::any(filled_pending & ~*p.fill.mask),
                              "the last chunks of the entry come");
  m.clocked("Entries that a fill frees.", [&] { m.set(spent_q, filled & f.each(complete & ~waited)); });
  const Expr arrived = *p.fill.mask & replicate(f.chunks, fills_own);
  m.assign(ports.ends, ~rtl::any(*p.state.replay_pending & ~arrived));
  const Expr joins = p.request.allocate | merge;
  const Expr at_once = m.let("at_once", joins & ~rtl::any(ports.mask & (match_pending | missed)),
                             "all that the request's load asks for is there");
  const Expr joined = entry.created | (p.match.bits & f.each(merge));
  return (filled & f.each(waited)) | (joined & f.each(at_once));
}

void place_split_entries(MshrTop& file, const MshrPorts& all, const MshrNets& nets,
                         const std::optional<FreeingNets>& freeing) {
  EntriesPart f(file, all, nets);
  rtl::Module& m = f.m;
  const std::optional<FreeingEntryPorts> ports = freeing_entry_ports(f, all, freeing);
  const EntryFlags flags = entry_flags(f);
  std::optional<Expr> spent;
  if (ports) {
    spent = m.reg("spent_q", f.entries, 0, "the entry that a fill freed in the cycle before");
    m.assign(ports->spent, *spent);
  }
  const Expr gone = freed_entries(f, flags, spent);
  const NewEntry entry = find_free(f, spent);
  const Expr match_pending = pending_of_match(f, flags);
  drive_replay_pending(f, flags);
  const FilledEntry fill = fill_entry(f, flags);
  m.assign(f.ports.state.woken,
           ports ? wake_split_entries(f, *ports, *spent, flags, entry, fill, match_pending) : fill.filled);
  change_entries(f, flags, entry, gone, fill.filled);
  show_entries(f, flags);
  f.place("Takes new lines and fills.");
}

}  // namespace

SplitMshrTop::SplitMshrTop(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                           const std::string& name, const rtl::Loc& loc)
    : MshrTop(p, lines, name, loc),
      slots(slots_of(tags)),
      slot_width(slot_bits(tags)),
      widened(widens(tags)) {}

rtl::Module split_mshr(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                       const std::string& name) {
  SplitMshrTop f(tags, p, lines, name);
  const SplitMshrPorts ports = split_mshr_ports(f);
  const MshrNets nets = mshr_nets(f);
  const bool keeps_last = keeps_last_loads(p);
  const HoldingNets holding = holding_nets(f, !keeps_last);
  std::optional<FreeingNets> freeing;
  if (f.widened) freeing = freeing_nets(f);
  const SlotNets slots = slot_nets(f);
  place_lookup(f, ports.file, nets, MatchTiming::in_time, holding, freeing);
  place_split_entries(f, ports.file, nets, freeing);
  place_replay(f, ports.file, nets,
               {.values = {{"slots", "slots of the entry's chunks", slots.of_entries, slots.next, false}},
                .search = slots.search,
                .freeing = freeing});
  place_targets(f, ports.file, nets, {.holding = holding, .keeps_last = keeps_last, .freeing = freeing});
  place_slots(f, ports, nets, slots, holding, freeing);
  return f.m;
}

}  // namespace hw
