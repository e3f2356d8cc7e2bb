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
  const Expr here = decoded("reply_bits", reply_entry_, "the entry that it is for");
  const Expr sequence = field_of("reply_sequence_now", sequence_q_, here, "the entry's sequence");
  // The comparison is known last, so that all else stands beside it.
  const Expr known = m_.let("reply_known", sequence == reply_sequence_, "the line is of the entry's search");
  const Expr first = m_.let("reply_first", ~rtl::any(here & came_q_), "no line has come before");
  const Expr asked =
      m_.let("reply_asked", reply_valid_ & reply_l2_ & rtl::any(here & waiting_), "L2 has been asked");
  const Expr none = p_.stages ? free_ | fresh_q_ : free_;
  const Expr idle = m_.let("reply_idle", rtl::any(here & none), "the entry has no search");
  const Expr awaited = m_.let("reply_awaited", reply_valid_ & ~reply_l2_ & first & ~idle,
                              "a core's, where the search waits for one");
  const Expr data = m_.let(p_.stages ? "data_now" : "data", known & awaited,
                           "a core's, which the search has waited for"),
             answer = m_.let(p_.stages ? "answer_now" : "answer", known & asked, "L2's reply to a request");
  m_.assign(reply_fills_, known & (awaited | (asked & first)));
  m_.assign(reply_tracked_, rtl::any(here & tracked_q_));
  if (slot_bits_)
    m_.assign(reply_slot_, field_of("slot_now", slot_q_, here, "the predictor's entry of the miss"));
  const Line line =
      p_.stages ? kept_line({here, reply_entry_, data, answer}) : Line{here, reply_entry_, data, answer};
  data_ = line.data;
  data_entry_ = line.entry;
  data_bits_ =
      m_.let("data_bits", line.bits & replicate(n_, line.data), "the entry whose line a core has sent");
  answer_bits_ =
      m_.let("answer_bits", line.bits & replicate(n_, line.answer), "the entry that L2 has answered");
}

void ProbeTableBuilder::returned() {
  m_.section("A probe that comes back.");
  const Back back = p_.stages ? kept_back(come_back()) : come_back();
  const Expr now = field_of("return_state", state_q_, returned_, "the entry's state");
  const Expr first = m_.let("return_first", now == code_of(m_, ProbeState::level1), "of the first level");
  const Expr out = field_of("return_out", out_q_, returned_, "probes under way");
  const Expr last = m_.let("return_last", out == lit(out_bits_, 1), "no other probe is under way");
  less_out_ = m_.let("less_out", mux(last, out, out - lit(out_bits_, 1)),
                     "one less; the last one's bit is a second level's");
  return_bits_ =
      m_.let("return_bits", returned_ & level1_ & replicate(n_, back.known), "the entry, in its first level");
  const Expr ends = scouts_ ? m_.let("level_ends", (first & last) | (now == code_of(m_, ProbeState::level2)),
                                     "no probe of the level is under way")
                            : m_.let("level_ends", first & last, "no probe is under way");
  end_bits_ =
      m_.let("level_end_bits", returned_ & replicate(n_, back.known & ends), "the entry whose level ends");
  if (scouts_)
    join_candidates(first, back);
  else
    level_next_ = code_of(m_, ProbeState::ask_l2);
}

ProbeTableBuilder::Back ProbeTableBuilder::come_back() {
  const Expr here =
      decoded(p_.stages ? "return_bits_now" : "returned_bits", return_entry_, "the entry that it is of");
  returned_ = here;
  const Expr sequence = field_of("return_sequence_now", sequence_q_, here, "the entry's sequence");
  const Expr comes = p_.stages ? return_valid_ & ~rtl::any(here & fresh_q_) : return_valid_;
  const Expr known =
      m_.let("return_known", comes & (sequence == return_sequence_), "the probe is of this search");
  return {return_entry_, known, return_scout_, return_found_};
}

// Whether an entry has candidates is known apart from the joining ones.
void ProbeTableBuilder::join_candidates(const Expr& first, const Back& back) {
  const Expr found = m_.wire("found", p_.cores, "cores that it has found the line in");
  std::vector<std::pair<std::string, Expr>> pins;
  for (std::size_t k = 0; k < back.found.size(); ++k)
    pins.emplace_back(fmt::format("found{}", k), back.found[k]);
  pins.emplace_back("cores", found);
  m_.instance(found_cores(p_, m_.name() + "_found"), "found_in", pins, "Reads its list.");
  const Expr before = field_of("candidates_before", candidates_q_, returned_, "candidates known before");
  const Expr joining =
      m_.let("joining", found & replicate(p_.cores, back.scout), "cores that a scout has found");
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
  old_ = m_.wire("old", 1, "the oldest search has taken too long");
  head_ = m_.wire("head", entry_bits_, "entry of the oldest search");
  queue_empty_ = m_.wire("queue_empty", 1, "there is no search");
  some_waiting_ = m_.wire("some_waiting", 1, "a search may take targets");
  first_waiting_ = m_.wire("first_waiting", entry_bits_, "the entry of the oldest that may");
  m_.assign(miss_ready_, ~full);
  misses_ = m_.let("misses", miss_valid_ & ~full, "a search begins");
  waits_no_longer_ = m_.wire("waits_no_longer", 1,
                             p_.stages ? "that search is chosen for targets" : "that search takes targets");
  asked_now_ = m_.wire("asked_now", 1, "an L2 request is sent");
  ask_number_ = m_.wire("ask_number", entry_bits_, "entry of the request");
  timed_bits_ = m_.let(
      "timed_bits", decoded("head_bits", head_, "entry of the oldest search, one-hot") & replicate(n_, old_),
      "the entry of the search that has taken too long");
  m_.instance(selective_queue(p_, m_.name() + "_queue"), "queue",
              {{"push", misses_},
               {"push_entry", miss_entry_},
               {"ends", data_},
               {"ended", data_entry_},
               {"asks", asked_now_},
               {"asked", ask_number_},
               {"takes", waits_no_longer_},
               {"full", full},
               {"empty", queue_empty_},
               {"old", old_},
               {"head", head_},
               {"some_waiting", some_waiting_},
               {"first_waiting", first_waiting_}},
              "The oldest search first.");
}

