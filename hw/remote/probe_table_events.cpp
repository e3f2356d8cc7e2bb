// What the events of a cycle find in the probe table: replies, returning probes, searches that take too long,
// requests to L2, lists of targets and misses.
#include <fmt/format.h>

#include <algorithm>

#include "hw/prim/one_hot.h"
#include "hw/remote/candidates.h"
#include "hw/remote/own_core.h"
#include "hw/remote/probe_table_builder.h"
#include "hw/remote/selective_queue.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void ProbeTableBuilder::reply() {
  m_.section("A line that has come.");
  const Expr here = one_hot_of(m_, "reply_bits", {}, reply_entry_, n_, "the entry that it is for");
  const Expr sequence = field_of("reply_sequence_now", sequence_q_, here, "the entry's sequence");
  // The comparison is known last, so that all else stands beside it.
  const Expr known = m_.let("reply_known", sequence == reply_sequence_, "the line is of the entry's search");
  const Expr first = m_.let("reply_first", ~rtl::any(here & came_q_), "no line has come before");
  const Expr asked =
      m_.let("reply_asked", reply_valid_ & reply_l2_ & rtl::any(here & waiting_), "L2 has been asked");
  const Expr idle = m_.let("reply_idle", rtl::any(here & free_), "the entry is free");
  const Expr awaited = m_.let("reply_awaited", reply_valid_ & ~reply_l2_ & first & ~idle,
                              "a core's, where the search waits for one");
  data_ = m_.let("data", known & awaited, "a core's, which the search has waited for");
  const Expr answer = m_.let("answer", known & asked, "L2's reply to a request");
  m_.assign(reply_fills_, known & (awaited | (asked & first)));
  m_.assign(reply_tracked_, rtl::any(here & tracked_q_));
  if (slot_bits_)
    m_.assign(reply_slot_, field_of("slot_now", slot_q_, here, "the predictor's entry of the miss"));
  data_bits_ = m_.let("data_bits", here & replicate(n_, data_), "the entry whose line a core has sent");
  answer_bits_ = m_.let("answer_bits", here & replicate(n_, answer), "the entry that L2 has answered");
}

void ProbeTableBuilder::returned() {
  m_.section("A probe that comes back.");
  returned_ = one_hot_of(m_, "returned_bits", {}, return_entry_, n_, "the entry that it is of");
  const Expr sequence = field_of("return_sequence_now", sequence_q_, returned_, "the entry's sequence");
  const Expr known =
      m_.let("return_known", return_valid_ & (sequence == return_sequence_), "the probe is of this search");
  const Expr now = field_of("return_state", state_q_, returned_, "the entry's state");
  const Expr first = m_.let("return_first", now == code_of(m_, ProbeState::level1), "of the first level");
  const Expr out = field_of("return_out", out_q_, returned_, "probes under way");
  const Expr last = m_.let("return_last", out == lit(out_bits_, 1), "no other probe is under way");
  less_out_ = m_.let("less_out", mux(last, out, out - lit(out_bits_, 1)),
                     "one less; the last one's bit is a second level's");
  return_bits_ =
      m_.let("return_bits", returned_ & level1_ & replicate(n_, known), "the entry, in its first level");
  const Expr ends = scouts_ ? m_.let("level_ends", (first & last) | (now == code_of(m_, ProbeState::level2)),
                                     "no probe of the level is under way")
                            : m_.let("level_ends", first & last, "no probe is under way");
  end_bits_ = m_.let("level_end_bits", returned_ & replicate(n_, known & ends), "the entry whose level ends");
  if (scouts_)
    join_candidates(first);
  else
    level_next_ = code_of(m_, ProbeState::ask_l2);
}

// Whether an entry has candidates is known apart from the joining ones.
void ProbeTableBuilder::join_candidates(const Expr& first) {
  some_candidates_ = m_.wire("some_candidates", n_, "entries with candidates");
  m_.comb("Any of them.", [&] {
    m_.loop("candidates_of", n_, [&](const Expr& e) {
      m_.set(some_candidates_.at(e), rtl::any(candidates_q_.part(e, p_.cores)));
    });
  });
  const Expr found = m_.wire("found", p_.cores, "cores that it has found the line in");
  std::vector<std::pair<std::string, Expr>> pins;
  for (std::size_t k = 0; k < return_found_.size(); ++k)
    pins.emplace_back(fmt::format("found{}", k), return_found_[k]);
  pins.emplace_back("cores", found);
  m_.instance(found_cores(p_, m_.name() + "_found"), "found_in", pins, "Reads its list.");
  const Expr before = field_of("candidates_before", candidates_q_, returned_, "candidates known before");
  const Expr joining =
      m_.let("joining", found & replicate(p_.cores, return_scout_), "cores that a scout has found");
  joined_ = m_.let("joined", before | joining, "all candidates");
  const Expr some = m_.let("some_joined", rtl::any(returned_ & some_candidates_) | rtl::any(joining),
                           "there are candidates");
  level_next_ = m_.let("level_next",
                       mux(first & some, code_of(m_, ProbeState::level2), code_of(m_, ProbeState::ask_l2)),
                       "a leader searches the candidates, or nobody has the line");
}

