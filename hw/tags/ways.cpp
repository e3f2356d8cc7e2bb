#include "hw/tags/ways.h"

#include "hw/prim/one_hot.h"
#include "hw/tags/tag_kinds.h"
#include "hw/tags/tag_rams.h"
#include "hw/tags/way_entries.h"
#include "hw/tags/way_tags.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

Ways::Ways(const TagSocket& socket)
    : TagStore(socket), by_chunk_(valid_bits(p_) > 1), data_(socket.module, socket.params) {
  if (p_.stale_lines) shared_sets_ = socket.controls[shared_sets];
}

void Ways::lookup() {
  const int ways = p_.ways, bits = valid_bits(p_);
  match_ = m_.wire("way_match", ways, "way that holds the line, one-hot, or 0");
  hit_ = match_;
  if (by_chunk_) {
    hit_ = m_.wire("way_hit", ways, "the way that matches, if it holds all chunks of the request");
    match_valid_ = m_.wire("match_valid", bits, "chunks that it holds");
  }
  data_.hit_in(hit_);
  data_.line_in(match_);
  choice();
  way_ = m_.wire("way", ways, "way of the line, or for it");
  if (p_.counters) evicted_ = m_.wire("evicted", bits, "valid bits evicted");
}

void Ways::choice() {
  if (protects_tags(p_.ecc)) tags_wrong_ = m_.wire("tags_wrong", 1, "a line goes whose tag is wrong");
  can_allocate_ = m_.wire("can_allocate", 1, "some way of the set may take a new line");
  if (p_.closed_ways) reserved_ = m_.wire("reserved_ways", p_.ways, "ways of the set that MSHR entries own");
}

WaysUsed Ways::ways(const ProbeStage& probe) const {
  Expr empties = probe.commit.invalidate;
  if (by_chunk_ && p_.store_scope == StoreScope::mask)
    empties = empties & (probe.entry.match | ~rtl::any(match_valid_ & ~probe.request.mask));
  return {.probe = way_,
          .fill = data_.fill_way(),
          .matches = probe.entry.match | rtl::any(match_),
          .reserved = reserved_,
          .empties = empties};
}

void Ways::matched_place() { entry_way_ = m_.wire("entry_way", p_.ways, "way of that entry, one-hot"); }

void Ways::released_place() { dealloc_ = m_.wire("dealloc", 1, "the MSHR entry of the fill is freed"); }

void Ways::judge(const ProbeStage& probe, Decision& decision) {
  decision.hit = m_.let("found", rtl::any(hit_), "all of its chunks are valid");
  if (!by_chunk_) return;
  const Expr present = match_valid_ | *probe.entry.pending;
  decision.some_present = rtl::any(probe.request.mask & present);
  if (p_.fetch == FetchSize::mask) {
    decision.missed =
        m_.let("missed", probe.request.mask & ~present, "chunks neither valid nor on their way");
    decision.fetches = m_.let("fetches", rtl::any(*decision.missed), "there are some");
    return;
  }
  decision.fetches = m_.let("fetches", rtl::any(probe.request.mask & ~present),
                            "chunks of the request are neither valid nor on their way");
  decision.missed = m_.let("missed", ~present & replicate(present.width(), decision.fetches),
                           "all chunks of the line of which that is so, if the request fetches");
}

Answers Ways::answers(const ProbeStage& probe, const Turn& turn) {
  Answers a = data_.answers(probe, turn);
  a.hit_way = hit_;
  a.replay_way = data_.replay_way();
  a.replay_frees = dealloc_;
  return a;
}

Expr Ways::held() { return by_chunk_ ? match_valid_ : replicate(chunks_of_line(p_), rtl::any(match_)); }

Expr Ways::some_way() const { return by_chunk_ ? rtl::any(match_) | can_allocate_ : can_allocate_; }

Waiting Ways::waiting(const ProbeStage& probe, const Expr& grant_hit, const rtl::Condition& refused) {
  const Entry& entry = probe.entry;
  const Decision& decision = probe.decision;
  const Expr open = ~entry.holds_loads() & entry.mergeable;
  const Expr can_merge =
      m_.let("can_merge", by_chunk_ ? open & (probe.queue_not_full | ~decision.fetches) : open,
             "the load may wait in the entry that it matched");
  const Expr fetch = m_.let("can_fetch", entry.has_free & probe.queue_not_full & some_way(),
                            "the load may take a new entry");
  Waiting w;
  w.no_hit = m_.let("no_hit", decision.load & ~decision.hit, "the request is a load that must wait or fail");
  w.merge = m_.let("merge", w.no_hit & entry.match & can_merge, "the load waits in an entry");
  const Expr takes = w.no_hit & ~entry.match & fetch;
  w.new_entry = m_.let("new_entry", takes & ~refused, "the load takes a new entry");
  w.leaves = grant_hit | w.merge | w.new_entry;
  w.fetches = by_chunk_ ? w.new_entry | (w.merge & decision.fetches) : w.new_entry;
  return w;
}

void Ways::take(const ProbeStage& probe) {
  const Expr& new_entry = probe.commit.new_entry;
  allocate_ = new_entry;
  if (!by_chunk_) return;
  allocate_ = m_.let("allocate", new_entry & ~rtl::any(match_), "the load takes a way");
  reserve_ = m_.let("reserve", new_entry & rtl::any(match_), "the load takes the way that holds the line");
}

