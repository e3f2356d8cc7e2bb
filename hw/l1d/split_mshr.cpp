#include "hw/l1d/split_mshr.h"

#include <fmt/format.h>

#include "hw/l1d/mshr.h"
#include "hw/l1d/split_mshr_builder.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/split_slots.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

SplitMshr::SplitMshr(const L1dParams& params, int tag_width, const std::string& name)
    : p(params),
      entries_n(p.mshr_entries),
      merges(p.mshr_merges),
      chunks(chunks_of_line(p)),
      set_bits(bits_to_number(sets_of(p))),
      tag_bits(tag_width),
      entry_width(entry_bits(p)),
      place_width(place_bits(p)),
      count_width(rtl::clog2(static_cast<std::uint64_t>(merges) + 1)),
      widened(widens(p)),
      line_tags(p.index.kind == IndexKind::adi),
      m(name,
        fmt::format("MSHR file of {} entr{}, up to {} load{} each: lines on their way and the loads that "
                    "wait for them (TSC paper, section 3).",
                    entries_n, entries_n == 1 ? "y" : "ies", merges, merges == 1 ? "" : "s")) {}

rtl::Module SplitMshr::run() {
  ports();
  entries();
  left_over();
  lookup();
  fills();
  new_waiter();
  replay();
  next_waiter();
  waiter_ram();
  replay_steps();
  changes();
  counts();
  return m;
}

void SplitMshr::ports() {
  enter = m.input("enter", 1, "the next request enters the probe stage");
  if (!line_tags) enter_set = m.input("enter_set", set_bits, "its set");
  enter_tag = m.input("enter_tag", tag_bits, "its tag");
  set_index = m.input("probe_set", set_bits, "set of the request in the probe stage");
  tag = m.input("probe_tag", tag_bits, "its tag");
  allocate = m.input("allocate", 1, "it takes a new entry");
  merge = m.input("merge", 1, "it waits in the entry that it matched");
  missed = m.input("missed", chunks, "chunks that it fetches");
  id = m.input("probe_id", p.core_id_bits, "its id");
  mask = m.input("probe_mask", chunks, "its chunks");
  doom = m.input("doom", 1, "it is a store or an atomic and leaves: the entry that it matched is doomed");
  fill = m.input("fill", 1, "a fetch is answered");
  if (entry_width) fill_entry = m.input("fill_entry", entry_width, "of this entry");
  fill_mask = m.input("fill_mask", chunks, "with these chunks");
  replay_granted = m.input("replay_granted", 1, "the waiter on offer is answered");
  flush = m.input("flush", 1, "entries in use will be found by nobody else");

  match_out = m.output("match", 1, "an entry has the probe's line");
  doomed_out = m.output("match_doomed", 1, "a store came after it");
  room_out = m.output("match_room", 1, "it can take one more load");
  pending_out = m.output("match_pending", chunks, "its chunks on their way");
  has_free_out = m.output("has_free", 1, "an entry is free");
  if (entry_width)
    entry_out = m.output("entry", entry_width, "the entry that matched, else the lowest free one");
  fill_set_out = m.output("fill_set", set_bits, "set of the fill's entry");
  fill_lands_out = m.output("fill_lands", 1, "its chunks may be found: neither doomed nor flushed");
  replay_ready_out = m.output("replay_ready", 1, "a waiter's chunks have come");
  replay_set_out = m.output("replay_set", set_bits, "the set of its line");
  replay_id_out = m.output("replay_id", p.core_id_bits, "its id");
  replay_mask_out = m.output("replay_mask", chunks, "its chunks");
  slot_ports();
}

