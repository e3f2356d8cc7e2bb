#include "hw/mshr/mshr_replay.h"

#include <algorithm>

#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

ReplayStage replay_stage(MshrFrame& f) {
  f.m.section("The MSHR target on offer.");
  return {.valid_q = f.m.reg("replay_valid_q", 1, 0, "an MSHR target is looked at"),
          .set_q = f.m.data_reg("replay_set_q", f.set_bits, "set of the entry")};
}

StoredLoad stored_load(MshrFrame& f, const ReplayStage& stage, const MshrPorts& ports) {
  rtl::Module& m = f.m;
  const int ids = f.p.core_id_bits, chunks = f.chunks;
  const Expr target = m.wire("target", ids + chunks, "id and mask of the waiting load");
  StoredLoad load{.target = target, .row = row_read(m, f.p.protection, target, "target")};
  RowErrors errors = load.row;
  if (ports.load.line) {
    load.line = row_read(m, f.p.protection, ports.load.line->line, "target_line");
    errors = {.corrected = errors.corrected | load.line->corrected, .wrong = errors.wrong | load.line->wrong};
  }
  load.wrong = ports.load.rows.wrong;
  if (load.wrong.can_be()) m.assign(load.wrong.when(), stage.valid_q & errors.wrong.when());
  if (ports.load.rows.corrected.can_be()) m.assign(ports.load.rows.corrected.when(), errors.corrected.when());
  m.assign(ports.load.id, target.slice(ids + chunks - 1, chunks));
  m.assign(ports.load.mask, target.slice(chunks - 1, 0));
  m.assign(ports.offer.set, stage.set_q);
  return load;
}

ReplayEntry replay_entry(MshrFrame& f, const ReplayStage& stage, const MshrState& state,
                         EntryValues& values) {
  const TargetCounts& counts = state.flags.counts;
  ReplayEntry entry{
      .own = f.entries > 1 ? f.m.reg("replay_entry_bits_q", f.entries, 0,
                                     "entry of the replay stage, one-hot; none when the stage is empty")
                           : stage.valid_q,
      .pending = values.add("replay_pending", state.flags.pending_q, f.pending, "chunks still on their way"),
      .count = values.add("replay_count", counts.count, f.count_width,
                          "MSHR targets of the entry, and the one answered last")};
  if (counts.rows)
    entry.oldest = values.add("replay_oldest", counts.rows->head, f.place_width, "slot of the oldest");
  return entry;
}

void gather_replay(const EntryValues& values, const ReplayStage& stage, const ReplayEntry& entry) {
  values.gather("Fields of the MSHR target's entry.", "of_replay", stage.valid_q, entry.own);
}

namespace {

Expr slot_behind_target(MshrFrame& f, const Expr& oldest, const NextOfEntry& kept) {
  rtl::Module& m = f.m;
  const int bits = f.place_width;
  const Expr place = m.let("replay_head", mux(kept.kept_q, kept.passed_head_q, oldest), "slot of this one");
  Expr behind = place + lit(bits, 1);
  if (f.merges != 1 << bits) {
    const Expr last = m.constant("LAST_PLACE", bits, static_cast<std::uint64_t>(f.merges - 1));
    behind = mux(place == last, lit(bits, 0), behind);
  }
  return m.let("replay_head_next", behind, "the slot behind it");
}

}  // namespace

ReplayOutcome replay_outcome(MshrFrame& f, const ReplayStage& stage, const StoredLoad& load,
                             const ReplayEntry& entry, const MshrState& state, const MshrPorts& ports) {
  rtl::Module& m = f.m;
  const std::optional<NextOfEntry>& kept = state.left.behind;
  ReplayOutcome out;
  if (kept) out.head_next = slot_behind_target(f, *entry.oldest, *kept);
  const Expr waits =
      f.by_chunk ? rtl::any(entry.pending & load.target.slice(f.chunks - 1, 0)) : entry.pending;
  const Expr parked = m.let("parked", stage.valid_q & waits & ~load.wrong,
                            "some of its chunks are: it is left until a fill comes");
  m.assign(ports.offer.ready, stage.valid_q & ~waits & ~load.wrong);
  const Expr one_left = entry.count == lit(f.count_width, 1);
  out.last_target = m.let("last_target",
                          kept ? mux(kept->kept_q, entry.count == lit(f.count_width, 2), one_left) : one_left,
                          "the MSHR target is the only one of its entry");
  out.leaves = m.let("leaves", parked | (ports.request.granted & out.last_target), "the stage is left");
  out.takes = m.let("takes", ~stage.valid_q | out.leaves, "the stage looks for another entry");
  return out;
}

namespace {

Expr field_of_next(MshrFrame& f, std::vector<EntryField>& fields, const std::string& name,
                   const Expr& of_entries, const std::string& doc) {
  const Expr next = f.m.wire("next_" + name, of_entries.width() / f.entries, doc);
  fields.push_back({name, of_entries, next, doc});
  return next;
}

}  // namespace

NextFields next_fields(MshrFrame& f, const MshrState& state) {
  f.m.section("The next entry.");
  std::vector<EntryField> fields;
  const Expr set = field_of_next(f, fields, "set", state.lines.set_q, "set of the entry");
  return {.fields = fields, .set = set};
}

