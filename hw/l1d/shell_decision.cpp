// What a request comes to in the probe stage, and who is answered.
#include <fmt/format.h>

#include "hw/l1d/mshr.h"
#include "hw/l1d/shell.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void L1dShell::responses() {
  m_.section("Answers from memory: fills, and direct answers to the core.");
  const Expr direct_id = m_.let("response_direct", memory_response_["id"].bit(id_bits_ - 1),
                                "it is not a fetch that is answered");
  fill_ = m_.let("fill", memory_response_.valid & ~direct_id, "a fetch is answered");
  direct_ = m_.let("direct", memory_response_.valid & direct_id, "a request of the core is answered");
  const int used = std::max(p_.core_id_bits, entry_bits(p_));
  if (used < id_bits_ - 1)
    m_.unused("unused_id", memory_response_["id"].slice(id_bits_ - 2, used),
              "the mask says which chunks come");
  Expr empty = ~probe_.valid;
  for (const Expr& held : held_) empty = empty & ~held;
  m_.assign(flush_ready_, empty);
  const Expr flushed = flush_valid_ & flush_ready_;
  flush_ = m_.let("flush", adaptive_ ? flushed | moves_sel_ : flushed, "all lines become invalid");
  fill_sets_valid_ = m_.let("fill_sets_valid", fill_ & fill_lands_, "its chunks may be found");
}

void L1dShell::kind_of_request() {
  const Expr probed = adaptive_
                          ? m_.let("probed", probe_.valid & ~held_up_, "it is looked up under sel as it is")
                          : probe_.valid;
  load_ = m_.let("load", probed & ~rtl::any(probe_.kind), "it is a load");
  other_ = m_.let("other", probed & rtl::any(probe_.kind), "it goes to memory as it is");
  changes_line_ = m_.let("changes_line", other_ & ~rtl::all(probe_.kind), "it is a store or an atomic");
}

void L1dShell::result() {
  m_.section("What the request comes to.");
  kind_of_request();
  is_hit_ = m_.let("found", rtl::any(hit_), "all of its chunks are valid");
  if (sectored_) {
    missed_ =
        m_.let("missed", probe_.mask & ~(match_valid_ | pending_), "chunks neither valid nor on their way");
    fetches_ = m_.let("fetches", rtl::any(missed_), "there are some");
  }
}

// A hit or a replay asks unless a fill writes what it would read.
void L1dShell::asks() {
  const Expr response_mask = memory_response_["mask"];
  const Expr overlap = m_.let("probe_overlap", fill_ & rtl::any(probe_.mask & response_mask),
                              "a fill writes chunks of the probe's");
  const Expr clear_ways = m_.let("clear_ways", ~(fill_way_early_ & replicate(p_.ways, overlap)),
                                 "ways that the probe may read beside it");
  hit_asks_ = m_.let("hit_asks", load_ & rtl::any(hit_ & clear_ways), "the probe's hit");
  const Expr replay_overlap = m_.let("replay_overlap", fill_ & rtl::any(replay_mask_ & response_mask),
                                     "a fill writes chunks of the replay's");
  const Expr replay_blocked =
      m_.let("replay_blocked", replay_overlap & rtl::any(replay_way_ & fill_way_early_), "in its way");
  replay_asks_ = m_.let("replay_asks", replay_ready_ & ~replay_blocked, "the waiting load");
}

