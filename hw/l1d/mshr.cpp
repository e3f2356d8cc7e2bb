#include "hw/l1d/mshr.h"

#include <fmt/format.h>

#include "hw/l1d/mshr_builder.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/split_slots.h"
#include "hw/tags/way_tags.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

int entry_bits(const L1dParams& p) { return bits_to_number(p.mshr_entries); }
int place_bits(const L1dParams& p) { return bits_to_number(p.mshr_merges); }
int waiter_rows(const L1dParams& p) { return std::max(2, p.mshr_entries << place_bits(p)); }

MshrBuilder::MshrBuilder(const L1dParams& params, int tag_width, const std::string& name)
    : p(params),
      tags(tag_params(params)),
      split(p.tags == TagKind::split),
      entries_n(p.mshr_entries),
      merges(p.mshr_merges),
      v(valid_bits(tags)),
      chunks(chunks_of_line(p)),
      ways(split ? 0 : p.ways),
      set_bits(bits_to_number(sets_of(p))),
      tag_bits(tag_width),
      way_bits(split ? 0 : bits_to_number(ways)),
      entry_width(entry_bits(p)),
      place_width(place_bits(p)),
      count_width(rtl::clog2(static_cast<std::uint64_t>(merges) + 1)),
      group(std::min(8, 1 << entry_width)),
      groups((entries_n + group - 1) / group),
      sectored(v > 1 || split),
      widened(widens(tags)),
      line_tags(p.index.kind == IndexKind::adi),
      m(name,
        fmt::format("MSHR file of {} entr{}, up to {} load{} each: lines on their way and the loads that "
                    "wait for them ({}).",
                    entries_n, entries_n == 1 ? "y" : "ies", merges, merges == 1 ? "" : "s",
                    split ? "TSC paper, section 3" : "baseline of the TSC, ACI and Decoupled-L1D papers")) {}

rtl::Module MshrBuilder::run() {
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
  shown();
  return m;
}

void MshrBuilder::ports() {
  moves = m.input("moves", 1, "the probe stage is free or becomes free");
  if (!line_tags) enter_set = m.input("enter_set", set_bits, "its set");
  enter_tag = m.input("enter_tag", tag_bits, "its tag");
  set_index = m.input("probe_set", set_bits, "set of the request in the probe stage");
  tag = m.input("probe_tag", tag_bits, "its tag");
  allocate = m.input("allocate", 1, "it takes a new entry");
  merge = m.input("merge", 1, "it waits in the entry that it matched");
  if (ways) way = m.input("way", ways, "where its line will lie, one-hot");
  if (sectored) missed = m.input("missed", v, "chunks that it fetches");
  id = m.input("probe_id", p.core_id_bits, "its id");
  mask = m.input("probe_mask", chunks, "its chunks");
  doom = m.input("doom", 1, "it is a store or an atomic and leaves: the entry that it matched is doomed");
  fill = m.input("fill", 1, "a fetch is answered");
  if (entry_width) fill_entry = m.input("fill_entry", entry_width, "of this entry");
  if (sectored) fill_mask = m.input("fill_mask", v, "with these chunks");
  replay_granted = m.input("replay_granted", 1, "the waiter on offer is answered");
  flush = m.input("flush", 1, "entries in use will be found by nobody else");

  match_out = m.output("match", 1, "an entry has the probe's line");
  doomed_out = m.output("match_doomed", 1, "a store came after it");
  room_out = m.output("match_room", 1, "it can take one more load");
  if (sectored) pending_out = m.output("match_pending", v, "its chunks on their way");
  if (ways) way_out = m.output("match_way", ways, "its way, one-hot, or 0");
  has_free_out = m.output("has_free", 1, "an entry is free");
  if (entry_width)
    entry_out = m.output("entry", entry_width, "the entry that matched, else the lowest free one");
  fill_set_out = m.output("fill_set", set_bits, "set of the fill's entry");
  if (ways) fill_way_out = m.output("fill_way", ways, "its way, one-hot");
  if (ways) fill_early_out = m.output("fill_way_early", ways, "the same, for what must be known early");
  fill_lands_out = m.output("fill_lands", 1, "its chunks may be found: neither doomed nor flushed");
  replay_ready_out = m.output("replay_ready", 1, "a waiter's chunks have come");
  replay_set_out = m.output("replay_set", set_bits, "the set of its line");
  if (ways) replay_way_out = m.output("replay_way", ways, "the way, one-hot");
  replay_id_out = m.output("replay_id", p.core_id_bits, "its id");
  replay_mask_out = m.output("replay_mask", chunks, "its chunks");
  if (ways) vacate_out = m.output("vacate", 1, "the entry of the replay is freed, its way no longer busy");
  if (split) slot_ports();
}

