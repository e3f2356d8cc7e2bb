// The replay stage of the MSHR file of split tags, which looks at one waiting load at a time, and the
// entries' changes.
#include <fmt/format.h>

#include "hw/l1d/split_mshr.h"
#include "hw/l1d/split_mshr_builder.h"
#include "hw/noc/round_robin.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/tags/split_slots.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void SplitMshr::replay() {
  m.section("The waiter on offer.");
  const int n = entries_n;
  replay_valid_q = m.reg("replay_valid_q", 1, 0, "a waiter is looked at");
  if (entry_width) replay_entry_q = m.data_reg("replay_entry_q", entry_width, "its entry");
  replay_set_q = m.data_reg("replay_set_q", set_bits, "set of the entry");
  waiter = m.wire("waiter", p.core_id_bits + chunks, "its id and mask");
  m.assign(replay_id_out, waiter.slice(p.core_id_bits + chunks - 1, chunks));
  m.assign(replay_mask_out, waiter.slice(chunks - 1, 0));
  m.assign(replay_set_out, replay_set_q);
  own = n > 1 ? m.data_reg("replay_entry_bits_q", n, "the same, one-hot")
              : m.let("replay_entry_bits", lit(1, 1), "the one entry");
  std::vector<Gathered> list;
  replay_pending = gathered(list, "replay_pending", pending_q, chunks, "chunks still on their way");
  replay_count = gathered(list, "replay_count", count, count_width, "waiters of the entry");
  Expr place;
  if (place_width) place = gathered(list, "replay_head", head, place_width, "place of this one");
  replay_slots = gathered(list, "replay_slots", slot_q, chunks * slot_bits(p), "slots of its chunks");
  replay_waits = gathered(list, "replay_waits", waits_q, chunks * count_width, "loads that wait for each");
  gather("Of its entry.", "of_replay", replay_valid_q, own, list);
  if (place_width) {
    const bool wraps = merges != 1 << place_width;
    const Expr behind = place + lit(place_width, 1),
               last = lit(place_width, static_cast<std::uint64_t>(merges - 1));
    replay_head_next =
        m.let("replay_head_next", wraps ? mux(place == last, lit(place_width, 0), behind) : behind,
              "the place behind it");
  }
  const Expr waits = rtl::any(replay_pending & waiter.slice(chunks - 1, 0));
  parked = m.let("parked", replay_valid_q & waits, "some of its chunks are: it is left until a fill comes");
  m.assign(replay_ready_out, replay_valid_q & ~waits);
  last_waiter = m.let("last_waiter", replay_count == lit(count_width, 1), "it is the only one");
  leaves = m.let("leaves", parked | (replay_granted & last_waiter), "the stage is left");
  takes = m.let("takes", ~replay_valid_q | leaves, "the stage looks for another entry");
}

void SplitMshr::next_waiter() {
  m.section("The next one: the first entry at or after a pointer to which a fill came.");
  const int n = entries_n;
  const Expr candidates = m.let("awake", wake & ~(own & replicate(n, replay_valid_q)), "entries to look at");
  if (n > 1) pointer_q = m.reg("pointer_q", pointer_bits(n), 0, "the entry that is asked first, as a mask");
  choice = round_robin(m, candidates, pointer_q);
  next_found = m.let("next_found", takes & choice.any, "there is one, and the stage takes it");
  next_bits = m.let("next_bits", choice.grant, "the entry, one-hot");
  if (entry_width) next_entry = m.let("next_entry", number_of(next_bits), "its number");
  std::vector<Gathered> list;
  next_set = gathered(list, "next_set", set_q, set_bits, "its set");
  if (place_width) next_head = gathered(list, "next_head", head, place_width, "place of its oldest waiter");
  gather("Of the next entry.", "of_next", choice.any, next_bits, list);
}

// The waiters' rows: while the stage keeps its entry the next of its waiters is read, else the oldest of the
// next entry.
void SplitMshr::waiter_ram() {
  m.section("Waiters.");
  const int rows = std::max(2, entries_n << place_width);
  const Expr keeps = m.let("keeps", replay_ready_out & ~last_waiter, "another one of its entry follows it");
  Expr read_row = lit(1, 0), write_row = lit(1, 0);
  if (entry_width + place_width) {
    const Expr from_stage = join_known({replay_entry_q, replay_head_next});
    const Expr from_next = join_known({next_entry, next_head});
    read_row = mux(keeps, from_stage, from_next);
    write_row = join_known({entry, entry_place});
  }
  m.instance(sram_1r1w(rows, p.core_id_bits + chunks), "waiters",
             {{"read", mux(keeps, replay_granted, next_found)},
              {"read_row", read_row},
              {"read_data", waiter},
              {"write", joins},
              {"write_row", write_row},
              {"write_data", rtl::cat({id, mask})}},
             "Id and mask of each waiting load.");
}

