#include "hw/remote/probe_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector_params.h"
#include "hw/remote/own_core.h"
#include "hw/remote/probe_table_builder.h"
#include "hw/remote/remote_ranges.h"
#include "hw/require.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::replicate;

Expr code_of(rtl::Module& m, ProbeState s) {
  static constexpr std::array names{"STATE_FREE",   "STATE_TARGETS", "STATE_LEVEL1",
                                    "STATE_LEVEL2", "STATE_ASK_L2",  "STATE_WAIT_L2"};
  static constexpr std::array docs{"the entry is not in use",
                                   "waits for targets",
                                   "searches the predicted cores",
                                   "searches the cores that a reply named",
                                   "the L2 request of the search is not sent yet",
                                   "the L2 request of the search is sent"};
  const auto number = static_cast<std::size_t>(s);
  return m.constant(names[number], probe_state_bits, number, docs[number]);
}

ProbeTableBuilder::ProbeTableBuilder(const ProbeTableParams& p, const std::string& name)
    : p_(p),
      n_(p.entries),
      entry_bits_(bits_to_number(p.entries)),
      sequence_bits_(sequence_bits(p)),
      out_bits_(probes_out_bits(p)),
      slot_bits_(bits_to_number(p.predictor_entries)),
      scouts_(most_candidates(p) > 0),
      m_(name,
         fmt::format(
             "Follows searches of other cores' L1s, one for each of {} MSHR entries, from their probes to "
             "the data (DC-L1 thesis, section 3.3.6).",
             p.entries)) {}

rtl::Module ProbeTableBuilder::run() {
  miss_ports();
  probe_ports();
  answer_ports();
  entries();
  if (p_.stages) write_sequence();
  reply();
  returned();
  queue();
  asks();
  if (scouts_) second_level();
  lists();
  misses();
  loops();
  states();
  fields();
  outputs();
  observed();
  return m_;
}

void ProbeTableBuilder::miss_ports() {
  miss_valid_ = m_.input("miss_valid", 1, "a miss is taken to be shared; its entry is free");
  miss_ready_ = m_.output("miss_ready", 1, "the search of the miss begins");
  miss_entry_ = m_.input("miss_entry", entry_bits_, "number of its MSHR entry");
  miss_tracked_ = m_.input("miss_tracked", 1, "the predictor has an entry for its instruction");
  if (slot_bits_) miss_slot_ = m_.input("miss_slot", slot_bits_, "number of that entry");
  searching_ = m_.output("searching", n_, "the entry's line is searched for, L2 is not asked yet");
  late_ = m_.output("late", n_, "the entry has its data and waits for a reply of L2");
  idle_ = m_.output("idle", 1, "no entry is in use, no slot of the queue taken");
}

void ProbeTableBuilder::probe_ports() {
  list_valid_ = m_.input("list_valid", 1, "there is a list of targets");
  list_probes_ = m_.input("list_probes", out_bits_, "probes that share them");
  free_slots_ = m_.input("free_slots", probe_count_bits(p_.outgoing), "free slots of the outgoing queue");
  list_take_ = m_.output("list_take", 1, "the list is taken, and its probes enter the outgoing queue");
  if (scouts_) search_out_ = m_.output("search", 1, "a leader for candidates enters the outgoing queue");
  probe_entry_ = m_.output("probe_entry", entry_bits_, "of these probes");
  probe_sequence_ = m_.output("probe_sequence", sequence_bits_, "of these probes");
  for (int k = 0; k < most_candidates(p_); ++k)
    search_targets_.push_back(m_.output(fmt::format("search_target{}", k), core_or_none_bits(p_.cores),
                                        "target of that leader, in this order; all ones for none"));
}

void ProbeTableBuilder::answer_ports() {
  return_valid_ = m_.input("return_valid", 1, "a probe has come back");
  if (scouts_) return_scout_ = m_.input("return_scout", 1, "the probe is a scout");
  return_entry_ = m_.input("return_entry", entry_bits_, "entry of the probe");
  return_sequence_ = m_.input("return_sequence", sequence_bits_, "sequence of the probe");
  for (int k = 0; scouts_ && k < scout_places(p_); ++k)
    return_found_.push_back(m_.input(fmt::format("return_found{}", k), core_or_none_bits(p_.cores),
                                     "an entry of the probe's list: a core that has the line, or all ones"));
  reply_valid_ = m_.input("reply_valid", 1, "the line has come");
  reply_l2_ = m_.input("reply_l2", 1, "from L2; else from a core");
  reply_entry_ = m_.input("reply_entry", entry_bits_, "entry of the line");
  reply_sequence_ = m_.input("reply_sequence", sequence_bits_, "sequence of the line");
  reply_fills_ = m_.output("reply_fills", 1, "the line is the first of its search and fills the cache");
  reply_tracked_ = m_.output("reply_tracked", 1, "the predictor has an entry for the miss' instruction");
  if (slot_bits_) reply_slot_ = m_.output("reply_slot", slot_bits_, "number of that entry");
  ask_valid_ = m_.output("ask_valid", 1, "a line is to be requested from L2");
  ask_timed_out_ = m_.output("ask_timed_out", 1, "since its search has taken too long; else nobody has it");
  ask_entry_ = m_.output("ask_entry", entry_bits_, "entry of the request");
  ask_sequence_ = m_.output("ask_sequence", sequence_bits_, "sequence of the request");
  ask_take_ = m_.input("ask_take", 1, "the request is sent; counts while `ask_valid`");
}

