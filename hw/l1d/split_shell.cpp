// The request path of the L1 data cache with split tags: what a load looks for, what it finds, and what it
// needs to leave (TSC paper, section 3; docs/l1d-split.md).
#include <fmt/format.h>

#include "hw/l1d/l1d.h"
#include "hw/l1d/mshr.h"
#include "hw/l1d/shell.h"
#include "hw/mode/mode_selector.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/split_slots.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

Expr L1dShell::one_of_sets(const std::string& name, const SetList& list, const std::string& doc) {
  Expr any;
  for (const int number : list) {
    const Expr here = enter_set_ == lit(set_bits_, static_cast<std::uint64_t>(number));
    any = any.known() ? any | here : here;
  }
  return m_.let(name, any, doc);
}

// Whether the compare stage moves on is known late, and what its request writes is wide. So it goes to the
// probe stage as soon as there is room for it, if need be ahead of its request: behind a load, which writes
// nothing. Then what the next request writes may take its place, long before the next request itself.
Expr L1dShell::goes_ahead(const Beat& from, const Beat& compared) {
  payload_free_ =
      m_.wire("payload_free", 1, "what the probe's request writes is not needed after this cycle");
  ahead_q_ = m_.reg("ahead_q", 1, 0, "what the request in the compare stage writes is in the probe stage");
  const Expr writes = m_.let("compare_writes", compared.valid & rtl::any(compared.kind), "it is no load");
  const Expr goes = m_.let("payload_goes", ahead_q_ | payload_free_, "it is there after this cycle");
  m_.clocked("Whether it is there before its request.",
             [&] { m_.set(ahead_q_, writes & goes & ~probe_free_); });
  return from.valid & (~writes | goes);
}

// What a load looks for is settled as it enters the probe stage.
void L1dShell::split_mode() {
  if (p_.mode.kind == ModeKind::fine) {
    effective_ = probe_.mask;
    return;
  }
  if (p_.mode.kind == ModeKind::coarse) {
    enter_effective_ = effective_ =
        m_.let("effective", rtl::ones(chunks_), "chunks that a load looks for: its line");
    return;
  }
  Expr coarse = mode_coarse_;
  if (!p_.mode.follow) {
    const Samplers samplers = samplers_of(selector_params(p_));
    const Expr fine = one_of_sets("fine_set", samplers.fine, "its set is always fine");
    coarse = one_of_sets("coarse_set", samplers.coarse, "its set is always coarse") | (mode_coarse_ & ~fine);
  }
  enter_effective_ = m_.let("enter_effective", enter_mask_ | replicate(chunks_, coarse),
                            "chunks that the next request looks for, if it is a load");
  coarse_q_ = m_.data_reg("probe_coarse_q", 1, "a load looks for its whole line");
  m_.clocked("Mode of the request in the probe stage.",
             [&] { m_.when(enter_, [&] { m_.set(coarse_q_, coarse); }); });
  effective_ =
      m_.let("effective", probe_.mask | replicate(chunks_, coarse_q_), "chunks that a load looks for");
}

void L1dShell::slots_found() {
  const int slots = slots_of(p_);
  match_valid_ = m_.wire("chunk_valid", chunks_, "chunks of the line that are valid");
  hit_slots_ = m_.wire("hit_slots", slots, "valid slots of the probe's chunks, which it would read");
  found_ = m_.wire("found_at", chunks_ * slots, "where each lies, one-hot");
  enough_ = m_.wire("enough", 1, "the plan has a place for each missed chunk");
  slot_numbers_ = m_.wire("slot_numbers", chunks_ * slot_bits(p_), "slot of each chunk, found or planned");
  if (p_.counters)
    evicted_ = m_.wire("evicted", rtl::clog2(static_cast<std::uint64_t>(slots) + 1), "valid slots displaced");
}

void L1dShell::slots_of_entries() {
  const int slots = slots_of(p_);
  pending_slots_ = m_.wire("pending_slots", slots, "slots of pending chunks that the load looks for");
  fill_numbers_ = m_.wire("fill_numbers", chunks_ * slot_bits(p_), "slot of each chunk of the fill's entry");
  fill_at_ = m_.wire("fill_at", chunks_ * slots, "where the chunks of the fill go, one-hot");
  if (widens(p_)) fill_released_ = m_.wire("fill_released", slots, "slots that it leaves to nobody");
  replay_at_ = m_.wire("replay_at", chunks_ * slots, "where the chunks of the replay lie, one-hot");
  replay_released_ = m_.wire("replay_released", slots, "slots that its answer leaves to nobody");
}

void L1dShell::split_result() {
  m_.section("What the request comes to.");
  kind_of_request();
  is_hit_ = m_.let("found", ~rtl::any(effective_ & ~match_valid_), "all that it looks for is valid");
  missed_ =
      m_.let("missed", effective_ & ~(match_valid_ | pending_), "chunks neither valid nor on their way");
  fetches_ = m_.let("fetches", rtl::any(missed_), "there are some");
}