// The hit, the replay and the direct answer take turns. Whether a probe hits is known last, so its turn is
// worked out without it.
void L1dShell::answer() {
  m_.section("Answers to the core.");
  const Expr valid_q = m_.reg("answer_valid_q", 1, 0, "the answer stage holds an answer");
  const Expr id_q = m_.data_reg("answer_id_q", p_.core_id_bits, "its id");
  const Expr mask_q = m_.data_reg("answer_mask_q", chunks_, "its chunks");
  const Expr direct_q = m_.data_reg("answer_direct_q", 1, "its data comes from memory, not from the store");
  const Expr data_q = m_.data_reg("direct_data_q", 8 * p_.line_bytes, "data from memory");
  const Expr turn_q = m_.reg("turn_q", 2, 0, "who is asked first: 0 hit, 1 replay, 2 direct");
  const Expr free = answer_free_ =
      m_.let("answer_free", ~valid_q | core_response_.ready, "it can take an answer");

  split_ ? split_asks() : asks();
  const Expr hit_asks = hit_asks_, replay_asks = replay_asks_, response_mask = memory_response_["mask"];
  const auto turn = [&](std::uint64_t who) { return turn_q == lit(2, who); };
  if (split_) {
    split_grants(free, turn(0), turn(1));
  } else {
    const Expr hit_first = m_.let("hit_first", free & (turn(0) | (~direct_ & (turn(2) | ~replay_asks))),
                                  "a hit would be granted");
    grant_hit_ = m_.let("grant_hit", hit_asks & hit_first, "the probe's hit is answered");
    const Expr replay_first = m_.let("replay_first", free & (turn(1) | (~direct_ | turn(0))),
                                     "the replay would be granted without a hit");
    grant_replay_ =
        m_.let("grant_replay", replay_asks & replay_first & (turn(1) | ~hit_asks), "the replay is answered");
  }
  // Beside a direct answer there is no fill.
  grant_direct_ =
      m_.let("grant_direct", free & direct_ & (turn(2) | (~replay_ready_ & (turn(1) | ~(load_ & is_hit_)))),
             "the direct answer is taken");
  // Who is answered if anybody is: known without the many conditions of a grant.
  replay_shown_ = m_.let("replay_shown", ~hit_asks | (turn(1) & replay_asks), "it would be no hit");
  m_.assign(memory_response_.ready, fill_ | grant_direct_);

  const Expr granted =
      m_.let("granted", grant_hit_ | grant_replay_ | grant_direct_, "the stage takes an answer");
  m_.clocked("Whose turn it is.", [&] {
    m_.when(granted,
            [&] { m_.set(turn_q, mux(grant_hit_, lit(2, 1), mux(grant_replay_, lit(2, 2), lit(2, 0)))); });
  });
  m_.clocked("Answer stage.", [&] { m_.when(free, [&] { m_.set(valid_q, granted); }); });
  m_.clocked("What it answers, if it holds an answer.", [&] {
    m_.when(free, [&] {
      const Expr direct_id = memory_response_["id"].slice(p_.core_id_bits - 1, 0);
      m_.set(id_q, mux(grant_direct_, direct_id, mux(replay_shown_, replay_id_, probe_.id)));
      m_.set(mask_q, mux(grant_direct_, response_mask, mux(replay_shown_, replay_mask_, probe_.mask)));
      m_.set(direct_q, grant_direct_);
    });
  });
  m_.clocked("Data from memory.",
             [&] { m_.when(free & direct_, [&] { m_.set(data_q, memory_response_["data"]); }); });
  m_.assign(core_response_.valid, valid_q);
  m_.assign(core_response_["id"], id_q);
  m_.assign(core_response_["mask"], mask_q);
  read_data_ = m_.wire("read_data", 8 * p_.line_bytes, "the line read last");
  m_.assign(core_response_["data"], mux(direct_q, data_q, read_data_));
}

void L1dShell::frees_stage() {
  m_.assign(probe_free_, adaptive_ ? ~(held_up_ | probe_.valid) | fire_ : ~probe_.valid | fire_);
  const Expr written = ~other_ | has_place_;
  m_.assign(payload_free_, adaptive_ ? ~held_up_ & written : written);
}

void L1dShell::decision() {
  m_.section("Whether the request leaves, and what it changes then.");
  const Expr merges =
      m_.let("can_merge", sectored_ ? ~doomed_ & room_ & (has_place_ | ~fetches_) : ~doomed_ & room_,
             "it may wait in the entry that it matched");
  const Expr places = sectored_ ? rtl::any(match_) | can_allocate_ : can_allocate_;
  const Expr fetch = m_.let("can_fetch", has_free_ & has_place_ & places, "it may take a new entry");
  const Expr no_hit = m_.let("no_hit", load_ & ~is_hit_, "it is a load that must wait or fail");
  merge_ = m_.let("merge", no_hit & entry_match_ & merges, "it waits in an entry");
  new_entry_ = m_.let("new_entry",
                      filters_ ? no_hit & ~entry_match_ & fetch & ~filtered_ : no_hit & ~entry_match_ & fetch,
                      "it takes a new entry");
  Expr load_fires;
  if (filters_) {
    bypass_ = m_.let("bypass", no_hit & ~entry_match_ & filtered_ & has_place_, "it asks memory for itself");
    touch_ = m_.let("touch", grant_hit_ | merge_ | new_entry_, "a load that uses a way leaves");
    load_fires = m_.let("load_fires", touch_ | bypass_, "a load leaves");
  } else {
    load_fires = m_.let("load_fires", grant_hit_ | merge_ | new_entry_, "a load leaves");
    touch_ = load_fires;
  }
  const Expr other_fires = m_.let("other_fires", other_ & has_place_, "another request leaves");
  fire_ = m_.let("fire", load_fires | other_fires, "the request leaves");
  frees_stage();
  allocate_ = new_entry_;
  if (sectored_) {
    allocate_ = m_.let("allocate", new_entry_ & ~rtl::any(match_), "it takes a way");
    reserve_ = m_.let("reserve", new_entry_ & rtl::any(match_), "it takes the way that holds the line");
  }
  invalidate_ = m_.let("invalidate", changes_line_ & has_place_, "a store or an atomic leaves");
  doom_ = m_.let("doom", invalidate_ & entry_match_, "it dooms the entry of its line");
  const Expr fetch_fires = sectored_ ? new_entry_ | (merge_ & fetches_) : new_entry_;
  push_ = m_.let("push", filters_ ? other_fires | fetch_fires | bypass_ : other_fires | fetch_fires,
                 "a request goes to memory");
}

}  // namespace hw
