// The replay stage of the MSHR file, which looks at one waiting load at a time, and the entries' changes.
#include <fmt/format.h>

#include "hw/mshr/mshr_file.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void MshrFile::replay() {
  m.section("The MSHR target on offer.");
  const int n = entries_n;
  replay_valid_q = m.reg("replay_valid_q", 1, 0, "an MSHR target is looked at");
  replay_set_q = m.data_reg("replay_set_q", set_bits, "set of the entry");
  replay_registers();
  target = m.wire("target", p.core_id_bits + chunks, "id and mask of the waiting load");
  target_row = row_read(m, p.protection, target, "target");
  if (p.line_bits) line_row = row_read(m, p.protection, replay_line_out, "target_line");
  check_rows();
  m.assign(replay_id_out, target.slice(p.core_id_bits + chunks - 1, chunks));
  m.assign(replay_mask_out, target.slice(chunks - 1, 0));
  m.assign(replay_set_out, replay_set_q);
  replayed_place();
  own = n > 1 ? m.reg("replay_entry_bits_q", n, 0,
                      "entry of the replay stage, one-hot; none when the stage is empty")
              : replay_valid_q;
  List list;
  replay_pending = gathered(list, "replay_pending", pending_q, v, "chunks still on their way");
  replay_count = gathered(list, "replay_count", counts_of.count, count_width,
                          "MSHR targets of the entry, and the one answered last");
  Expr place;
  if (place_width) place = gathered(list, "replay_oldest", counts_of.head, place_width, "slot of the oldest");
  replay_chunks(list);
  gather("Fields of the MSHR target's entry.", "of_replay", replay_valid_q, own, list);
  replay_gathered();
  if (place_width) {
    place = m.let("replay_head", mux(kept_q, passed_head_q, place), "slot of this one");
    const bool wraps = merges != 1 << place_width;
    Expr behind = place + lit(place_width, 1);
    if (wraps) {
      const Expr last = m.constant("LAST_PLACE", place_width, static_cast<std::uint64_t>(merges - 1));
      behind = mux(place == last, lit(place_width, 0), behind);
    }
    replay_head_next = m.let("replay_head_next", behind, "the slot behind it");
  }
  const Expr waits = by_chunk ? rtl::any(replay_pending & target.slice(chunks - 1, 0)) : replay_pending;
  parked = m.let("parked", replay_valid_q & waits & ~replay_rows.wrong,
                 "some of its chunks are: it is left until a fill comes");
  m.assign(replay_ready_out, replay_valid_q & ~waits & ~replay_rows.wrong);
  const Expr one_left = replay_count == lit(count_width, 1);
  last_target =
      m.let("last_target", merges > 1 ? mux(kept_q, replay_count == lit(count_width, 2), one_left) : one_left,
            "the MSHR target is the only one of its entry");
  leaves = m.let("leaves", parked | (replay_granted & last_target), "the stage is left");
  takes = m.let("takes", ~replay_valid_q | leaves, "the stage looks for another entry");
}

void MshrFile::check_rows() {
  if (!replay_rows.wrong.can_be()) return;
  m.assign(replay_rows.wrong.when(), replay_valid_q & (target_row.wrong | line_row.wrong).when());
  if (replay_rows.corrected.can_be())
    m.assign(replay_rows.corrected.when(), (target_row.corrected | line_row.corrected).when());
}

// Declares the value; the search for the next entry drives it.
Expr MshrFile::of_next(const std::string& stem, const Expr& of_entries, const std::string& doc) {
  next_fields.push_back({stem, of_entries, m.wire("next_" + stem, of_entries.width() / entries_n, doc), doc});
  return next_fields.back().next;
}

void MshrFile::next_target() {
  m.section("The next entry.");
  next_set = of_next("set", set_q, "set of the entry");
  next_place();
  if (place_width) next_head = of_next("head", counts_of.head_now, "slot of its oldest MSHR target");
  next_chunks();
  const NextEntry next = next_entry(m, m.name() + "_next", awake_q, takes, next_fields);
  some_awake = next.some;
  next_found = next.found;
  next_bits = next.bits;
  next_number = next.number;
}

// The MSHR targets' rows: while the stage keeps its entry the next of its MSHR targets is read, else the
// oldest of the next entry.
void MshrFile::target_ram() {
  m.section("MSHR targets of the entry.");
  const int rows = std::max(2, entries_n << place_width);
  const Expr keeps = m.let("keeps", replay_ready_out & ~last_target, "another one of its entry follows it");
  Expr read_row = lit(1, 0), write_row = lit(1, 0);
  if (entry_width + place_width) {
    const Expr here =
        entries_n > 1 ? number_of(m, "replay_entry", own, "number of the entry of the replay stage") : Expr{};
    const Expr from_stage = join_known({here, replay_head_next});
    const Expr from_next = join_known({next_number, next_head});
    read_row = mux(keeps, from_stage, from_next);
    write_row = join_known({entry, entry_place});
  }
  protected_ram(m, p.protection, "targets", "Id and mask of each waiting load.", rows, target_row,
                {.read = mux(keeps, replay_granted, next_found),
                 .read_row = read_row,
                 .write = joins,
                 .write_row = write_row,
                 .write_data = rtl::cat({id, mask})});
}

// Loads that read wrong data fetch their line once more.
void MshrFile::line_ram() {
  m.section("Line of the MSHR target.");
  const int rows = std::max(2, entries_n);
  protected_ram(m, p.protection, "lines", "Line of each entry.", rows, line_row,
                {.read = next_found,
                 .read_row = entry_width ? next_number : lit(1, 0),
                 .write = allocate,
                 .write_row = entry_width ? entry : lit(1, 0),
                 .write_data = probe_line});
  m.assign(replay_late_out, rtl::any((poisoned_q | flushed_q) & own) | (poison & match_own));
}

