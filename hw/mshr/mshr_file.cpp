#include "hw/mshr/mshr_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/prim/one_hot.h"
#include "hw/rtl/condition.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

int entry_bits(const MshrParams& p) { return bits_to_number(p.entries); }
int place_bits(const MshrParams& p) { return bits_to_number(p.merges); }
int target_rows(const MshrParams& p) { return std::max(2, p.entries << place_bits(p)); }

MshrFile::MshrFile(const MshrParams& params, const MshrLines& lines, const std::string& name)
    : p(params),
      entries_n(p.entries),
      merges(p.merges),
      chunks(lines.chunks),
      v(lines.by_chunk ? lines.chunks : 1),
      set_bits(lines.set_bits),
      tag_bits(lines.tag_bits),
      entry_width(entry_bits(p)),
      place_width(place_bits(p)),
      count_width(rtl::clog2(static_cast<std::uint64_t>(merges) + 1)),
      by_chunk(lines.by_chunk),
      m(name,
        fmt::format("MSHR file of {} entr{}, up to {} load{} each: lines on their way and the loads that "
                    "wait for them ({}).",
                    entries_n, entries_n == 1 ? "y" : "ies", merges, merges == 1 ? "" : "s", lines.source)),
      tag_is_line(lines.tag_is_line) {}

rtl::Module MshrFile::run() {
  ports();
  entries();
  left_over();
  lookup();
  fills();
  new_target();
  replay();
  next_target();
  target_ram();
  replay_steps();
  if (p.line_bits) line_ram();
  changes();
  counts();
  shown();
  return m;
}

void MshrFile::ports() {
  moves = m.input("moves", 1, "the tag-lookup stage is free or becomes free");
  if (!tag_is_line) enter_set = m.input("enter_set", set_bits, "set of the request that enters");
  enter_tag = m.input("enter_tag", tag_bits, "tag of the request that enters");
  set_index = m.input("probe_set", set_bits, "set of the request in the tag-lookup stage");
  tag = m.input("probe_tag", tag_bits, "tag of the request");
  allocate = m.input("allocate", 1, "the request takes a new entry");
  merge = m.input("merge", 1, "the request waits in the entry that it matched");
  taken_port();
  if (by_chunk) missed = m.input("missed", v, "chunks that it fetches");
  id = m.input("probe_id", p.core_id_bits, "id of the request");
  mask = m.input("probe_mask", chunks, "chunks that the request asks for");
  if (p.line_bits) probe_line = m.input("probe_line", p.line_bits, "line of the request");
  poison = m.input("poison", 1, "a store or an atomic leaves: the entry that it matched is poisoned");
  if (p.warps) {
    probe_warp = m.input("probe_warp", bits_to_number(p.warps), "warp of the request");
    poison_all = m.input("poison_all", 1, "the request is an atomic, behind which loads of all warps wait");
  }
  fill = m.input("fill", 1, "a fetch is answered");
  if (entry_width) fill_entry = m.input("fill_entry", entry_width, "of this entry");
  if (by_chunk) fill_mask = m.input("fill_mask", v, "chunks of the fill");
  replay_granted = m.input("replay_granted", 1, "the MSHR target on offer is answered");
  flush = m.input("flush", 1, "entries in use will be found by nobody else");
  answer_ports();
}

void MshrFile::answer_ports() {
  match_out = m.output("match", 1, "an entry has the probe's line");
  poisoned_out = m.output("match_poisoned", 1, "a store came after it");
  if (p.warps)
    waits_out = m.output("match_waits", 1,
                         "a load waits: a store of its warp or an atomic came, or the line has come");
  mergeable_out = m.output("match_mergeable", 1, "the entry can take one more load");
  if (by_chunk) pending_out = m.output("match_pending", v, "chunks of the entry's line on their way");
  matched_port();
  has_free_out = m.output("has_free", 1, "an entry is free");
  if (entry_width)
    entry_out = m.output("entry", entry_width, "the entry that matched, else the lowest free one");
  fill_set_out = m.output("fill_set", set_bits, "set of the fill's entry");
  filled_ports();
  fill_installs_out = m.output("fill_installs", 1,
                               "the fill's chunks may be found: its entry is neither poisoned nor flushed");
  replay_ready_out = m.output("replay_ready", 1, "an MSHR target's chunks have come");
  replay_set_out = m.output("replay_set", set_bits, "the set of its line");
  replayed_port();
  replay_id_out = m.output("replay_id", p.core_id_bits, "id of the waiting load");
  replay_mask_out = m.output("replay_mask", chunks, "chunks of the waiting load");
  if (p.line_bits) {
    replay_line_out = m.output("replay_line", p.line_bits, "line of the waiting load");
    replay_late_out =
        m.output("replay_late", 1, "a store may have come after the load: a second fetch is too late");
  }
  if (p.protection != Protection::none)
    replay_rows.wrong =
        m.output("replay_wrong", 1, "what is stored of the waiting load cannot be corrected: it stays");
  if (p.protection == Protection::secded)
    replay_rows.corrected = m.output("replay_corrected", 1, "a wrong bit of it was corrected");
  released_port();
  chunk_ports();
}

