#include "hw/tags/split_store.h"

#include "hw/ecc/protected_rows.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/split_data.h"
#include "hw/tags/split_entries.h"
#include "hw/tags/split_slots.h"
#include "hw/tags/split_tag_store.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void SplitStore::settle(const ProbeStage& probe) { effective_ = effective_chunks(m_, p_, probe, controls_); }

void SplitStore::lookup() {
  const int slots = slots_of(p_), chunks = chunks_of_line(p_);
  chunk_valid_ = m_.wire("chunk_valid", chunks, "chunks of the line that are valid");
  hit_slots_ = m_.wire("hit_slots", slots, "valid slots of the probe's chunks, which it would read");
  found_ = m_.wire("found_at", chunks * slots, "where each lies, one-hot");
  enough_ = m_.wire("enough", 1, "the plan has a slot for each missed chunk");
  if (protects_tags(p_.ecc)) {
    tags_wrong_ = m_.wire("tags_wrong", 1, "slots go whose tag is wrong");
    tags_wait_ = m_.wire("tags_wait", 1, "one of them is an MSHR entry's, and the request waits");
  }
  slot_numbers_ = m_.wire("slot_numbers", chunks * slot_bits(p_), "slot of each chunk, found or planned");
  if (p_.counters)
    evicted_ = m_.wire("evicted", rtl::clog2(static_cast<std::uint64_t>(slots) + 1), "valid slots displaced");
}

void SplitStore::released_place() {
  const int slots = slots_of(p_), chunks = chunks_of_line(p_);
  pending_slots_ = m_.wire("pending_slots", slots, "slots of pending chunks that the load looks for");
  fill_numbers_ = m_.wire("fill_numbers", chunks * slot_bits(p_), "slot of each chunk of the fill's entry");
  fill_at_ = m_.wire("fill_at", chunks * slots, "where the chunks of the fill go, one-hot");
  if (widens(p_)) fill_released_ = m_.wire("fill_released", slots, "slots that it leaves to nobody");
  replay_at_ = m_.wire("replay_at", chunks * slots, "where the chunks of the replay lie, one-hot");
  replay_released_ = m_.wire("replay_released", slots, "slots that its answer leaves to nobody");
}

void SplitStore::judge(const ProbeStage& probe, Decision& decision) {
  const Expr& wanted = effective_.of_probe;
  const Expr present = chunk_valid_ | *probe.entry.pending;
  decision.hit = m_.let("found", ~rtl::any(wanted & ~chunk_valid_), "all that it looks for is valid");
  decision.missed = m_.let("missed", wanted & ~present, "chunks neither valid nor on their way");
  decision.fetches = m_.let("fetches", rtl::any(*decision.missed), "there are some");
  decision.some_present = rtl::any(wanted & present);
}

// Bank and slot are one: a slot that a fill writes is not read in any set.
SplitStore::Blocked SplitStore::blocked(const Fill& fill) {
  const int chunks = chunks_of_line(p_);
  fill_slots_ = slots_together(m_, "fill_slots", fill_at_, chunks, "slots that a fill writes");
  replay_slots_ = slots_together(m_, "replay_slots", replay_at_, chunks, "slots that the replay would read");
  const Expr hit_meets = m_.wire("hit_meets", chunks, "chunks of a fill that lie in the probe's banks");
  const Expr replay_meets = m_.wire("replay_meets", chunks, "chunks in the replay's banks");
  const rtl::Module meeting = slot_meeting(slots_of(p_), m_.name() + "_slot_meeting");
  m_.repeat("fill_chunk", chunks, "A chunk each.", [&](const Expr& c) {
    m_.instance(meeting, "meeting",
                {{"number", fill_numbers_.part(c, slot_bits(p_))},
                 {"hit_slots", hit_slots_},
                 {"replay_slots", replay_slots_},
                 {"hit_meets", hit_meets.at(c)},
                 {"replay_meets", replay_meets.at(c)}},
                "Whether the slot's bank is read.");
  });
  const Expr arrives = m_.let("fill_chunks", fill.mask & replicate(chunks, fill.valid), "chunks of the fill");
  return {m_.let("hit_blocked", rtl::any(hit_meets & arrives), "a fill writes where the hit reads"),
          m_.let("replay_blocked", rtl::any(replay_meets & arrives), "a fill writes where the replay reads")};
}