// Bank and slot are one: a slot that a fill writes is not read in any set.
void L1dShell::split_asks() {
  fill_slots_ = slots_together(m_, "fill_slots", fill_at_, chunks_, "slots that a fill writes");
  replay_slots_ = slots_together(m_, "replay_slots", replay_at_, chunks_, "slots that the replay would read");
  const Expr hit_meets = m_.wire("hit_meets", chunks_, "chunks of a fill that lie in the probe's banks");
  const Expr replay_meets = m_.wire("replay_meets", chunks_, "those in the replay's banks");
  const rtl::Module meeting = slot_meeting(slots_of(p_), m_.name() + "_slot_meeting");
  m_.repeat("fill_chunk", chunks_, "A chunk each.", [&](const Expr& c) {
    m_.instance(meeting, "meeting",
                {{"number", fill_numbers_.part(c, slot_bits(p_))},
                 {"hit_slots", hit_slots_},
                 {"replay_slots", replay_slots_},
                 {"hit_meets", hit_meets.at(c)},
                 {"replay_meets", replay_meets.at(c)}},
                "Whether its bank is read.");
  });
  const Expr arrives =
      m_.let("fill_chunks", memory_response_["mask"] & replicate(chunks_, fill_), "its chunks");
  hit_blocked_ = m_.let("hit_blocked", rtl::any(hit_meets & arrives), "a fill writes where the hit reads");
  replay_blocked_ =
      m_.let("replay_blocked", rtl::any(replay_meets & arrives), "a fill writes where the replay reads");
  hit_asks_ = m_.let("hit_asks", load_ & is_hit_ & ~hit_blocked_, "the probe's hit");
  replay_asks_ = m_.let("replay_asks", replay_ready_ & ~replay_blocked_, "the waiting load");
}

// What a fill blocks is known last, so it chooses last. Beside a fill there is no direct answer.
void L1dShell::split_grants(const Expr& free, const Expr& turn_hit, const Expr& turn_replay) {
  const Expr turn_direct = ~(turn_hit | turn_replay);
  const Expr hit = m_.let("may_hit", load_ & is_hit_ & free, "the probe's hit but for a fill");
  const Expr hit_first = m_.let("hit_first", hit & (turn_hit | (~direct_ & (turn_direct | ~replay_ready_))),
                                "and it comes before the replay");
  grant_hit_ = m_.let("grant_hit", ~hit_blocked_ & (hit_first | (hit & replay_blocked_)),
                      "the probe's hit is answered");
  const Expr replay = m_.let("may_replay", replay_ready_ & free & (turn_replay | (~direct_ | turn_hit)),
                             "the replay but for a fill");
  const Expr replay_first =
      m_.let("replay_first", replay & (turn_replay | ~(load_ & is_hit_)), "and it comes before the hit");
  grant_replay_ = m_.let("grant_replay", ~replay_blocked_ & (replay_first | (replay & hit_blocked_)),
                         "the replay is answered");
}

void L1dShell::split_decision() {
  m_.section("Whether the request leaves, and what it changes then.");
  planned_q_ = m_.reg("planned_q", 1, 0, "the load in the probe stage stood there in the cycle before");
  m_.clocked("Whether there is a plan.", [&] {
    m_.set(planned_q_, load_ & ~doomed_);
    m_.when(enter_, [&] { m_.set(planned_q_, lit(1, 0)); });
  });
  plan_ = m_.let("plan_holds", planned_q_ & enough_, "the plan has a place for each missed chunk");
  const Expr fetch = m_.let("can_fetch", plan_ & has_place_, "its missed chunks may be fetched");
  const Expr no_hit = m_.let("no_hit", load_ & ~is_hit_, "it is a load that must wait or fail");
  merge_ = m_.let("merge", no_hit & entry_match_ & ~doomed_ & room_ & (fetch | ~fetches_),
                  "it waits in the entry that it matched");
  new_entry_ = m_.let("new_entry", no_hit & ~entry_match_ & has_free_ & fetch, "it takes a new entry");
  waits_ = m_.let("becomes_waiter", merge_ | new_entry_, "it waits in an entry");
  allocate_ = m_.let("allocate", new_entry_ | (merge_ & fetches_), "its missed chunks take their places");
  touch_ = m_.let("load_fires", grant_hit_ | waits_, "a load leaves");
  const Expr other_fires = m_.let("other_fires", other_ & has_place_, "another request leaves");
  fire_ = m_.let("fire", touch_ | other_fires, "the request leaves");
  frees_stage();
  invalidate_ = m_.let("invalidate", changes_line_ & has_place_, "a store or an atomic leaves");
  doom_ = m_.let("doom", invalidate_ & entry_match_, "it dooms the entry of its line");
  push_ = m_.let("push", other_fires | allocate_, "a request goes to memory");
}

L1dShell::Events L1dShell::split_line_events() {
  const Expr chunks = p_.store_scope == StoreScope::mask ? match_valid_ & probe_.mask : match_valid_;
  return {{"evicted_lines", lit(1, 0)},
          {"evicted_chunks", evicted_},
          {"store_invalidations", invalidate_ & mux(entry_match_, ~doomed_, rtl::any(chunks))},
          {"doomed", doom_ & ~doomed_},
          {"flushes", flush_}};
}

// The first cause in the order line, MSHR entry, merge place, queue place; a load that makes its plan has
// none.
L1dShell::Events L1dShell::split_fail_events() {
  const Expr waits = m_.let("must_wait", load_ & ~is_hit_, "a load that is no hit");
  const Expr plans = m_.let("plans", waits & fetches_ & ~doomed_ & ~planned_q_, "it makes its plan");
  const Expr no_places = fetches_ & planned_q_ & ~enough_;
  const Expr line = m_.let("no_line", waits & (doomed_ | no_places), "places are wanting, or a store came");
  const Expr mshr = m_.let("no_entry", waits & plan_ & ~entry_match_ & ~has_free_, "no MSHR entry");
  const Expr merge =
      m_.let("no_merge", waits & entry_match_ & ~doomed_ & ~room_ & (plan_ | ~fetches_), "no merge place");
  const Expr other = m_.let("other_cause", line | mshr | merge | plans, "one of these, or none yet");
  return {{"reservation_fail_line", line},
          {"reservation_fail_mshr", mshr},
          {"reservation_fail_merge", merge},
          {"reservation_fail_queue", (waits | other_) & ~fire_ & ~other}};
}

}  // namespace hw