void SplitMshr::entries() {
  const int n = entries_n;
  m.section("Entries.");
  in_use_q = m.reg("in_use_q", n, 0, "entries that wait for a line");
  set_q = m.data_reg("set_q", n * set_bits, "its set, of each entry");
  tag_q = m.data_reg("tag_q", n * tag_bits, "its tag");
  pending_q = m.reg("pending_q", n * chunks, 0, "its chunks on their way");
  doomed_q = m.reg("doomed_q", n, 0, "a store came after it: only those who wait may have it");
  flushed_q = m.reg("flushed_q", n, 0, "a flush came after it: it matches nothing");
  wake_q = m.reg("wake_q", n, 0, "a fill came since its oldest waiter was last looked at");
  count_q = m.reg("count_q", n * count_width, 0, "loads that wait");
  if (place_width) head_q = m.reg("head_q", n * place_width, 0, "place of the oldest");
  slot_q = m.data_reg("slot_q", n * chunks * slot_bits(p), "slot of each of its chunks");
  waits_q = m.reg("waits_q", n * chunks * count_width, 0, "loads that wait for each of its chunks");
  if (widened) spent_q = m.reg("spent_q", n, 0, "the entry that a fill freed in the cycle before");
}

// Whether the waiter on offer is answered is known last in a cycle. So that it drives a few flops and not all
// entries, what follows for the entry is kept, done in the next cycle, and seen as done by all that read it.
void SplitMshr::left_over() {
  const int n = entries_n;
  m.section("Entries as the cycle before left them.");
  last_own = n > 1 ? m.data_reg("last_entry_bits_q", n, "the entry that the replay stage looked at, one-hot")
                   : m.let("last_entry_bits", lit(1, 1), "the entry that the replay stage looked at");
  answered_q = m.reg("answered_q", 1, 0, "its waiter was answered");
  freed_q = m.reg("freed_q", 1, 0, "nobody waits in it any more");
  slept_q = m.reg("slept_q", 1, 0, "the stage left it, and no fill came to it");
  const auto if_last = [&](const Expr& flag) { return last_own & replicate(n, flag); };
  gone = widened ? m.let("gone", if_last(freed_q) | spent_q, "entries that were freed")
                 : m.let("gone", if_last(freed_q), "the entry that was freed");
  in_use = m.let("in_use_now", in_use_q & ~gone, "entries that wait for a line");
  wake = m.let("wake_now", wake_q & ~if_last(slept_q), "entries to which a fill came");
  if (place_width) {
    passed_head_q = m.data_reg("passed_head_q", place_width, "the place behind that waiter");
    head = m.wire("head_now", n * place_width, "place of the oldest waiter, of each entry");
  }
  count = m.wire("count_now", n * count_width, "loads that wait");
  m.comb("Waiters without the one that was answered.", [&] {
    m.loop("rest", n, [&](const Expr& e) {
      const Expr answered = answered_q & last_own.at(e), q = count_q.part(e, count_width);
      m.set(count.part(e, count_width), q - rtl::zext(answered, count_width));
      if (place_width)
        m.set(head.part(e, place_width), mux(answered, passed_head_q, head_q.part(e, place_width)));
    });
  });
}

Expr SplitMshr::gathered(std::vector<Gathered>& list, const std::string& name, const Expr& vector, int width,
                         const std::string& doc) {
  list.push_back({m.wire(name, width, doc), vector});
  return list.back().out;
}

void SplitMshr::gather(const std::string& doc, const std::string& label, const Expr& when, const Expr& which,
                       const std::vector<Gathered>& list) {
  m.comb(doc, [&] {
    for (const auto& [out, vector] : list) m.set(out, lit(out.width(), 0));
    m.when(when, [&] {
      m.loop(label, entries_n, [&](const Expr& e) {
        for (const auto& [out, vector] : list)
          m.set(out, out | (vector.part(e, out.width()) & replicate(out.width(), which.at(e))));
      });
    });
  });
}