void MshrFile::replay_steps() {
  m.clocked("An MSHR target is looked at.", [&] {
    m.when(takes, [&] {
      m.set(replay_valid_q, some_awake);
      if (entries_n > 1) m.set(own, next_bits);
    });
  });
  m.clocked("Where the MSHR target's line lies.", [&] {
    m.when(next_found, [&] {
      m.set(replay_set_q, next_set);
      take_place();
    });
  });
  match_own = m.let("match_own", rtl::any(match & own), "the probe's line is that of this entry");
  added = m.let("added", merge & match_own, "the probe's load joins the MSHR targets of this entry");
  woken = filled;
  release_chunks();
  const Expr left = replay_granted & last_target & ~added;
  freed = m.let("freed", left & ends, "nobody waits in it any more");
  release_place();
  m.clocked("Result of the replay, for the next cycle.", [&] {
    m.set(answered_q, replay_granted);
    m.set(freed_q, freed);
    if (merges > 1) m.set(kept_q, replay_granted & ~last_target);
  });
  m.clocked("The entry that something is left to do for.", [&] {
    if (entries_n > 1) m.set(last_own, own);
    if (place_width) m.set(passed_head_q, replay_head_next);
  });
}

void MshrFile::changes() {
  m.section("Changes.");
  const int n = entries_n;
  const Expr same_set = tag_is_line ? allocate : allocate & (enter_set == set_index);
  const Expr same_line = m.let("same_line", same_set & (enter_tag == tag),
                               "the request that enters asks for the new entry's line");
  m.clocked("The entry that the probe matches.", [&] {
    m.set(match_any_q, mux(moves, rtl::any(coming) | same_line, matches));
    m.set(match_own_q, mux(moves, rtl::any(coming & own), match_own));
  });
  const Expr after = coming | (lowest & replicate(n, same_line));
  next_match(after);
  new_slot();
  m.clocked(
      "Requested chunks of a new entry, in the lowest free one of each group: it is written before it is "
      "known "
      "that the probe takes the entry, and which one; while they are free, nobody reads them.",
      [&] {
        m.loop("new_entry", n, [&](const Expr& e) {
          m.when(free_firsts.at(e), [&] {
            m.set(set_q.part(e, set_bits), set_index);
            m.set(tag_q.part(e, tag_bits), tag);
            set_place(e);
          });
        });
      });
  m.clocked(
      fmt::format(
          "Entries in use, poisoned, flushed, to look at{}.",
          by_chunk ? "" : "; lines on their way, as that of a free entry is, so that it is for a new one"),
      [&] {
        m.set(in_use_q, in_use | created);
        m.set(has_free_q, mux(allocate, two_free, has_free_out));
        m.set(poisoned_q, (poisoned_q | (match & replicate(n, poison))) & ~gone);
        m.set(flushed_q, (flushed_q | (in_use & replicate(n, flush))) & ~gone);
        const Expr kept = woken & ~(own & replicate(n, ~leaves));
        m.set(awake_q, (awake_q | kept) & ~(next_bits & replicate(n, takes)));
        if (!by_chunk) m.set(pending_q, (pending_q & ~filled) | ~in_use);
      });
  if (by_chunk)
    m.clocked("Chunks on their way: a free entry shows what the probe fetches.", [&] {
      m.loop("chunks_of", n, [&](const Expr& e) {
        const Expr left = pending_q.part(e, v) & ~(fill_mask & replicate(v, filled.at(e)));
        m.set(pending_q.part(e, v),
              mux(in_use.at(e), left | (missed & replicate(v, match.at(e) & merge)), missed));
      });
    });
  if (p.warps) store_changes();
  place_changes();
}

void MshrFile::store_changes() {
  const Expr storing =
      m.let("storing", warp_bits | replicate(p.warps, poison_all), "warps whose loads will wait");
  m.clocked("Warps whose loads wait for the end of an entry: none in a free one.", [&] {
    m.loop("stored_in", entries_n, [&](const Expr& e) {
      const Expr warps = stored_q.part(e, p.warps);
      m.when(free_firsts.at(e), [&] { m.set(warps, lit(p.warps, 0)); });
      m.when(match.at(e) & poison, [&] { m.set(warps, warps | storing); });
    });
  });
}

// With short tags alone to compare it is known soon whether the probe's load joins; else both numbers are
// there by then.
void MshrFile::counts() {
  const bool may_join = merges > 1 || spent();
  const Expr joined =
      may_join ? m.let("joined", match & replicate(entries_n, merge), "the entry that a load joins") : Expr{};
  drive_target_counts(m, m.name() + "_counts", count_widths(), counts_of,
                      {in_use, joined, answered_q, last_own, passed_head_q}, may_join, joins_soon());
}

// An entry that is looked at is awake, though it is not to be looked at once more.
void MshrFile::shown() {
  const rtl::Index entries{"entry", entries_n};
  m.observe("in_use", in_use, {entries});
  m.observe("poisoned", poisoned_q, {entries});
  m.observe("flushed", flushed_q, {entries});
  if (p.warps) m.observe("stored", stored_q, {entries});
  m.observe("wake", awake_q | own, {entries});
  m.observe("pending", pending_q, {entries});

  m.observe("set_number", set_q, {entries});
  m.observe("tag", tag_q, {entries});
  places_shown();
}

}  // namespace hw