Causes Ways::fail_causes(const ProbeStage& probe) {
  const Entry& entry = probe.entry;
  const rtl::Condition& refused = probe.commit.refused;
  Causes c;
  c.waits = m_.let("must_wait", probe.decision.load & ~probe.decision.hit, "a load that is no hit");
  const Expr places = some_way() | refused, fetches = places & ~refused;
  c.line = m_.let("no_line", c.waits & mux(entry.match, entry.holds_loads(), ~places), "no line may be had");
  c.mshr = m_.let("no_entry", c.waits & ~entry.match & fetches & ~entry.has_free, "no MSHR entry");
  c.merge =
      m_.let("no_merge", c.waits & entry.match & ~entry.holds_loads() & ~entry.mergeable, "no MSHR target");
  return c;
}

Pins Ways::tag_pins(const ProbeStage& probe) const {
  Pins pins{{"moves", probe.next.moves},
            {"comes", probe.next.comes},
            {"enter_set", probe.next.set_index},
            {"enter_tag", probe.next.tag},
            {"probe_set", probe.request.set_index},
            {"probe_tag", probe.request.tag},
            {"entry_match", probe.entry.match},
            {"entry_way", entry_way_},
            {"allocate", allocate_},
            {"invalidate", probe.commit.invalidate},
            {"fill", probe.fill.found},
            {"fill_set", probe.fill.set_index},
            {"fill_way", data_.fill_way()},
            {"dealloc", dealloc_},
            {"dealloc_set", probe.replay.set_index},
            {"dealloc_way", data_.replay_way()},
            {"flush", probe.flush},
            {"match", match_},
            {"can_allocate", can_allocate_},
            {"way", way_}};
  if (p_.moving_sets) pins.emplace_back("rehashed", probe.next.rehashed.when());
  if (tags_wrong_.can_be())
    pins.insert(pins.end(), {{"present", probe.present}, {"tags_wrong", tags_wrong_.when()}});
  const Recovery& again = probe.recovery;
  if (again.drop.can_be())
    pins.insert(pins.end(),
                {{"drop", again.drop.when()}, {"drop_set", again.drop_set}, {"drop_way", again.drop_way}});
  return pins;
}

void Ways::add_tags(const ProbeStage& probe) {
  Pins pins = tag_pins(probe);
  if (needs_touch(p_)) pins.emplace_back("load", probe.commit.load);
  if (by_chunk_)
    pins.insert(pins.end(), {{"probe_mask", probe.request.mask},
                             {"reserve", reserve_},
                             {"fill_mask", probe.fill.mask},
                             {"hit", hit_},
                             {"match_valid", match_valid_}});
  if (p_.closed_ways)
    pins.insert(pins.end(), {{"open_ways", *probe.open_ways}, {"reserved_ways", reserved_}});
  if (p_.stale_lines)
    pins.insert(pins.end(), {{"foreign", probe.request[extra::foreign]}, {"shared_sets", shared_sets_}});
  if (p_.counters) pins.emplace_back("evicted", evicted_);
  m_.instance(way_tags(p_, tag_bits_, m_.name() + "_tags"), "tags", pins, "Tag store.");
}

Events Ways::line_events(const ProbeStage& probe) {
  const int chunks = chunks_of_line(p_), bits = rtl::clog2(static_cast<std::uint64_t>(chunks) + 1);
  const Expr lost = by_chunk_ ? ones_of(m_, "evicted_number", evicted_, "valid chunks that a new line evicts")
                              : mux(evicted_, lit(bits, static_cast<std::uint64_t>(chunks)), lit(bits, 0));
  const Expr held = p_.store_scope == StoreScope::mask && by_chunk_
                        ? rtl::any(match_valid_ & probe.request.mask)
                        : rtl::any(match_);
  const Commit& commit = probe.commit;
  return {{"evicted_lines", rtl::any(evicted_)},
          {"evicted_chunks", lost},
          {"store_invalidations", commit.counted & mux(probe.entry.match, ~probe.entry.poisoned, held)},
          {"doomed", commit.poison & ~probe.entry.poisoned},
          {"flushes", probe.flush}};
}

TagStorage Ways::storage(const MshrParams&) const {
  const int lines = p_.sets * p_.ways;
  TagStorage storage{
      .arrays = {{"tags", tag_bits_ + check_bits_of_tag(p_.ecc.tags, tag_bits_), p_.ways}},
      .data_banks = p_.ways * chunks_of_line(p_),
      .flops = {{"valid", lines * valid_bits(p_)}, {"busy", lines}, {"replacement", replacement_bits(p_)}},
      .mshr_entry_bits = p_.ways > 1 ? p_.ways : 0};
  if (p_.stale_lines) storage.flops.emplace_back("foreign", lines);
  return storage;
}

rtl::Module Ways::mshr_file(const MshrParams& p, const std::string& name) const {
  return way_mshr(p_, p, mshr_lines(), name);
}

Pins Ways::taken_pins() const { return {{"way", way_}}; }
Pins Ways::matched_pins() const { return {{"match_way", entry_way_}}; }
Pins Ways::released_pins() const { return {{"dealloc", dealloc_}}; }

}  // namespace hw