void ProbeTableBuilder::queue() {
  m_.section("Searches by their age.");
  const Expr full = m_.wire("queue_full", 1, "no search may begin");
  const Expr old = m_.wire("old", 1, "the oldest search has taken too long");
  const Expr head = m_.wire("head", entry_bits_, "entry of the oldest search");
  queue_empty_ = m_.wire("queue_empty", 1, "there is no search");
  some_waiting_ = m_.wire("some_waiting", 1, "a search may take targets");
  first_waiting_ = m_.wire("first_waiting", entry_bits_, "the entry of the oldest that may");
  takes_ = m_.wire("takes", 1, "the oldest search that waits takes the list");
  m_.assign(miss_ready_, ~full);
  misses_ = m_.let("misses", miss_valid_ & ~full, "a search begins");
  asked_now_ = m_.wire("asked_now", 1, "an L2 request is sent");
  ask_number_ = m_.wire("ask_number", entry_bits_, "entry of the request");
  timed_bits_ =
      one_hot_of(m_, "timed_bits", old, head, n_, "the entry of the search that has taken too long");
  m_.instance(selective_queue(p_, m_.name() + "_queue"), "queue",
              {{"push", misses_},
               {"push_entry", miss_entry_},
               {"ends", data_},
               {"ended", reply_entry_},
               {"asks", asked_now_},
               {"asked", ask_number_},
               {"takes", takes_},
               {"full", full},
               {"empty", queue_empty_},
               {"old", old},
               {"head", head},
               {"some_waiting", some_waiting_},
               {"first_waiting", first_waiting_}},
              "The oldest search first.");
}

// At most one search has taken too long and is not sent: the oldest.
void ProbeTableBuilder::asks() {
  m_.section("Requests to L2.");
  const Expr late = m_.let("asking_late", asking_ & timed_out_q_, "the search that has taken too long");
  const Expr some_late = m_.let("some_late", rtl::any(late), "there is one");
  const Expr lowest = lowest_of(m_, "asks_lowest", asking_, "the lowest entry that may ask");
  const Expr first = m_.let("asks_first", mux(some_late, late, lowest), "the entry that goes first");
  m_.assign(ask_number_, number_of(m_, "asks_first_number", first, "number of the entry that asks"));
  m_.assign(ask_valid_, rtl::any(asking_));
  m_.assign(ask_timed_out_, some_late);
  m_.assign(ask_entry_, ask_number_);
  m_.assign(ask_sequence_,
            field_of("ask_sequence_now", sequence_q_, first, "sequence of the entry that asks"));
  m_.assign(asked_now_, ask_take_ & rtl::any(asking_));
  asked_bits_ = m_.let("asked_bits", first & replicate(n_, ask_take_), "the entry whose request is sent");
}

void ProbeTableBuilder::second_level() {
  m_.section("A leader for the candidates.");
  const Expr ready =
      m_.let("level2_ready", level2_ & some_candidates_, "entries whose candidates are not searched yet");
  search_bits_ = lowest_of(m_, "level2_first", ready, "the lowest of them");
  search_number_ = number_of(m_, "level2_number", search_bits_, "number of the entry with candidates");
  search_ = m_.let("searches", rtl::any(ready) & rtl::any(room_), "a leader is sent to them");
  m_.assign(search_out_, search_);
  searched_bits_ =
      m_.let("searched_bits", search_bits_ & replicate(n_, search_), "the entry that is sent for");
  std::vector<std::pair<std::string, Expr>> pins{
      {"cores", field_of("search_cores", candidates_q_, search_bits_, "candidates that are searched")}};
  for (std::size_t k = 0; k < search_targets_.size(); ++k)
    pins.emplace_back(fmt::format("target{}", k), search_targets_[k]);
  OwnCore(m_, p_.core, p_.cores).pass_on(pins);
  m_.instance(candidate_list(p_, m_.name() + "_list"), "order", pins, "In the order of the search.");
}

void ProbeTableBuilder::lists() {
  m_.section("Targets of a search.");
  const int bits = std::max(room_.width(), out_bits_);
  const Expr most = lit(out_bits_, static_cast<std::uint64_t>(std::min(p_.probes, p_.coverage)));
  probes_ = p_.coverage >= p_.probes
                ? list_probes_
                : m_.let("probes", mux(most < list_probes_, most, list_probes_), "probes that have targets");
  const Expr fits =
      m_.let("fits", rtl::zext(room_, bits) >= rtl::zext(probes_, bits), "the outgoing queue is not full");
  const Expr may = list_valid_ & some_waiting_ & fits;
  m_.assign(takes_, scouts_ ? may & ~search_ : may);
  m_.assign(list_take_, takes_);
  const Expr first = one_hot_of(m_, "waiting_bits", {}, first_waiting_, n_, "entry of that search");
  listed_bits_ = m_.let("listed_bits", first & replicate(n_, takes_), "the entry that takes the list");
  const Expr probed =
      scouts_ ? m_.let("probed_bits", mux(search_, search_bits_, first), "entry of the probes, one-hot")
              : first;
  m_.assign(probe_entry_, scouts_ ? mux(search_, search_number_, first_waiting_) : first_waiting_);
  m_.assign(probe_sequence_, field_of("probe_sequence_now", sequence_q_, probed, "sequence of the probes"));
}

void ProbeTableBuilder::misses() {
  m_.section("A search begins.");
  const Expr here = one_hot_of(m_, "miss_bits", {}, miss_entry_, n_, "entry of the miss");
  missed_bits_ = m_.let("missed_bits", here & replicate(n_, misses_), "the entry that is taken");
  const Expr before = field_of("miss_sequence", sequence_q_, here, "sequence of the entry's search before");
  next_sequence_ =
      m_.let("next_sequence", before + lit(sequence_bits_, 1), "sequence of the search that begins");
}

}  // namespace hw