void ProbeTableBuilder::asks() {
  m_.section("Requests to L2.");
  const Found now = asking_search();
  const Found first = p_.stages ? kept_asking(now) : now;
  m_.assign(ask_number_, first.number);
  m_.assign(ask_valid_, first.some);
  m_.assign(ask_timed_out_, p_.stages ? ask_late_q_ : some_late_);
  m_.assign(ask_entry_, ask_number_);
  m_.assign(ask_sequence_,
            field_of("ask_sequence_now", sequence_q_, first.bits, "sequence of the entry that asks"));
  m_.assign(asked_now_, ask_take_ & first.some);
  asked_bits_ =
      m_.let("asked_bits", first.bits & replicate(n_, ask_take_), "the entry whose request is sent");
}

// At most one search has taken too long and is not sent: the oldest.
ProbeTableBuilder::Found ProbeTableBuilder::asking_search() {
  const Expr late = m_.let("asking_late", asking_ & timed_out_q_, "the search that has taken too long");
  some_late_ = m_.let("some_late", rtl::any(late), "there is one");
  const Expr lowest = lowest_of(m_, "asks_lowest", asking_, "the lowest entry that may ask");
  const Expr first = m_.let("asks_first", mux(some_late_, late, lowest), "the entry that goes first");
  const Expr number = number_of(m_, "asks_first_number", first, "number of the entry that asks");
  return {first, number, rtl::any(asking_)};
}

void ProbeTableBuilder::second_level() {
  m_.section("A leader for the candidates.");
  const Found now = leading_search();
  const Found first = p_.stages ? kept_leading() : now;
  search_bits_ = first.bits;
  search_number_ = first.number;
  search_ = m_.let("searches", first.some & rtl::any(free_slots_), "a leader is sent to them");
  m_.assign(search_out_, search_);
  searched_bits_ =
      m_.let("searched_bits", search_bits_ & replicate(n_, search_), "the entry that is sent for");
  Expr cores = field_of("search_cores", candidates_q_, search_bits_, "candidates that are searched");
  if (p_.stages) cores = follow_leading(now, cores);
  std::vector<std::pair<std::string, Expr>> pins{{"cores", cores}};
  for (std::size_t k = 0; k < search_targets_.size(); ++k)
    pins.emplace_back(fmt::format("target{}", k), search_targets_[k]);
  OwnCore(m_, p_.core, p_.cores).pass_on(pins);
  m_.instance(candidate_list(p_, m_.name() + "_list"), "order", pins, "In the order of the search.");
}

ProbeTableBuilder::Found ProbeTableBuilder::leading_search() {
  const Expr ready =
      m_.let("level2_ready", level2_ & some_candidates_, "entries whose candidates are not searched yet");
  const Expr first = lowest_of(m_, "level2_first", ready, "the lowest of them");
  const Expr number = number_of(m_, "level2_number", first, "number of the entry with candidates");
  return {first, number, rtl::any(ready)};
}

void ProbeTableBuilder::lists() {
  m_.section("Targets of a search.");
  const int bits = std::max(free_slots_.width(), out_bits_);
  const Expr most = lit(out_bits_, static_cast<std::uint64_t>(std::min(p_.probes, p_.coverage)));
  probes_ = p_.coverage >= p_.probes
                ? list_probes_
                : m_.let("probes", mux(most < list_probes_, most, list_probes_), "probes that have targets");
  const Expr fits = m_.let("fits", rtl::zext(free_slots_, bits) >= rtl::zext(probes_, bits),
                           "the outgoing queue is not full");
  const Found first = p_.stages ? kept_waiting() : waiting_search();
  const Expr may = list_valid_ & first.some & fits;
  const Expr takes =
      m_.let("takes", scouts_ ? may & ~search_ : may, "the oldest search that waits takes the list");
  m_.assign(list_take_, takes);
  if (p_.stages)
    choose(takes);
  else
    m_.assign(waits_no_longer_, takes);
  listed_bits_ = m_.let("listed_bits", first.bits & replicate(n_, takes), "the entry that takes the list");
  const Expr probed =
      scouts_ ? m_.let("probed_bits", mux(search_, search_bits_, first.bits), "entry of the probes, one-hot")
              : first.bits;
  m_.assign(probe_entry_, scouts_ ? mux(search_, search_number_, first.number) : first.number);
  m_.assign(probe_sequence_, field_of("probe_sequence_now", sequence_q_, probed, "sequence of the probes"));
}

ProbeTableBuilder::Found ProbeTableBuilder::waiting_search() {
  const Expr bits = decoded("waiting_bits", first_waiting_, "entry of that search");
  return {bits, first_waiting_, some_waiting_};
}

void ProbeTableBuilder::misses() {
  m_.section("A search begins.");
  const Expr here = decoded("miss_bits", miss_entry_, "entry of the miss");
  missed_bits_ = m_.let("missed_bits", here & replicate(n_, misses_), "the entry that is taken");
  sequence_before_ = field_of("miss_sequence", sequence_q_, here, "sequence of the entry's search before");
  if (p_.stages) return;
  next_sequence_ = m_.let("next_sequence", sequence_before_ + lit(sequence_bits_, 1),
                          "sequence of the search that begins");
}

}  // namespace hw