void SplitMshr::replay_steps() {
  m.clocked("A waiter is looked at.", [&] { m.when(takes, [&] { m.set(replay_valid_q, choice.any); }); });
  if (entries_n > 1)
    m.clocked("The pointer moves behind the entry taken.",
              [&] { m.when(next_found, [&] { m.set(pointer_q, choice.next); }); });
  m.clocked("Where its line lies.", [&] {
    m.when(next_found, [&] {
      if (entry_width) {
        m.set(replay_entry_q, next_entry);
        m.set(own, next_bits);
      }
      m.set(replay_set_q, next_set);
    });
  });
  added = m.let("added", merge & rtl::any(matched & own), "the probe's load joins the waiters of this entry");
  woken = filled;
  slot_replay();
  if (widened) slot_wakes();
  const Expr left = replay_granted & last_waiter & ~added;
  freed = m.let("freed", widened ? left & ends : left, "nobody waits in it any more");
  m.clocked("What is left for the next cycle.", [&] {
    m.set(answered_q, replay_granted);
    m.set(freed_q, freed);
    m.set(slept_q, leaves & ~rtl::any(woken & own));
  });
  m.clocked("The entry that it is left to do for.", [&] {
    if (entries_n > 1) m.set(last_own, own);
    if (place_width) m.set(passed_head_q, replay_head_next);
  });
}

void SplitMshr::changes() {
  m.section("Changes.");
  const int n = entries_n;
  const Expr same_set = line_tags ? allocate : allocate & (enter_set == set_index);
  const Expr same_line = m.let("same_line", same_set & (enter_tag == tag),
                               "the request that enters asks for the new entry's line");
  m.clocked("The entry that the probe matches.", [&] {
    m.set(match_q, matched);
    m.when(enter, [&] { m.set(match_q, coming | (lowest & replicate(n, same_line))); });
  });
  m.clocked("Entries in use.", [&] { m.set(in_use_q, in_use | created); });
  m.clocked("Whether an entry is free.",
            [&] { m.set(has_free_q, mux(allocate, rtl::any(free & ~lowest), has_free_out)); });
  m.clocked("What a new entry waits for.", [&] {
    m.when(allocate, [&] {
      m.loop("new_entry", n, [&](const Expr& e) {
        m.when(lowest.at(e), [&] {
          m.set(set_q.part(e, set_bits), set_index);
          m.set(tag_q.part(e, tag_bits), tag);
        });
      });
    });
  });
  m.clocked("Doomed entries.", [&] { m.set(doomed_q, (doomed_q | (matched & replicate(n, doom))) & ~gone); });
  m.clocked("Flushed entries.",
            [&] { m.set(flushed_q, (flushed_q | (in_use & replicate(n, flush))) & ~gone); });
  m.clocked("Entries to look at.", [&] { m.set(wake_q, wake | woken); });
  const Expr joined =
      m.let("joined", created | (matched & replicate(n, merge)), "the entry that it waits in");
  m.clocked("Chunks on their way.", [&] {
    m.when(joins | fill, [&] {
      m.loop("chunks_of", n, [&](const Expr& e) {
        m.set(pending_q.part(e, chunks),
              (pending_q.part(e, chunks) & ~(fill_mask & replicate(chunks, filled.at(e)))) |
                  (missed & replicate(chunks, joined.at(e))));
      });
    });
  });
  slot_changes(joined);
}

void SplitMshr::counts() {
  const int n = entries_n;
  const Expr one = lit(count_width, 1);
  m.clocked("Number of waiters.", [&] {
    m.loop("waiters_of", n, [&](const Expr& e) {
      const Expr now = count.part(e, count_width);
      const Expr more = merges > 1 || widened ? now + rtl::zext(matched.at(e) & merge, count_width) : now;
      m.set(count_q.part(e, count_width), mux(created.at(e), one, more));
    });
  });
  if (!place_width) return;
  m.clocked("Oldest waiters.", [&] {
    m.loop("oldest_of", n, [&](const Expr& e) {
      m.set(head_q.part(e, place_width), head.part(e, place_width) & ~replicate(place_width, created.at(e)));
    });
  });
}

rtl::Module split_mshr(const L1dParams& p, int tag_bits, const std::string& name) {
  return SplitMshr(p, tag_bits, name).run();
}

}  // namespace hw