Expr of_next(MshrFrame& f, NextFields& fields, const std::string& name, const Expr& of_entries,
             const std::string& doc) {
  return field_of_next(f, fields.fields, name, of_entries, doc);
}

void add_head(MshrFrame& f, NextFields& fields, const MshrState& state) {
  const std::optional<TargetRows>& rows = state.flags.counts.rows;
  if (rows)
    fields.head = field_of_next(f, fields.fields, "head", rows->head_now, "slot of its oldest MSHR target");
}

MshrReplay find_next(MshrFrame& f, const ReplayOffer& offer, const NextFields& fields,
                     const MshrState& state) {
  return {offer, fields,
          next_entry(f.m, f.m.name() + "_next", state.flags.awake_q, offer.outcome.takes, fields.fields)};
}

// While the stage keeps its entry the next of its MSHR targets is read, else the oldest of the next entry.
void target_ram(MshrFrame& f, const MshrReplay& replay, const NewTarget& joined, const MshrPorts& ports) {
  rtl::Module& m = f.m;
  const ReplayOutcome& outcome = replay.outcome;
  m.section("MSHR targets of the entry.");
  const Expr keeps =
      m.let("keeps", ports.offer.ready & ~outcome.last_target, "another one of its entry follows it");
  Expr read_row = lit(1, 0), write_row = lit(1, 0);
  if (f.entry_width + f.place_width) {
    std::vector<Expr> from_stage, from_next, written;
    if (f.entry_width) {
      from_stage.push_back(
          number_of(m, "replay_entry", replay.entry.own, "number of the entry of the replay stage"));
      from_next.push_back(*replay.next.number);
      written.push_back(*ports.entry.entry);
    }
    if (f.place_width) {
      from_stage.push_back(*outcome.head_next);
      from_next.push_back(*replay.fields.head);
      written.push_back(*joined.place);
    }
    read_row = mux(keeps, join_known(from_stage), join_known(from_next));
    write_row = join_known(written);
  }
  const MshrRequest& request = ports.request;
  protected_ram(m, f.p.protection, "targets", "Id and mask of each waiting load.", target_rows(f.p),
                replay.load.row,
                {.read = mux(keeps, request.granted, replay.next.found),
                 .read_row = read_row,
                 .write = joined.joins,
                 .write_row = write_row,
                 .write_data = rtl::cat({request.id, request.mask})});
}

ReplayMeeting step_replay(MshrFrame& f, const MshrReplay& replay, const EntryLookup& lookup,
                          const MshrPorts& ports, const NextValues& place) {
  rtl::Module& m = f.m;
  m.clocked("An MSHR target is looked at.", [&] {
    m.when(replay.outcome.takes, [&] {
      m.set(replay.stage.valid_q, replay.next.some);
      if (f.entries > 1) m.set(replay.entry.own, replay.next.bits);
    });
  });
  m.clocked("Where the MSHR target's line lies.", [&] {
    m.when(replay.next.found, [&] {
      m.set(replay.stage.set_q, replay.fields.set);
      for (const auto& [q, next] : place) m.set(q, next);
    });
  });
  const Expr match_own = m.let("match_own", rtl::any(lookup.match.bits & replay.entry.own),
                               "the probe's line is that of this entry");
  return {match_own, m.let("added", ports.probe.merge & match_own,
                           "the probe's load joins the MSHR targets of this entry")};
}

Expr freed_entry(MshrFrame& f, const MshrReplay& replay, const ReplayMeeting& meeting, const MshrPorts& ports,
                 const rtl::Condition& ends) {
  const Expr left = ports.request.granted & replay.outcome.last_target & ~meeting.added;
  return f.m.let("freed", left & ends, "nobody waits in it any more");
}

void keep_result(MshrFrame& f, const MshrReplay& replay, const LeftOver& left, const Expr& freed,
                 const MshrPorts& ports) {
  rtl::Module& m = f.m;
  const Expr& granted = ports.request.granted;
  m.clocked("Result of the replay, for the next cycle.", [&] {
    m.set(left.answered_q, granted);
    m.set(left.freed_q, freed);
    if (left.behind) m.set(left.behind->kept_q, granted & ~replay.outcome.last_target);
  });
  m.clocked("The entry that something is left to do for.", [&] {
    if (f.entries > 1) m.set(left.last_own, replay.entry.own);
    if (left.behind) m.set(left.behind->passed_head_q, *replay.outcome.head_next);
  });
}

void line_ram(MshrFrame& f, const MshrReplay& replay, const ReplayMeeting& meeting, const MshrState& state,
              const MshrPorts& ports) {
  if (!replay.load.line) return;
  rtl::Module& m = f.m;
  m.section("Line of the MSHR target.");
  protected_ram(m, f.p.protection, "lines", "Line of each entry.", std::max(2, f.entries), *replay.load.line,
                {.read = replay.next.found,
                 .read_row = replay.next.number.value_or(lit(1, 0)),
                 .write = ports.probe.allocate,
                 .write_row = ports.entry.entry.value_or(lit(1, 0)),
                 .write_data = *ports.request.line});
  const Expr shut = rtl::any((state.flags.poisoned_q | state.flags.flushed_q) & replay.entry.own);
  m.assign(ports.load.line->late, shut | (ports.request.poison & meeting.match_own));
}

}  // namespace hw
