#include "hw/tags/decoupled_store.h"

#include "hw/ecc/protected_rows.h"
#include "hw/tags/decoupled_entries.h"
#include "hw/tags/decoupled_tags.h"
#include "hw/tags/decoupled_way.h"
#include "hw/tags/tag_rams.h"

namespace hw {

using rtl::Expr, rtl::mux;

void DecoupledStore::lookup() {
  const int ways = p_.ways, tags = p_.decoupled.tags_per_way, chunks = chunks_of_line(p_);
  hit_ = m_.wire("way_hit", ways, "the way of the line, if it holds all chunks of the request");
  data_.hit_in(hit_);
  if (stores_update(p_)) {
    found_way_ = m_.wire("found_way", ways, "the way of the line");
    data_.line_in(*found_way_);
  }
  line_valid_ = m_.wire("line_valid", chunks, "chunks of the line that are valid");
  enough_ = m_.wire("enough", 1, "the plan has a position for each missed chunk");
  line_way_ = m_.wire("line_way", ways, "way of the line or for it, as planned");
  if (tags > 1) line_tag_ = m_.wire("line_tag", tags, "tag of the line there");
  if (protects_tags(p_.ecc)) tags_wrong_ = m_.wire("tags_wrong", 1, "a line goes whose tag is wrong");
  if (protects_tags(p_.ecc) && tags > 1)
    tags_wait_ = m_.wire("tags_wait", 1, "selectors are wrong, and the request waits");
  if (!p_.counters) return;
  lines_lost_ = m_.wire("lines_lost", rtl::clog2(static_cast<std::uint64_t>(tags) + 1), "lines displaced");
  chunks_lost_ =
      m_.wire("chunks_lost", rtl::clog2(static_cast<std::uint64_t>(chunks) + 1), "chunks displaced");
}

void DecoupledStore::matched_place() {
  entry_way_ = m_.wire("entry_way", p_.ways, "way of that entry's line, one-hot");
  if (p_.decoupled.tags_per_way > 1)
    entry_tag_ = m_.wire("entry_tag", p_.decoupled.tags_per_way, "tag of that line there, one-hot");
}

void DecoupledStore::released_place() {
  replay_released_ =
      m_.wire("replay_released", chunks_of_line(p_), "chunks that its answer leaves to nobody");
}

void DecoupledStore::judge(const ProbeStage& probe, Decision& decision) {
  const Expr present = line_valid_ | *probe.entry.pending;
  decision.hit = m_.let("found", rtl::any(hit_), "all of its chunks are valid");
  decision.missed = m_.let("missed", probe.request.mask & ~present, "chunks neither valid nor on their way");
  decision.fetches = m_.let("fetches", rtl::any(*decision.missed), "there are some");
  decision.some_present = rtl::any(probe.request.mask & present);
}

// What goes of a line with wrong data are its own chunks of the way.
Answers DecoupledStore::answers(const ProbeStage& probe, const Turn& turn) {
  Answers a = data_.answers(probe, turn);
  if (!protects_data(p_.ecc)) return a;
  a.hit_way = rtl::cat({line_valid_, hit_});
  a.replay_way = rtl::cat({rtl::lit(chunks_of_line(p_), 0), data_.replay_way()});
  return a;
}

// Of protected RAMs.
Pins DecoupledStore::protection_pins(const ProbeStage& probe) const {
  Pins pins;
  if (tags_wrong_.can_be()) pins = {{"present", probe.present}, {"tags_wrong", tags_wrong_.when()}};
  if (tags_wait_.can_be()) pins.emplace_back("tags_wait", tags_wait_.when());
  const Recovery& again = probe.recovery;
  if (!again.drop.can_be()) return pins;
  const Expr& place = again.drop_way;
  pins.insert(pins.end(), {{"drop", again.drop.when()},
                           {"drop_set", again.drop_set},
                           {"drop_way", place.slice(p_.ways - 1, 0)},
                           {"drop_mask", place.slice(place.width() - 1, p_.ways)}});
  return pins;
}

void DecoupledStore::add_tags(const ProbeStage& probe) {
  Pins pins{{"moves", probe.next.moves},
            {"comes", probe.next.comes},
            {"enter_set", probe.next.set_index},
            {"enter_tag", probe.next.tag},
            {"probe_set", probe.request.set_index},
            {"probe_tag", probe.request.tag},
            {"probe_mask", probe.request.mask},
            {"missed", *probe.decision.missed},
            {"entry_way", entry_way_},
            {"planned", planned()},
            {"allocate", allocate_},
            {"waits", waits_},
            {"load", probe.commit.load},
            {"invalidate", probe.commit.invalidate},
            {"fill", probe.fill.found},
            {"fill_set", probe.fill.set_index},
            {"fill_way", data_.fill_way()},
            {"fill_mask", probe.fill.mask},
            {"replay_set", probe.replay.set_index},
            {"replay_way", data_.replay_way()},
            {"replay_released", replay_released_},
            {"flush", probe.flush},
            {"hit", hit_},
            {"line_valid", line_valid_},
            {"enough", enough_},
            {"line_way", line_way_}};
  if (p_.decoupled.tags_per_way > 1)
    pins.insert(pins.end(), {{"entry_tag", *entry_tag_}, {"line_tag", *line_tag_}});
  if (p_.store_scope == StoreScope::mask) pins.emplace_back("entry_match", probe.entry.match);
  if (found_way_) pins.emplace_back("found_way", *found_way_);
  if (p_.moving_sets) pins.emplace_back("rehashed", probe.next.rehashed.when());
  if (p_.counters) pins.insert(pins.end(), {{"lines_lost", lines_lost_}, {"chunks_lost", chunks_lost_}});
  const Pins of_protection = protection_pins(probe);
  pins.insert(pins.end(), of_protection.begin(), of_protection.end());
  m_.instance(decoupled_tags(p_, tag_bits_, m_.name() + "_tags"), "tags", pins, "Tag store.");
}

Events DecoupledStore::line_events(const ProbeStage& probe) {
  const Expr held = p_.store_scope == StoreScope::mask ? line_valid_ & probe.request.mask : line_valid_;
  const Commit& commit = probe.commit;
  return {
      {"evicted_lines", lines_lost_},
      {"evicted_chunks", chunks_lost_},
      {"store_invalidations", commit.counted & mux(probe.entry.match, ~probe.entry.poisoned, rtl::any(held))},
      {"doomed", commit.poison & ~probe.entry.poisoned},
      {"flushes", probe.flush}};
}

TagStorage DecoupledStore::storage(const MshrParams& mshr) const {
  const int chunks = chunks_of_line(p_), tags = p_.decoupled.tags_per_way, entries = decoupled_entries(p_);
  const int places = p_.sets * p_.ways * chunks;
  TagStorage s{.arrays = {{"tags", tag_bits_ + check_bits_of_tag(p_.ecc.tags, tag_bits_), entries}},
               .data_banks = p_.ways * chunks,
               .flops = {{"valid", places},
                         {"busy", places},
                         {"replacement", p_.sets * entries * bits_to_number(entries)}},
               .mshr_entry_bits = (p_.ways > 1 ? p_.ways : 0) + (tags > 1 ? tags : 0) +
                                  chunks * bits_to_number(mshr.merges + 1)};
  if (const int bits = selector_bits(p_))
    s.arrays.push_back({"selectors", stored_row_bits(p_.ecc.tags, p_.ways * chunks * bits), 1});
  return s;
}

rtl::Module DecoupledStore::mshr_file(const MshrParams& p, const std::string& name) const {
  MshrLines lines = mshr_lines();
  lines.source = "DSC of the TSC paper";
  return decoupled_mshr(p_, p, lines, name);
}

Pins DecoupledStore::taken_pins() const {
  Pins pins{{"way", line_way_}};
  if (line_tag_) pins.emplace_back("tag_there", *line_tag_);
  return pins;
}

Pins DecoupledStore::matched_pins() const {
  Pins pins{{"match_way", entry_way_}};
  if (entry_tag_) pins.emplace_back("match_tag", *entry_tag_);
  return pins;
}

}  // namespace hw
