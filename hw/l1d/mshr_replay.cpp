// The replay stage of the MSHR file, which looks at one waiting load at a time, and the entries' changes.
#include <fmt/format.h>

#include "hw/l1d/mshr_builder.h"
#include "hw/noc/round_robin.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void MshrBuilder::replay() {
  m.section("The waiter on offer.");
  replay_valid_q = m.reg("replay_valid_q", 1, 0, "a waiter is looked at");
  if (entry_width) replay_entry_q = m.data_reg("replay_entry_q", entry_width, "its entry");
  replay_set_q = m.data_reg("replay_set_q", set_bits, "set of the entry");
  replay_way_q = m.data_reg("replay_way_q", p.ways, "way of the entry, one-hot");
  waiter = m.wire("waiter", p.core_id_bits + chunks, "its id and mask");
  m.assign(replay_id_out, waiter.slice(p.core_id_bits + chunks - 1, chunks));
  m.assign(replay_mask_out, waiter.slice(chunks - 1, 0));
  m.assign(replay_set_out, replay_set_q);
  m.assign(replay_way_out, replay_way_q);
  const Expr pending =
      m.let("replay_pending", numbered(pending_q, replay_entry_q, v), "chunks still on their way");
  const Expr waits = sectored ? rtl::any(pending & waiter.slice(chunks - 1, 0)) : pending;
  parked = m.let("parked", replay_valid_q & waits, "some of its chunks are: it is left until a fill comes");
  m.assign(replay_ready_out, replay_valid_q & ~waits);
  replay_count = m.let("replay_count", numbered(count_q, replay_entry_q, count_width), "waiters of the entry");
  last_waiter = m.let("last_waiter", replay_count == lit(count_width, 1), "it is the only one");
  leaves = m.let("leaves", parked | (replay_granted & last_waiter), "the stage is left");
  takes = m.let("takes", ~replay_valid_q | leaves, "the stage looks for another entry");
}

void MshrBuilder::next_waiter() {
  m.section("The next one: the first entry at or after a pointer to which a fill came.");
  const int n = entries_n;
  const Expr own = one_hot_of(m, "replay_entry_bits", replay_entry_q, n, "the entry in the stage, one-hot");
  const Expr candidates =
      m.let("awake", wake_q & ~(own & replicate(n, replay_valid_q)), "entries to look at");
  if (n > 1) pointer_q = m.reg("pointer_q", pointer_bits(n), 0, "the entry that is asked first, as a mask");
  choice = round_robin(m, candidates, pointer_q);
  next_found = m.let("next_found", takes & choice.any, "there is one, and the stage takes it");
  const Expr next = choice.grant;
  if (entry_width) next_entry = m.let("next_entry", number_of(next), "its number");
  if (place_width) {
    next_head = m.let("next_head", numbered(head_q, next_entry, place_width), "place of its oldest waiter");
    const Expr head = m.let("replay_head", numbered(head_q, replay_entry_q, place_width), "of the one in the stage");
    const Expr behind = head + lit(place_width, 1);
    const bool wraps = merges != 1 << place_width;
    replay_head_next = m.let("replay_head_next",
                             wraps ? mux(head == lit(place_width, static_cast<std::uint64_t>(merges - 1)),
                                         lit(place_width, 0), behind)
                                   : behind,
                             "the place behind it");
  }
}