void MshrBuilder::entries() {
  const int n = entries_n;
  m.section("Entries.");
  in_use_q = m.reg("in_use_q", n, 0, "entries that wait for a line");
  set_q = m.data_reg("set_q", n * set_bits, "its set, of each entry");
  tag_q = m.data_reg("tag_q", n * tag_bits, "its tag");
  if (way_bits) way_q = m.data_reg("way_q", n * way_bits, "its way, where a fill goes");
  if (way_bits)
    way_bits_q = m.data_reg("way_bits_q", n * ways, "the same, one-hot, where it must be there early");
  pending_q = m.reg("pending_q", n * v, 0, sectored ? "its chunks on their way" : "it is on its way");
  doomed_q = m.reg("doomed_q", n, 0, "a store came after it: only those who wait may have it");
  flushed_q = m.reg("flushed_q", n, 0, "a flush came after it: it matches nothing");
  awake_q =
      m.reg("awake_q", n, 0, "a fill came since its oldest waiter was last looked at; not in the stage");
  count_q = m.reg("count_q", n * count_width, 0, "loads that wait");
  if (place_width) head_q = m.reg("head_q", n * place_width, 0, "place of the oldest");
  if (split) slot_state();
}

// Whether the waiter on offer is answered is known last in a cycle. So that it drives a few flops and not all
// entries, what follows for the entry is kept, done in the next cycle, and seen as done by all that read it.
void MshrBuilder::left_over() {
  const int n = entries_n;
  m.section("Entries as the cycle before left them.");
  last_own = n > 1 ? m.data_reg("last_entry_bits_q", n, "the entry that the replay stage looked at, one-hot")
                   : m.let("last_entry_bits", lit(1, 1), "the entry that the replay stage looked at");
  answered_q = m.reg("answered_q", 1, 0, "its waiter was answered");
  freed_q = m.reg("freed_q", 1, 0, "nobody waits in it any more");
  const Expr replayed = last_own & replicate(n, freed_q);
  gone = widened ? m.let("gone", replayed | spent_q, "entries that were freed")
                 : m.let("gone", replayed, "the entry that was freed");
  in_use = m.let("in_use_now", in_use_q & ~gone, "entries that wait for a line");
  if (place_width) {
    if (merges > 1) kept_q = m.reg("kept_q", 1, 0, "the stage stays at it, with the next of its waiters");
    passed_head_q = m.data_reg("passed_head_q", place_width, "the place behind that waiter");
    head = m.wire("head_now", n * place_width, "place of the oldest waiter, of each entry");
  }
  count = m.wire("count_now", n * count_width, "loads that wait");
  if (split) slot_left_over();
  m.comb("Waiters without the one that was answered.", [&] {
    m.loop("rest", n, [&](const Expr& e) {
      const Expr answered = answered_q & last_own.at(e), q = count_q.part(e, count_width);
      m.set(count.part(e, count_width), q - rtl::zext(answered, count_width));
      if (place_width)
        m.set(head.part(e, place_width), mux(answered, passed_head_q, head_q.part(e, place_width)));
    });
  });
}

Expr MshrBuilder::gathered(std::vector<Gathered>& list, const std::string& name, const Expr& vector,
                           int width, const std::string& doc) {
  list.push_back({m.wire(name, width, doc), vector});
  return list.back().out;
}

void MshrBuilder::gather(const std::string& doc, const std::string& label, const Expr& when,
                         const Expr& which, const std::vector<Gathered>& list) {
  m.comb(doc, [&] {
    for (const auto& [out, vector] : list) m.set(out, lit(out.width(), 0));
    const auto all = [&] {
      m.loop(label, entries_n, [&](const Expr& e) {
        for (const auto& [out, vector] : list)
          m.set(out, out | (vector.part(e, out.width()) & replicate(out.width(), which.at(e))));
      });
    };
    if (when.known())
      m.when(when, all);
    else
      all();
  });
}

