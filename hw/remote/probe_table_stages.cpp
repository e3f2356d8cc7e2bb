// The probe table with stages: entries that are found in the table, and the sequence of a probe that comes
// back, are kept for a cycle, so that no path leads through two of its selections.
#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/remote/probe_table_builder.h"

namespace hw {

using rtl::Expr, rtl::lit;

// A chosen search remains chosen until it takes a list or waits no longer.
ProbeTableBuilder::Found ProbeTableBuilder::kept_waiting() {
  chosen_q_ = m_.reg("chosen_q", 1, 0, "a search is chosen for targets");
  chosen_entry_q_ = m_.data_reg("chosen_entry_q", entry_bits_, "entry of that search");
  const Expr bits = decoded("chosen_bits", chosen_entry_q_, "the entry, one-hot");
  chosen_waits_ =
      m_.let("chosen_waits", chosen_q_ & rtl::any(bits & targets_), "the chosen search waits for targets");
  const Expr late =
      m_.let("chosen_late", old_ & (head_ == chosen_entry_q_), "the chosen search has taken too long");
  return {bits, chosen_entry_q_, chosen_waits_ & ~late};
}

void ProbeTableBuilder::choose(const Expr& takes) {
  const Expr chooses = m_.let("chooses", some_waiting_ & ~chosen_q_, "a search is chosen");
  m_.assign(waits_no_longer_, chooses);
  kept_.emplace_back(chosen_q_, chooses | (chosen_waits_ & ~takes));
  kept_data_.emplace_back(chosen_entry_q_, rtl::mux(chooses, first_waiting_, chosen_entry_q_));
}

// The entry is found again in each cycle, so that a search that takes too long soon goes first.
ProbeTableBuilder::Found ProbeTableBuilder::kept_asking(const Found& now) {
  asks_q_ = m_.reg("asks_q", 1, 0, "an entry had a request to L2 in the cycle before");
  ask_entry_q_ = m_.data_reg("ask_entry_q", entry_bits_, "the entry that went first");
  ask_late_q_ = m_.data_reg("ask_late_q", 1, "the search of that entry had taken too long");
  kept_.emplace_back(asks_q_, now.some);
  kept_data_.emplace_back(ask_entry_q_, now.number);
  kept_data_.emplace_back(ask_late_q_, some_late_);
  const Expr bits = decoded("ask_bits", ask_entry_q_, "the entry, one-hot");
  const Expr still =
      m_.let("ask_bits_still", bits & asking_ & rtl::replicate(n_, asks_q_), "the entry, if it has not gone");
  return {still, ask_entry_q_, rtl::any(still)};
}

// An entry is found in one cycle, its candidates are read in the next, and searched from then on.
ProbeTableBuilder::Found ProbeTableBuilder::kept_leading() {
  leads_q_ = m_.reg("leads_q", 1, 0, "an entry with candidates is found");
  lead_entry_q_ = m_.data_reg("lead_entry_q", entry_bits_, "number of that entry");
  lead_read_q_ = m_.reg("lead_read_q", 1, 0, "candidates of the entry are read");
  const Expr bits = decoded("lead_bits", lead_entry_q_, "the entry, one-hot");
  leads_on_ = m_.let("leads_on", leads_q_ & rtl::any(bits & level2_), "the entry is in the second level");
  return {bits, lead_entry_q_, lead_read_q_ & leads_on_};
}

// Returns the candidates that were read.
Expr ProbeTableBuilder::follow_leading(const Found& now, const Expr& cores) {
  const Expr cores_q = m_.data_reg("lead_cores_q", p_.cores, "candidates of the entry");
  const Expr ends = m_.let("lead_ends", search_ | ~leads_on_, "a leader is sent, or none is needed");
  kept_.emplace_back(leads_q_, rtl::mux(leads_q_, ~ends, now.some));
  kept_.emplace_back(lead_read_q_, leads_q_ & ~ends);
  kept_data_.emplace_back(lead_entry_q_, rtl::mux(leads_q_, lead_entry_q_, now.number));
  kept_data_.emplace_back(cores_q, cores);
  return cores_q;
}

// A probe that comes back has its effect in the next cycle, since its entry is not taken again by then.
ProbeTableBuilder::Back ProbeTableBuilder::kept_back(const Back& now) {
  back_q_ = m_.reg("back_q", 1, 0, "a probe of a search has come back");
  back_entry_q_ = m_.data_reg("back_entry_q", entry_bits_, "entry of that probe");
  Back back{.entry = back_entry_q_, .known = back_q_, .scout = {}, .found = {}};
  kept_.emplace_back(back_q_, now.known);
  kept_data_.emplace_back(back_entry_q_, now.entry);
  if (scouts_) {
    back_scout_q_ = m_.data_reg("back_scout_q", 1, "the probe is a scout");
    back.scout = back_scout_q_;
    kept_data_.emplace_back(back_scout_q_, now.scout);
  }
  for (std::size_t k = 0; k < now.found.size(); ++k) {
    back.found.push_back(m_.data_reg(fmt::format("back_found{}_q", k), now.found[k].width(),
                                     fmt::format("position {} of the list of that probe", k)));
    kept_data_.emplace_back(back.found[k], now.found[k]);
  }
  returned_ = decoded("returned_bits", back_entry_q_, "the entry that it is of");
  return back;
}

// A line that has come has its effect in the next cycle. Another one does not come before.
ProbeTableBuilder::Line ProbeTableBuilder::kept_line(const Line& now) {
  data_q_ = m_.reg("data_q", 1, 0, "a core's line has come, which its search has waited for");
  answer_q_ = m_.reg("answer_q", 1, 0, "L2's reply to a request has come");
  data_entry_q_ = m_.data_reg("line_entry_q", entry_bits_, "entry of that line");
  kept_.emplace_back(data_q_, now.data);
  kept_.emplace_back(answer_q_, now.answer);
  kept_data_.emplace_back(data_entry_q_, now.entry);
  return {decoded("line_bits", data_entry_q_, "the entry, one-hot"), data_entry_q_, data_q_, answer_q_};
}

void ProbeTableBuilder::keep() {
  kept_.emplace_back(fresh_q_, missed_bits_);
  kept_data_.emplace_back(sequence_before_q_, sequence_before_);
  if (sequence_carry_q_)
    kept_data_.emplace_back(*sequence_carry_q_, rtl::all(sequence_before_.slice(sequence_bits_ / 2 - 1, 0)));
  m_.clocked("Entries that are found and messages that come have their effect in the next cycle.", [&] {
    for (const auto& [kept, now] : kept_) m_.set(kept, now);
  });
  m_.clocked("Numbers and fields of both.", [&] {
    for (const auto& [kept, now] : kept_data_) m_.set(kept, now);
  });
}

// The sequence of a search that begins is written a cycle later: nothing is of it in its first cycle.
void ProbeTableBuilder::write_sequence() {
  fresh_q_ = m_.reg("fresh_q", n_, 0, "the search began in the cycle before");
  sequence_before_q_ = m_.data_reg("sequence_before_q", sequence_bits_, "sequence of the search before it");
  const int low = sequence_bits_ / 2, high = sequence_bits_ - low;
  const Expr one = lit(high, 1);
  if (low == 0) {
    next_sequence_ = m_.let("next_sequence", sequence_before_q_ + one, "sequence of the search that begins");
    return;
  }
  sequence_carry_q_ = m_.data_reg("sequence_carry_q", 1, "the lower half of that sequence is all ones");
  const Expr below = sequence_before_q_.slice(low - 1, 0),
             above = sequence_before_q_.slice(sequence_bits_ - 1, low);
  next_sequence_ = m_.let("next_sequence",
                          rtl::cat({rtl::mux(*sequence_carry_q_, above + one, above), below + lit(low, 1)}),
                          "sequence of the search that begins");
}

void ProbeTableBuilder::observe_stages() {
  m_.observe("chosen", chosen_q_);
  m_.observe("chosen_entry", chosen_entry_q_);
  m_.observe("asks", asks_q_);
  m_.observe("ask_entry", ask_entry_q_);
  m_.observe("ask_late", ask_late_q_);
  m_.observe("data", data_q_);
  m_.observe("answer", answer_q_);
  m_.observe("line_entry", data_entry_q_);
  m_.observe("back", back_q_);
  m_.observe("back_entry", back_entry_q_);
  if (!scouts_) return;
  m_.observe("leads", leads_q_);
  m_.observe("lead_entry", lead_entry_q_);
  m_.observe("lead_read", lead_read_q_);
}

}  // namespace hw