void ProbeTableBuilder::entries() {
  m_.section("Entries.");
  state_q_ = m_.reg("state_q", n_ * probe_state_bits, 0, "state of each entry, STATE_FREE after reset");
  sequence_q_ = m_.reg("sequence_q", n_ * sequence_bits_, 0, "how often the entry has been taken");
  out_q_ = m_.data_reg("out_q", n_ * out_bits_, "probes under way");
  if (scouts_)
    candidates_q_ = m_.reg("candidates_q", n_ * p_.cores, 0, "cores that scouts have found the line in");
  came_q_ = m_.reg("data_came_q", n_, 0, "the line has come");
  timed_out_q_ = m_.reg("timed_out_q", n_, 0, "the search has taken too long");
  tracked_q_ = m_.data_reg("tracked_q", n_, "the predictor has an entry for the miss' instruction");
  if (slot_bits_) slot_q_ = m_.data_reg("slot_q", n_ * slot_bits_, "number of that entry");
  states_of_entries();
}

void ProbeTableBuilder::states_of_entries() {
  const auto in = [&](const char* name, ProbeState s, const char* doc) {
    in_state_.emplace_back(m_.wire(name, n_, doc), s);
    return in_state_.back().first;
  };
  free_ = in("in_free", ProbeState::free, "entries that are not in use");
  if (p_.stages) targets_ = in("in_targets", ProbeState::targets, "entries that wait for targets");
  level1_ = in("in_level1", ProbeState::level1, "entries of the first level");
  if (scouts_) level2_ = in("in_level2", ProbeState::level2, "entries of the second level");
  asking_ = in("in_ask_l2", ProbeState::ask_l2, "entries whose L2 request is not sent yet");
  waiting_ = in("in_wait_l2", ProbeState::wait_l2, "entries whose L2 request is sent");
  if (scouts_) some_candidates_ = m_.wire("some_candidates", n_, "entries with candidates");
}

// Found by the loops at the end.
Expr ProbeTableBuilder::decoded(const std::string& name, const Expr& number, const std::string& doc) {
  decoded_.emplace_back(m_.wire(name, n_, doc), number);
  return decoded_.back().first;
}

Expr ProbeTableBuilder::field_of(const std::string& name, const Expr& of_all, const Expr& one_hot,
                                 const std::string& doc) {
  read_.push_back({m_.wire(name, of_all.width() / n_, doc), of_all, one_hot});
  return read_.back().field;
}

// One loop over the entries for all that looks at each alone, and one for the fields of chosen ones.
void ProbeTableBuilder::loops() {
  m_.section("Entries by state and by number, and fields of one entry.");
  m_.comb("Compare the state and the number of each entry.", [&] {
    m_.loop("entry", n_, [&](const Expr& e) {
      for (const auto& [bits, s] : in_state_)
        m_.set(bits.at(e), state_q_.part(e, probe_state_bits) == code_of(m_, s));
      if (scouts_) m_.set(some_candidates_.at(e), rtl::any(candidates_q_.part(e, p_.cores)));
      for (const auto& [bits, number] : decoded_) m_.set(bits.at(e), number == e.slice(entry_bits_ - 1, 0));
    });
  });
  m_.comb("Select by the one-hot entry.", [&] {
    for (const Read& r : read_) m_.set(r.field, lit(r.field.width(), 0));
    m_.loop("from", n_, [&](const Expr& e) {
      for (const Read& r : read_) {
        const int bits = r.field.width();
        m_.set(r.field, r.field | (r.of_all.part(e, bits) & rtl::replicate(bits, r.one_hot.at(e))));
      }
    });
  });
}