// What a fill blocks is known last, so it chooses last. Beside a fill there is no direct answer.
Answers SplitStore::answers(const ProbeStage& probe, const Turn& turn) {
  const Blocked blocks = blocked(probe.fill);
  const Expr found = probe.decision.load & probe.decision.hit & turn.may_read,
             ready = probe.replay.ready & turn.may_read;
  Answers a;
  a.hit_asks = m_.let("hit_asks", found & ~blocks.hit, "the probe's hit");
  a.replay_asks = m_.let("replay_asks", ready & ~blocks.replay, "the waiting load");
  const Expr turn_direct = ~(turn.hit | turn.replay);
  const Expr hit = m_.let("may_hit", found & turn.free, "the probe's hit but for a fill");
  const Expr hit_first = m_.let("hit_first", hit & (turn.hit | (~turn.direct_asks & (turn_direct | ~ready))),
                                "and it comes before the replay");
  a.hit =
      m_.let("grant_hit", ~blocks.hit & (hit_first | (hit & blocks.replay)), "the probe's hit is answered");
  const Expr replay = m_.let("may_replay", ready & turn.free & (turn.replay | (~turn.direct_asks | turn.hit)),
                             "the replay but for a fill");
  const Expr replay_first =
      m_.let("replay_first", replay & (turn.replay | ~found), "and it comes before the hit");
  a.replay = m_.let("grant_replay", ~blocks.replay & (replay_first | (replay & blocks.hit)),
                    "the replay is answered");
  a.hit_way = found_;
  a.replay_way = replay_at_;
  return a;
}

// Chunks go to their slots side by side, of a fill and of a store.
Expr SplitStore::banks_taken(const ProbeStage& probe) {
  const Expr chunks =
      m_.let("store_held", probe.store.wanted & chunk_valid_, "chunks that a store would write");
  const Expr slots = slots_of_mask(m_, "store_slots", found_, chunks, "slots of these chunks");
  const Expr written = rtl::any(fill_slots_ & slots);
  const Expr read = probe.replay.ready & rtl::any(replay_slots_ & slots);
  const Expr beside = probe.fill.valid & rtl::any(chunks & probe.fill.mask);
  return written | read | beside;
}

void SplitStore::add_tags(const ProbeStage& probe) {
  Pins pins{{"read", probe.next.read},
            {"read_set", probe.next.read_set},
            {"enter", probe.next.enters},
            {"enter_set", probe.next.set_index},
            {"enter_tag", probe.next.tag},
            {"enter_mask", probe.next.mask},
            {"probe_set", probe.request.set_index},
            {"probe_tag", probe.request.tag},
            {"missed", *probe.decision.missed},
            {"pending_slots", pending_slots_},
            {"allocate", allocate_},
            {"waits", waits_},
            {"touch", probe.commit.touch},
            {"invalidate", probe.commit.invalidate},
            {"fill", probe.fill.found},
            {"fill_set", probe.fill.set_index},
            {"fill_slots", fill_slots_},
            {"replay_set", probe.replay.set_index},
            {"replay_released", replay_released_},
            {"flush", probe.flush},
            {"chunk_valid", chunk_valid_},
            {"asked", hit_slots_},
            {"found", found_},
            {"enough", enough_},
            {"slot_numbers", slot_numbers_}};
  if (widens(p_)) {
    pins.emplace_back("enter_effective", effective_.of_next);
    pins.emplace_back("fill_released", fill_released_);
  }
  if (p_.moving_sets) pins.emplace_back("rehashed", probe.next.rehashed.when());
  if (p_.store_scope == StoreScope::mask) {
    pins.emplace_back("probe_mask", probe.request.mask);
    pins.emplace_back("entry_match", probe.entry.match);
  }
  const Recovery& again = probe.recovery;
  if (again.drop.can_be()) {
    const Expr dropped =
        slots_together(m_, "drop_slots", again.drop_way, chunks_of_line(p_), "slots that go");
    pins.insert(pins.end(),
                {{"drop", again.drop.when()}, {"drop_set", again.drop_set}, {"drop_slots", dropped}});
  }
  if (p_.counters) pins.emplace_back("evicted", evicted_);
  if (tags_wrong_.can_be())
    pins.insert(
        pins.end(),
        {{"present", probe.present}, {"tags_wrong", tags_wrong_.when()}, {"tags_wait", tags_wait_.when()}});
  m_.instance(split_tag_store(p_, tag_bits_, m_.name() + "_tags"), "tags", pins, "Tag store.");
}

