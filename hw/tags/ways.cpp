#include "hw/tags/ways.h"

#include "hw/prim/one_hot.h"
#include "hw/tags/tag_kinds.h"
#include "hw/tags/way_data.h"
#include "hw/tags/way_entries.h"
#include "hw/tags/way_tags.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

Ways::Ways(const TagSocket& socket) : TagStore(socket), by_chunk_(valid_bits(p_) > 1) {}

void Ways::lookup() {
  const int ways = p_.ways, bits = valid_bits(p_);
  match_ = m_.wire("way_match", ways, "way that holds the line, one-hot, or 0");
  hit_ = match_;
  if (by_chunk_) {
    hit_ = m_.wire("way_hit", ways, "the way that matches, if it holds all chunks of the request");
    match_valid_ = m_.wire("match_valid", bits, "chunks that it holds");
  }
  choice();
  way_ = m_.wire("way", ways, "way of the line, or for it");
  if (p_.counters) evicted_ = m_.wire("evicted", bits, "valid bits evicted");
}

void Ways::choice() { can_allocate_ = m_.wire("can_allocate", 1, "some way of the set may take a new line"); }

void Ways::matched_place() { entry_way_ = m_.wire("entry_way", p_.ways, "way of that entry, one-hot"); }

void Ways::filled_place() {
  fill_way_ = m_.wire("fill_way", p_.ways, "way of the fill's entry, one-hot");
  fill_way_early_ =
      m_.wire("fill_way_early", p_.ways, "a copy of fill_way from registers, for what must be known early");
}

void Ways::replayed_place() {
  replay_way_ = m_.wire("replay_way", p_.ways, "way of the waiting load's line, one-hot");
}

void Ways::released_place() { vacate_ = m_.wire("vacate", 1, "the MSHR entry of the fill is freed"); }

void Ways::judge(const ProbeStage& probe, Verdict& verdict) {
  verdict.hit = m_.let("found", rtl::any(hit_), "all of its chunks are valid");
  if (!by_chunk_) return;
  const Expr present = match_valid_ | probe.entry.pending;
  verdict.missed = m_.let("missed", probe.request.mask & ~present, "chunks neither valid nor on their way");
  verdict.fetches = m_.let("fetches", rtl::any(verdict.missed), "there are some");
  verdict.some_present = rtl::any(probe.request.mask & present);
}

// A hit or a replay asks unless a fill writes what it would read. Whether a probe hits is known last, so its
// turn is worked out without it.
Answers Ways::answers(const ProbeStage& probe, const Turn& turn) {
  const Fill& fill = probe.fill;
  const Expr overlap = m_.let("probe_overlap", fill.valid & rtl::any(probe.request.mask & fill.mask),
                              "a fill writes chunks of the probe's");
  const Expr clear_ways = m_.let("clear_ways", ~(fill_way_early_ & replicate(p_.ways, overlap)),
                                 "ways that the probe may read beside it");
  Answers a;
  a.hit_asks = m_.let("hit_asks", probe.verdict.load & rtl::any(hit_ & clear_ways), "the probe's hit");
  const Expr replay_overlap = m_.let("replay_overlap", fill.valid & rtl::any(probe.replay.mask & fill.mask),
                                     "a fill writes chunks of the replay's");
  const Expr blocked =
      m_.let("replay_blocked", replay_overlap & rtl::any(replay_way_ & fill_way_early_), "in its way");
  a.replay_asks = m_.let("replay_asks", probe.replay.ready & ~blocked, "the waiting load");
  const Expr hit_first =
      m_.let("hit_first", turn.free & (turn.hit | (~turn.direct_asks & (turn.direct | ~a.replay_asks))),
             "a hit would be granted");
  a.hit = m_.let("grant_hit", a.hit_asks & hit_first, "the probe's hit is answered");
  const Expr replay_first = m_.let("replay_first", turn.free & (turn.replay | (~turn.direct_asks | turn.hit)),
                                   "the replay would be granted without a hit");
  a.replay = m_.let("grant_replay", a.replay_asks & replay_first & (turn.replay | ~a.hit_asks),
                    "the replay is answered");
  return a;
}

Expr Ways::some_way() const { return by_chunk_ ? rtl::any(match_) | can_allocate_ : can_allocate_; }