// A request is compared with all entries as it enters the probe stage, so that the answer is there early in
// the cycles in which it stands there.
void MshrBuilder::lookup() {
  const int n = entries_n;
  m.section("Lookup.");
  // Whether the probe stage moves on is known late: the entry of the next request and that of the one that
  // stays are kept side by side. Split tags know it earlier in the cycle than what follows from the entry.
  if (split) {
    match =
        m.reg("match_q", n, 0, "the entry with the line of the request in the probe stage, if match is set");
  } else {
    entered_q = m.reg("entered_q", 1, 0, "the request in the probe stage entered in the cycle before");
    coming_q = m.reg("coming_q", n, 0, "the entry with its line, one-hot, if so");
    stayed_q = m.reg("stayed_q", n, 0, "the same, if not");
    match = m.let("match_bits", mux(entered_q, coming_q, stayed_q), "that entry, if match is set");
  }
  match_any_q = m.reg("match_any_q", 1, 0, "there is one, if the cycle before has not freed it");
  match_own_q = m.reg("match_own_q", 1, 0, "it is the one that the replay stage looked at");
  coming = m.wire("coming", n, "the entry with the line of the request that enters");
  const Expr room = m.wire("room", n, "entries that can take one more load");
  m.comb("Compare with all entries.", [&] {
    m.loop("e", n, [&](const Expr& e) {
      Expr open = in_use.at(e) & ~flushed_q.at(e);
      if (!line_tags) open = open & (set_q.part(e, set_bits) == enter_set);
      m.set(coming.at(e), open & (tag_q.part(e, tag_bits) == enter_tag));
      m.set(room.at(e), count_q.part(e, count_width) != lit(count_width, static_cast<std::uint64_t>(merges)));
    });
  });
  Expr matched = match_any_q & ~(freed_q & match_own_q);
  if (widened) matched = matched & ~rtl::any(match & spent_q);
  matches = m.let("any_match", matched, "an entry has the probe's line");
  m.assign(match_out, matches);
  const auto has = [&](const Expr& flags) {
    if (split) return rtl::any(match & flags);
    return mux(entered_q, rtl::any(coming_q & flags), rtl::any(stayed_q & flags));
  };
  m.assign(doomed_out, split ? matches & has(doomed_q) : has(doomed_q));
  m.assign(room_out, has(room) | (answered_q & match_own_q));
  free = m.let("free_entries", ~in_use, "entries not in use");
  lowest = lowest_free();
  created = m.let("created", lowest & replicate(n, allocate), "the entry that is taken");
  has_free_q = m.reg("has_free_q", 1, 1, "some entry was not in use in the cycle before");
  m.assign(has_free_out, widened ? has_free_q | freed_q | rtl::any(spent_q) : has_free_q | freed_q);

  if (entry_width) {
    m.assign(entry_out, mux(matches, number_of(match), number_of(lowest)));
    entry = entry_out;
  }
  std::vector<Gathered> list;
  if (sectored) entry_pending = gathered(list, "entry_pending", pending_q, v, "its chunks on their way");
  if (ways > 1) entry_way = gathered(list, "entry_way", way_bits_q, ways, "its way, one-hot");
  if (place_width) {
    entry_head = gathered(list, "entry_head", head_q, place_width, "place of its oldest waiter");
    entry_count = gathered(list, "entry_count", count_q, count_width, "loads that wait in it");
  }
  if (split) {
    match_slots = gathered(list, "match_slots", slot_q, chunks * slot_bits(tags), "slots of its chunks");
    match_waits = gathered(list, "match_waits", waits_q, chunks * count_width, "loads that wait for each");
  }
  // With split tags that there is one is asked where it matters.
  if (!list.empty()) gather("Of the entry that matched.", "of_match", split ? Expr{} : matches, match, list);
  if (split) {
    entry_pending = m.let("pending_of_match", entry_pending & replicate(v, matches), "if there is one");
    match_waits = m.let(
        "match_waits_now",
        mux(answered_q & match_own_q, last_waits, match_waits) & replicate(match_waits.width(), matches),
        "the same without the waiter that was answered; 0 for a new entry");
  }
  if (sectored) m.assign(pending_out, entry_pending);
  if (split) return;
  if (ways > 1) return m.assign(way_out, entry_way);
  m.unused("unused_way", way, "the one way has no number");
  m.assign(way_out, matches);
}

Expr MshrBuilder::lowest_free() {
  const int wide = groups * group;
  const bool full = wide == entries_n;
  const Expr places = full ? free : m.let("free_places", rtl::zext(free, wide), "the same in full groups");
  const Expr below = below_in_group("below_free", places, "a free entry stands below in its group");
  crowded = m.let("crowded", rtl::any(places & below), "two entries of a group are free");
  free_firsts = m.let("free_firsts", places & ~below, "the lowest free one of each group");
  const char* doc = "the entry for a new line, one-hot";
  if (full) return lowest_in_groups("lowest_free", free_firsts, places, doc);
  const Expr all = lowest_in_groups("lowest_place", free_firsts, places, "the lowest of them, one-hot");
  m.unused("unused_free", all.slice(wide - 1, entries_n), "there are no such entries");
  return m.let("lowest_free", all.slice(entries_n - 1, 0), doc);
}

void MshrBuilder::fills() {
  m.section("Fills.");
  const Expr named = one_hot_of(m, "named", Expr{}, fill_entry, entries_n, "the entry that fill_entry names");
  filled = m.let("filled", named & replicate(entries_n, fill), "the entry that a fill comes to, one-hot");
  const Expr shut = m.let("shut", doomed_q | flushed_q, "entries whose data nobody else may find");
  m.assign(fill_set_out, numbered(set_q, fill_entry, set_bits));
  m.assign(fill_lands_out, ~numbered(shut, fill_entry, 1));
  if (split) return slot_fills(named);
  if (!way_bits) {
    m.assign(fill_way_out, lit(1, 1));
    m.assign(fill_early_out, lit(1, 1));
    return;
  }
  std::vector<Gathered> list;
  const Expr number = gathered(list, "filled_way", way_q, way_bits, "its way");
  const Expr early = gathered(list, "filled_way_early", way_bits_q, ways, "the same, one-hot");
  gather("Of the entry that a fill comes to.", "of_fill", Expr{}, named, list);
  m.assign(fill_way_out, one_hot_of(m, "filled_way_bits", Expr{}, number, ways, "its way, one-hot"));
  m.assign(fill_early_out, early);
}

// Where the probe's load would wait. A waiter that was answered in the cycle before counts here still, and
// the oldest place is still its own: the place behind is the same.
void MshrBuilder::new_waiter() {
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