void SplitStore::add_data(const ProbeStage& probe, const Expr& read_data) {
  const Recovery& again = probe.recovery;
  const auto shown = [&](const Expr& of_again, const Expr& of_replay, const Expr& of_probe) {
    return mux(again.first_reads, of_again, mux(probe.answers.replay_shown, of_replay, of_probe));
  };
  Expr again_slots;
  if (again.first_reads.can_be())
    again_slots = slots_of_mask(m_, "again_slots", again.way, again.mask, "slots that are read once more");
  Pins pins{{"fill_set", probe.fill.set_index},
            {"fill_slots", fill_slots_},
            {"fill_at", fill_at_},
            {"fill_data", probe.fill.data},
            {"read", probe.answers.hit | probe.answers.replay | again.reads},
            {"read_set", shown(again.set_index, probe.replay.set_index, probe.request.set_index)},
            {"read_slots", shown(again_slots, replay_slots_, hit_slots_)},
            {"read_at", shown(again.way, replay_at_, found_)},
            {"read_data", read_data}};
  if (again.wrong) pins.emplace_back("wrong", *again.wrong);
  if (again.corrects.can_be())
    pins.insert(pins.end(), {{"corrects", again.corrects.when()}, {"uncorrectable", again.uncorrectable}});
  if (probe.store.writes)
    pins.insert(pins.end(), {{"store", *probe.store.writes},
                             {"store_set", probe.request.set_index},
                             {"store_mask", probe.store.chunks},
                             {"store_at", found_},
                             {"store_byte_enable", probe.request.written->byte_enable},
                             {"store_data", probe.request.written->data}});
  m_.instance(split_data(p_, m_.name() + "_data_store"), "data_store", pins, "Data store.");
}

Events SplitStore::line_events(const ProbeStage& probe) {
  const Expr chunks = p_.store_scope == StoreScope::mask ? chunk_valid_ & probe.request.mask : chunk_valid_;
  const Commit& commit = probe.commit;
  return {{"evicted_lines", lit(1, 0)},
          {"evicted_chunks", evicted_},
          {"store_invalidations",
           commit.counted & mux(probe.entry.match, ~probe.entry.poisoned, rtl::any(chunks))},
          {"doomed", commit.poison & ~probe.entry.poisoned},
          {"flushes", probe.flush}};
}

TagStorage SplitStore::storage(const MshrParams& mshr) const {
  const int slots = slots_of(p_), all = p_.sets * slots, chunks = chunks_of_line(p_);
  TagStorage s{.data_banks = slots,
               .flops = {{"valid", all},
                         {"busy", all},
                         {"replacement", all + (p_.split.victim == SplitVictim::chunk ? 16 : 0)}},
               .mshr_entry_bits =
                   chunks * (slot_bits(p_) + (keeps_last_loads(mshr) ? static_cast<int>(widens(p_))
                                                                     : bits_to_number(mshr.merges + 1)))};
  if (const int bits = p_.split.private_tag_bits + bits_to_number(chunks))
    s.arrays.push_back({"slot_tags", stored_row_bits(p_.ecc.tags, bits), slots});
  if (const int shared = shared_tag_bits(p_, tag_bits_))
    s.arrays.push_back({"shared_tags", stored_row_bits(p_.ecc.tags, shared), p_.split.groups});
  if (const int bits = place_bits(mshr); bits && keeps_last_loads(mshr))
    s.entry_arrays.push_back({"last_targets", bits, chunks});
  return s;
}

rtl::Module SplitStore::mshr_file(const MshrParams& p, const std::string& name) const {
  MshrLines lines = mshr_lines();
  lines.source = "TSC paper, section 3";
  return split_mshr(p_, p, lines, name);
}

// The MSHR file names slots where it would name a way.
Pins SplitStore::chunk_pins(const ProbeStage& probe) const {
  Pins pins{{"slot_numbers", slot_numbers_},   {"chunk_valid", chunk_valid_},
            {"pending_slots", pending_slots_}, {"load", probe.decision.load},
            {"fill_numbers", fill_numbers_},   {"fill_at", fill_at_},
            {"replay_at", replay_at_},         {"replay_released", replay_released_}};
  if (!widens(p_)) return pins;
  pins.emplace_back("effective", effective_.of_probe);
  pins.emplace_back("fill_released", fill_released_);
  return pins;
}

}  // namespace hw