// A request is compared with all entries as it enters the probe stage, so that the answer is there early in
// the cycles in which it stands there.
void SplitMshr::lookup() {
  const int n = entries_n;
  m.section("Lookup.");
  match_q = m.reg("match_q", n, 0, "the entry with the line of the probe, as it entered");
  matched = m.let("matched", match_q & ~gone, "the entry with the probe's line, one-hot, or 0");
  coming = m.wire("coming", n, "the entry with the line of the request that enters");
  const Expr room = m.wire("room", n, "entries that can take one more load");
  m.comb("Compare with all entries.", [&] {
    m.loop("e", n, [&](const Expr& e) {
      Expr open = in_use.at(e) & ~flushed_q.at(e);
      if (!line_tags) open = open & (set_q.part(e, set_bits) == enter_set);
      m.set(coming.at(e), open & (tag_q.part(e, tag_bits) == enter_tag));
      m.set(room.at(e), count.part(e, count_width) != lit(count_width, static_cast<std::uint64_t>(merges)));
    });
  });
  const Expr matches = m.let("any_match", rtl::any(matched), "there is one");
  m.assign(match_out, matches);
  m.assign(doomed_out, rtl::any(matched & doomed_q));
  m.assign(room_out, rtl::any(matched & room));
  free = m.let("free_entries", ~in_use, "entries not in use");
  lowest = lowest_of(m, "lowest_free", free, "the entry for a new line, one-hot");
  created = m.let("created", lowest & replicate(n, allocate), "the entry that is taken");
  has_free_q = m.reg("has_free_q", 1, 1, "some entry was not in use in the cycle before");
  m.assign(has_free_out, widened ? has_free_q | freed_q | rtl::any(spent_q) : has_free_q | freed_q);

  if (entry_width) {
    m.assign(entry_out, mux(matches, number_of(matched), number_of(lowest)));
    entry = entry_out;
  }
  std::vector<Gathered> list;
  entry_pending = gathered(list, "entry_pending", pending_q, chunks, "its chunks on their way");
  if (place_width) {
    entry_head = gathered(list, "entry_head", head, place_width, "place of its oldest waiter");
    entry_count = gathered(list, "entry_count", count, count_width, "loads that wait in it");
  }
  match_slots = gathered(list, "match_slots", slot_q, chunks * slot_bits(p), "slots of its chunks");
  match_waits = gathered(list, "match_waits", waits_q, chunks * count_width, "loads that wait for each");
  gather("Of the entry that matched.", "of_match", matches, matched, list);
  m.assign(pending_out, entry_pending);
}

void SplitMshr::fills() {
  m.section("Fills.");
  filled = one_hot_of(m, "filled", fill, fill_entry, entries_n, "the entry that a fill comes to, one-hot");
  std::vector<Gathered> list;
  m.assign(fill_set_out, gathered(list, "filled_set", set_q, set_bits, "its set"));
  filled_slots = gathered(list, "filled_slots", slot_q, chunks * slot_bits(p), "slots of its chunks");
  if (widened) {
    filled_waits =
        gathered(list, "filled_waits", waits_q, chunks * count_width, "loads that wait for each chunk");
    filled_pending = gathered(list, "filled_pending", pending_q, chunks, "chunks on their way to it");
    filled_count = gathered(list, "filled_count", count, count_width, "loads that wait in it");
  }
  gather("Of the entry that a fill comes to.", "of_fill", fill, filled, list);
  m.assign(fill_lands_out, ~rtl::any(filled & (doomed_q | flushed_q)));
  slot_fills();
}

// Where the probe's load would wait.
void SplitMshr::new_waiter() {
  joins = m.let("joins", allocate | merge, "the probe's load becomes a waiter");
  if (!place_width) return;
  const int wide = place_width + 1;
  const Expr behind = m.let("place_behind", rtl::zext(entry_head, wide) + rtl::zext(entry_count, wide),
                            "the place behind its waiters");
  const Expr low = behind.slice(place_width - 1, 0);
  if (merges == 1 << place_width) {
    m.unused("unused_place", behind.bit(place_width), "places wrap");
    entry_place = m.let("new_place", low & ~replicate(place_width, allocate), "of the new waiter");
    return;
  }
  const Expr limit = lit(wide, static_cast<std::uint64_t>(merges));
  const Expr wrapped = mux(behind >= limit, low - lit(place_width, static_cast<std::uint64_t>(merges)), low);
  entry_place = m.let("new_place", mux(allocate, lit(place_width, 0), wrapped), "of the new waiter");
}

}  // namespace hw