void MshrFile::entries() {
  const int n = entries_n;
  m.section("Entries.");
  in_use_q = m.reg("in_use_q", n, 0, "entries that wait for a line");
  set_q = m.data_reg("set_q", n * set_bits, "set of each entry");
  tag_q = m.data_reg("tag_q", n * tag_bits, "tag of each entry");
  place_registers();
  pending_q = m.reg("pending_q", n * v, 0,
                    by_chunk ? "chunks of each entry's line on their way" : "lines on their way, by entry");
  poisoned_q =
      m.reg("poisoned_q", n, 0, "a store came after the fetch: only its MSHR targets may have the line");
  if (p.warps)
    stored_q = m.data_reg("stored_q", n * p.warps, "warps whose loads wait for the end of each entry");
  flushed_q = m.reg("flushed_q", n, 0, "a flush came after the fetch: the entry matches nothing");
  awake_q =
      m.reg("awake_q", n, 0, "a fill came since its oldest target was last looked at; not in the stage");
  counts_of = target_counts(m, count_widths());

  chunk_registers();
}

// Whether the MSHR target on offer is answered is known last in a cycle. So that it drives a few flops and
// not all entries, what follows for the entry is kept, done in the next cycle, and seen as done by all that
// read it.
void MshrFile::left_over() {
  const int n = entries_n;
  m.section("Entries as the cycle before left them.");
  last_own = n > 1 ? m.data_reg("last_entry_bits_q", n, "the entry that the replay stage looked at, one-hot")
                   : m.let("last_entry_bits", lit(1, 1), "the entry that the replay stage looked at");
  answered_q = m.reg("answered_q", 1, 0, "an MSHR target of that entry was answered");
  freed_q = m.reg("freed_q", 1, 0, "nobody waits in it any more");
  const Expr replayed = last_own & replicate(n, freed_q);
  gone = spent() ? m.let("gone", replayed | *spent(), "entries that were freed")
                 : m.let("gone", replayed, "the entry that was freed");
  in_use = m.let("in_use_now", in_use_q & ~gone, "entries that wait for a line");
  if (place_width) {
    if (merges > 1) kept_q = m.reg("kept_q", 1, 0, "the stage stays at the entry, with its next MSHR target");
    passed_head_q = m.data_reg("passed_head_q", place_width, "the slot behind that MSHR target");
  }
  waits_left_over();
}

Expr MshrFile::gathered(List& list, const std::string& name, const Expr& vector, int width,
                        const std::string& doc) {
  list.push_back({m.wire(name, width, doc), vector});
  return list.back().out;
}

void MshrFile::gather(const std::string& doc, const std::string& label, const rtl::Condition& when,
                      const Expr& which, const List& list) {
  m.comb(doc, [&] {
    for (const auto& [out, vector] : list) m.set(out, lit(out.width(), 0));
    const auto all = [&] {
      m.loop(label, entries_n, [&](const Expr& e) {
        for (const auto& [out, vector] : list)
          m.set(out, out | (vector.part(e, out.width()) & replicate(out.width(), which.at(e))));
      });
    };
    if (!when.is_always())
      m.when(when.when(), all);
    else
      all();
  });
}