void ProbeTableBuilder::states() {
  const Expr after_list =
      mux(rtl::any(probes_), code_of(m_, ProbeState::level1), code_of(m_, ProbeState::ask_l2));
  const Expr listed_next =
      m_.let("listed_next", after_list, "state behind a list; without probes L2 is asked");
  const Expr stays = m_.let("asked_before", asked_bits_ | waiting_, "entries with a request to L2");
  m_.clocked("Later events of a cycle go before earlier ones; a line that has come before all.", [&] {
    m_.loop("of", n_, [&](const Expr& e) {
      const Expr now = state_q_.part(e, probe_state_bits);
      m_.when(end_bits_.at(e), [&] { m_.set(now, level_next_); });
      m_.when(timed_bits_.at(e), [&] { m_.set(now, code_of(m_, ProbeState::ask_l2)); });
      m_.when(listed_bits_.at(e), [&] { m_.set(now, listed_next); });
      m_.when(asked_bits_.at(e), [&] { m_.set(now, code_of(m_, ProbeState::wait_l2)); });
      m_.when(answer_bits_.at(e) | (data_bits_.at(e) & ~stays.at(e)),
              [&] { m_.set(now, code_of(m_, ProbeState::free)); });
      m_.when(missed_bits_.at(e), [&] { m_.set(now, code_of(m_, ProbeState::targets)); });
    });
  });
}

void ProbeTableBuilder::fields() {
  if (p_.stages) keep();
  m_.clocked("Other fields of the entries.", [&] {
    m_.set(came_q_, (came_q_ | data_bits_) & ~missed_bits_);
    m_.set(timed_out_q_, (timed_out_q_ | timed_bits_) & ~missed_bits_);
    m_.loop("to", n_, [&](const Expr& e) {
      m_.when(return_bits_.at(e), [&] {
        m_.set(out_q_.part(e, out_bits_), less_out_);
        if (scouts_) m_.set(candidates_q_.part(e, p_.cores), joined_);
      });
      m_.when(listed_bits_.at(e), [&] { m_.set(out_q_.part(e, out_bits_), probes_); });
      m_.when(p_.stages ? fresh_q_.at(e) : missed_bits_.at(e),
              [&] { m_.set(sequence_q_.part(e, sequence_bits_), next_sequence_); });
      m_.when(missed_bits_.at(e), [&] {
        m_.set(tracked_q_.at(e), miss_tracked_);
        if (slot_bits_) m_.set(slot_q_.part(e, slot_bits_), miss_slot_);
      });
      if (!scouts_) return;
      m_.when(searched_bits_.at(e) | missed_bits_.at(e),
              [&] { m_.set(candidates_q_.part(e, p_.cores), lit(p_.cores, 0)); });
    });
  });
}

void ProbeTableBuilder::outputs() {
  m_.section("Outputs");
  m_.assign(searching_, ~(free_ | waiting_));
  m_.assign(late_, waiting_ & came_q_);
  m_.assign(idle_, rtl::all(free_) & queue_empty_);
}

void ProbeTableBuilder::observed() {
  const std::vector<rtl::Index> each{{"entry", n_}};
  m_.observe("state", state_q_, each);
  m_.observe("taken", sequence_q_, each);
  m_.observe("out", out_q_, each);
  if (scouts_) m_.observe("candidates", candidates_q_, {{"entry", n_}, {"core", p_.cores}});
  m_.observe("data_came", came_q_, each);
  m_.observe("timed_out", timed_out_q_, each);
  m_.observe("tracked", tracked_q_, each);
  if (slot_bits_) m_.observe("slot", slot_q_, each);
  if (p_.stages) observe_stages();
}

void check(const ProbeTableParams& p) {
  require_in(RemoteRanges::cores, "topology.cores", p.cores, "use 28, the thesis'");
  require(p.core >= any_core && p.core < p.cores, "selector.core", p.core,
          fmt::format("must be below the {} of topology.cores", p.cores), "use 0");
  require_in(RemoteRanges::entries, "mshr.entries", p.entries, "use 32, those of the cache");
  require_in(PredictorRanges::entries, "predictor.entries", p.predictor_entries, "use 64, the thesis'");
  require(p.coverage >= 1 && p.coverage < p.cores, "remote.coverage", p.coverage,
          fmt::format("must be from 1 to the {} other cores", p.cores - 1),
          fmt::format("use {}", std::min(5, p.cores - 1)));
  require(p.coverage <= most_targets, "remote.coverage", p.coverage,
          fmt::format("must not exceed {}, as many as a flit has room for", most_targets), "use 5");
  require_in(RemoteRanges::probes, "remote.probes", p.probes, "use 2, the thesis'");
  require_in(RemoteRanges::timeout, "remote.timeout", p.timeout, "use 2048, the thesis'");
  require(p.outgoing >= p.probes && p.outgoing <= 32, "remote.outgoing", p.outgoing,
          fmt::format("must be from the {} of remote.probes to 32", p.probes), "use 4");
  require_in(TableRanges::stages, "table.stages", p.stages, "use 0");
}

rtl::Module probe_table(const ProbeTableParams& p, const std::string& name) {
  check(p);
  return ProbeTableBuilder(p, name).run();
}

}  // namespace hw