Waiting Ways::waiting(const ProbeStage& probe, const Expr& grant_hit, const Expr& refused) {
  const Entry& entry = probe.entry;
  const Verdict& verdict = probe.verdict;
  const Expr open = ~entry.doomed & entry.room;
  const Expr can_merge = m_.let("can_merge", by_chunk_ ? open & (probe.has_place | ~verdict.fetches) : open,
                                "the load may wait in the entry that it matched");
  const Expr fetch =
      m_.let("can_fetch", entry.has_free & probe.has_place & some_way(), "the load may take a new entry");
  Waiting w;
  w.no_hit = m_.let("no_hit", verdict.load & ~verdict.hit, "the request is a load that must wait or fail");
  w.merge = m_.let("merge", w.no_hit & entry.match & can_merge, "the load waits in an entry");
  const Expr takes = w.no_hit & ~entry.match & fetch;
  w.new_entry = m_.let("new_entry", refused.known() ? takes & ~refused : takes, "the load takes a new entry");
  w.leaves = grant_hit | w.merge | w.new_entry;
  w.fetches = by_chunk_ ? w.new_entry | (w.merge & verdict.fetches) : w.new_entry;
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
  const Expr& refused = probe.commit.refused;
  Causes c;
  c.waits = m_.let("must_wait", probe.verdict.load & ~probe.verdict.hit, "a load that is no hit");
  Expr places = some_way(), fetches = places;
  if (refused.known()) {
    places = places | refused;
    fetches = places & ~refused;
  }
  c.line = m_.let("no_line", c.waits & mux(entry.match, entry.doomed, ~places), "no line may be had");
  c.mshr = m_.let("no_entry", c.waits & ~entry.match & fetches & ~entry.has_free, "no MSHR entry");
  c.merge = m_.let("no_merge", c.waits & entry.match & ~entry.doomed & ~entry.room, "no merge place");
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
            {"fill_way", fill_way_},
            {"vacate", vacate_},
            {"vacate_set", probe.replay.set_index},
            {"vacate_way", replay_way_},
            {"flush", probe.flush},
            {"match", match_},
            {"can_allocate", can_allocate_},
            {"way", way_}};
  if (p_.moving_sets) pins.emplace_back("anew", probe.next.anew);
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
  if (p_.closed_ways) pins.emplace_back("open_ways", probe.open_ways);
  if (p_.counters) pins.emplace_back("evicted", evicted_);
  m_.instance(way_tags(p_, tag_bits_, m_.name() + "_tags"), "tags", pins, "Tag store.");
}

// Read before it is known that the answer is granted: while the answer stage is free, nobody looks.
void Ways::add_data(const ProbeStage& probe, const Expr& read_data) {
  const Answers& answers = probe.answers;
  const auto shown = [&](const Expr& of_replay, const Expr& of_probe) {
    return mux(answers.replay_shown, of_replay, of_probe);
  };
  Pins pins{{"fill", probe.fill.valid},
            {"fill_set", probe.fill.set_index},
            {"fill_way", fill_way_},
            {"fill_mask", probe.fill.mask},
            {"fill_data", probe.fill.data},
            {"read", answers.free & ((probe.verdict.load & probe.verdict.hit) | probe.replay.ready)},
            {"read_set", shown(probe.replay.set_index, probe.request.set_index)},
            {"read_way", shown(replay_way_, hit_)},
            {"read_mask", shown(probe.replay.mask, probe.request.mask)},
            {"read_data", read_data}};
  if (p_.ways > 1) pins.emplace_back("shows", answers.free);
  m_.instance(way_data(p_, m_.name() + "_data_store"), "data_store", pins, "Data store.");
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
          {"store_invalidations", commit.invalidate & mux(probe.entry.match, ~probe.entry.doomed, held)},
          {"doomed", commit.doom & ~probe.entry.doomed},
          {"flushes", probe.flush}};
}

TagStorage Ways::storage(const MshrParams&) const {
  const int lines = p_.sets * p_.ways;
  return {
      .arrays = {{"tags", tag_bits_, p_.ways}},
      .data_banks = p_.ways * chunks_of_line(p_),
      .flops = {{"valid", lines * valid_bits(p_)}, {"busy", lines}, {"replacement", replacement_bits(p_)}},
      .mshr_entry_bits = bits_to_number(p_.ways) + (p_.ways > 1 ? p_.ways : 0)};
}

rtl::Module Ways::mshr_file(const MshrParams& p, const std::string& name) const {
  return WayEntries(p_, p, mshr_lines(), name).run();
}

Pins Ways::taken_pins() const { return {{"way", way_}}; }
Pins Ways::matched_pins() const { return {{"match_way", entry_way_}}; }
Pins Ways::filled_pins() const { return {{"fill_way", fill_way_}, {"fill_way_early", fill_way_early_}}; }
Pins Ways::replayed_pins() const { return {{"replay_way", replay_way_}}; }
Pins Ways::released_pins() const { return {{"vacate", vacate_}}; }

}  // namespace hw