// A request is compared with all entries as it enters the tag-lookup stage, so that the answer is there early
// in the cycles in which it stands there.
void MshrFile::lookup() {
  const int n = entries_n;
  m.section("Lookup.");
  match_registers();
  match_any_q = m.reg("match_any_q", 1, 0, "there is one, if the cycle before has not freed it");
  match_own_q =
      m.reg("match_own_q", 1, 0, "the entry that matched is the one that the replay stage looked at");
  coming = m.wire("coming", n, "the entry with the line of the request that enters");
  const Expr mergeable = m.wire("mergeable", n, "entries that can take one more load");
  const Expr most = m.constant("MERGES", count_width, static_cast<std::uint64_t>(merges), "loads an entry");
  m.comb("Compare with all entries.", [&] {
    m.loop("e", n, [&](const Expr& e) {
      Expr open = in_use.at(e) & ~flushed_q.at(e);
      if (!tag_is_line) open = open & (set_q.part(e, set_bits) == enter_set);
      m.set(coming.at(e), open & (tag_q.part(e, tag_bits) == enter_tag));
      m.set(mergeable.at(e), counts_of.count.part(e, count_width) != most);
    });
  });
  Expr matched = match_any_q & ~(freed_q & match_own_q);
  if (spent()) matched = matched & ~rtl::any(match & *spent());
  matches = m.let("any_match", matched, "an entry has the probe's line");
  m.assign(match_out, matches);
  m.assign(poisoned_out, poisoned_match());
  if (p.warps) waits_behind_store();
  m.assign(mergeable_out, of_match(mergeable) | (answered_q & match_own_q));
  free = m.let("free_entries", ~in_use, "entries not in use");
  const FreeEntry found = free_entry(m, m.name() + "_free", free);
  lowest = found.bits;
  free_firsts = found.firsts;
  two_free = found.two;
  created = m.let("created", lowest & replicate(n, allocate), "the entry that is taken");
  has_free_q = m.reg("has_free_q", 1, 1, "some entry was not in use in the cycle before");
  const Expr some_free = has_free_q | freed_q;
  m.assign(has_free_out, spent() ? some_free | rtl::any(*spent()) : some_free);
  if (entry_width) {
    const Expr matched_number = number_of(m, "match_number", match, "number of the entry that matches");
    m.assign(entry_out, mux(matches, matched_number, found.number));
    entry = entry_out;
  }
  match_values();
}

// Loads of other warps may have what a store of one has made old, as long as it is on its way.
void MshrFile::waits_behind_store() {
  warp_bits = one_hot_of(m, "warp_bits", probe_warp, p.warps, "warp of the request, one-hot");
  const Expr waits = m.wire("waits", entries_n, "entries in which a load of the probe's warp may not wait");
  m.comb("Behind a store of the probe's warp, or with nothing on its way.", [&] {
    m.loop("behind", entries_n, [&](const Expr& e) {
      const Expr own = rtl::any(stored_q.part(e, p.warps) & warp_bits);
      m.set(waits.at(e), poisoned_q.at(e) & (own | ~pending_q.at(e)));
    });
  });
  m.assign(waits_out, of_match(waits));
}

void MshrFile::match_values() {
  List list;
  if (by_chunk)
    entry_pending =
        gathered(list, "entry_pending", pending_q, v, "chunks on their way of the entry that matched");
  match_place(list);
  if (place_width) {
    entry_head = gathered(list, "entry_head", counts_of.head, place_width, "slot of its oldest MSHR target");
    entry_count = gathered(list, "entry_count", counts_of.count, count_width, "loads that wait in it");
  }
  match_chunks(list);
  if (!list.empty()) gather_match(list);
  if (by_chunk) m.assign(pending_out, entry_pending);
  assign_match_place();
}

void MshrFile::fills() {
  m.section("Fills.");
  const Expr named = one_hot_of(m, "named", fill_entry, entries_n, "the entry that fill_entry names");
  filled = m.let("filled", named & replicate(entries_n, fill), "the entry that a fill comes to, one-hot");
  const Expr shut = m.let("shut", poisoned_q | flushed_q, "entries whose data nobody else may find");
  m.assign(fill_set_out, numbered(set_q, fill_entry, set_bits));
  m.assign(fill_installs_out, ~numbered(shut, fill_entry, 1));
  fill_places(named);
}

// Where the probe's load would wait. An MSHR target that was answered in the cycle before counts here still,
// and the oldest slot is still its own: the slot behind is the same.
void MshrFile::new_target() {
  joins = m.let("joins", allocate | merge, "the probe's load becomes an MSHR target");
  if (!place_width) return;
  const int wide = place_width + 1;
  const Expr behind = m.let("slot_behind", rtl::zext(entry_head, wide) + rtl::zext(entry_count, wide),
                            "the slot behind its MSHR targets");
  const Expr low = behind.slice(place_width - 1, 0);
  if (merges == 1 << place_width) {
    m.unused("unused_place", behind.bit(place_width), "slots wrap");
    entry_place = m.let("new_slot", low & ~replicate(place_width, allocate), "of the new MSHR target");
    return;
  }
  const Expr limit = lit(wide, static_cast<std::uint64_t>(merges));
  const Expr wrapped = mux(behind >= limit, low - lit(place_width, static_cast<std::uint64_t>(merges)), low);
  entry_place = m.let("new_slot", mux(allocate, lit(place_width, 0), wrapped), "of the new MSHR target");
}

}  // namespace hw