// The waiters' rows: while the stage keeps its entry the next of its waiters is read, else the oldest of the
// next entry.
void MshrBuilder::waiter_ram() {
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

void MshrBuilder::replay_steps() {
  m.clocked("A waiter is looked at.",
            [&] { m.when(takes, [&] { m.set(replay_valid_q, choice.any); }); });
  if (entries_n > 1)
    m.clocked("The pointer moves behind the entry taken.",
              [&] { m.when(next_found, [&] { m.set(pointer_q, choice.next); }); });
  const Expr next_set = m.let("next_set", numbered(set_q, next_entry, set_bits), "set of the next entry");
  Expr next_way = lit(1, 1);
  if (way_bits) {
    const Expr number = m.let("next_way_number", numbered(way_q, next_entry, way_bits), "its way");
    next_way = one_hot_of(m, "next_way", number, p.ways, "the same, one-hot");
  }
  m.clocked("Where its line lies.", [&] {
    m.when(next_found, [&] {
      if (entry_width) m.set(replay_entry_q, next_entry);
      m.set(replay_set_q, next_set);
      m.set(replay_way_q, next_way);
    });
  });
  const Expr same_entry = entry_width ? entry == replay_entry_q : lit(1, 1);
  added = m.let("added", merge & same_entry, "the probe's load joins the waiters of this entry");
  freed = m.let("freed", replay_granted & last_waiter & ~added, "nobody waits in it any more");
  m.assign(vacate_out, freed);
}

void MshrBuilder::changes() {
  m.section("Changes.");
  const auto at = [&](const Expr& vector, const Expr& number, int width) {
    return numbered(vector, number, width);
  };
  m.clocked("Entries in use.", [&] {
    m.when(freed, [&] { m.set(at(in_use_q, replay_entry_q, 1), lit(1, 0)); });
    m.when(allocate, [&] { m.set(at(in_use_q, entry, 1), lit(1, 1)); });
  });
  Expr way_number = way_bits ? m.let("way_number", number_of(way), "of the new line's way") : Expr{};
  m.clocked("What a new entry waits for.", [&] {
    m.when(allocate, [&] {
      m.set(at(set_q, entry, set_bits), set_index);
      m.set(at(tag_q, entry, tag_bits), tag);
      if (way_bits) m.set(at(way_q, entry, way_bits), way_number);
    });
  });
  m.clocked("Doomed entries.", [&] {
    m.when(doom, [&] { m.set(at(doomed_q, entry, 1), lit(1, 1)); });
    m.when(freed, [&] { m.set(at(doomed_q, replay_entry_q, 1), lit(1, 0)); });
  });
  m.clocked("Flushed entries.", [&] {
    m.when(flush, [&] { m.set(flushed_q, flushed_q | in_use_q); });
    m.when(freed, [&] { m.set(at(flushed_q, replay_entry_q, 1), lit(1, 0)); });
  });
  m.clocked("Entries to look at: a fill wins over the stage.", [&] {
    m.when(leaves, [&] { m.set(at(wake_q, replay_entry_q, 1), lit(1, 0)); });
    m.when(fill, [&] { m.set(at(wake_q, fill_entry, 1), lit(1, 1)); });
  });
  if (!sectored) {
    m.clocked("Lines on their way.", [&] {
      m.when(fill, [&] { m.set(at(pending_q, fill_entry, 1), lit(1, 0)); });
      m.when(allocate, [&] { m.set(at(pending_q, entry, 1), lit(1, 1)); });
    });
    return;
  }
  const Expr same = entry_width ? entry == fill_entry : lit(1, 1);
  const Expr arrives = m.let("arrives", fill_mask & replicate(v, fill & same), "of the probe's entry");
  const Expr still = m.let("still", pending_out & ~arrives, "its chunks that stay on their way");
  const Expr fill_pending = m.let("fill_pending", at(pending_q, fill_entry, v), "of the fill's entry");
  m.clocked("Chunks on their way.", [&] {
    m.when(fill, [&] { m.set(at(pending_q, fill_entry, v), fill_pending & ~fill_mask); });
    m.when(joins, [&] { m.set(at(pending_q, entry, v), still | missed); });
  });
}

// One added and one removed leave the number of waiters as it is.
void MshrBuilder::counts() {
  const auto one = lit(count_width, 1);
  const Expr removed = m.let("removed", replay_granted & ~added, "the entry in the stage has one less");
  const Expr grows = m.let("grows", joins & ~(added & replay_granted), "the probe's entry has one more");
  const Expr more = merges > 1 ? mux(allocate, one, entry_count + one) : one;
  m.clocked("Number of waiters.", [&] {
    m.when(removed, [&] { m.set(numbered(count_q, replay_entry_q, count_width), replay_count - one); });
    m.when(grows, [&] { m.set(numbered(count_q, entry, count_width), more); });
  });
  if (!place_width) return;
  m.clocked("Oldest waiters.", [&] {
    m.when(replay_granted,
           [&] { m.set(numbered(head_q, replay_entry_q, place_width), replay_head_next); });
    m.when(allocate, [&] { m.set(numbered(head_q, entry, place_width), lit(place_width, 0)); });
  });
}

rtl::Module mshr(const L1dParams& p, int tag_bits, const std::string& name) {
  return MshrBuilder(p, tag_bits, name).run();
}

}  // namespace hw
