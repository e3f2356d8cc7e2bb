#include "hw/remote/probe_table_entries.h"

#include <array>

#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

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

ProbeEntries::ProbeEntries(rtl::Module& m, const ProbeTableParams& p)
    : m_(m), p_(p), n_(p.entries), fields_(add_fields(m, p)), in_(add_states()) {}

ProbeEntries::Fields ProbeEntries::add_fields(rtl::Module& m, const ProbeTableParams& p) {
  const int n = p.entries, slot_bits = bits_to_number(p.predictor_entries);
  m.section("Entries.");
  const Expr state = m.reg("state_q", n * probe_state_bits, 0, "state of each entry, STATE_FREE after reset"),
             sequence = m.reg("sequence_q", n * sequence_bits(p), 0, "how often the entry has been taken"),
             out = m.data_reg("out_q", n * probes_out_bits(p), "probes under way");
  std::optional<Expr> candidates, slot;
  if (most_candidates(p))
    candidates = m.reg("candidates_q", n * p.cores, 0, "cores that scouts have found the line in");
  const Expr came = m.reg("data_came_q", n, 0, "the line has come"),
             timed_out = m.reg("timed_out_q", n, 0, "the search has taken too long"),
             tracked = m.data_reg("tracked_q", n, "the predictor has an entry for the miss' instruction");
  if (slot_bits) slot = m.data_reg("slot_q", n * slot_bits, "number of that entry");
  return {state, sequence, out, candidates, came, timed_out, tracked, slot};
}

ProbeEntries::States ProbeEntries::add_states() {
  const auto in = [&](const char* name, ProbeState s, const char* doc) {
    by_state_.emplace_back(m_.wire(name, n_, doc), s);
    return by_state_.back().first;
  };
  const auto in_if = [&](bool there, const char* name, ProbeState s, const char* doc) {
    return there ? std::optional(in(name, s, doc)) : std::nullopt;
  };
  const bool scouts = fields_.candidates.has_value();
  States states{
      .free = in("in_free", ProbeState::free, "entries that are not in use"),
      .targets = in_if(p_.stages, "in_targets", ProbeState::targets, "entries that wait for targets"),
      .level1 = in("in_level1", ProbeState::level1, "entries of the first level"),
      .level2 = in_if(scouts, "in_level2", ProbeState::level2, "entries of the second level"),
      .asking = in("in_ask_l2", ProbeState::ask_l2, "entries whose L2 request is not sent yet"),
      .waiting = in("in_wait_l2", ProbeState::wait_l2, "entries whose L2 request is sent"),
      .some_candidates = {}};
  if (scouts) states.some_candidates = m_.wire("some_candidates", n_, "entries with candidates");
  return states;
}

Expr ProbeEntries::decoded(const std::string& name, const Expr& number, const std::string& doc) {
  decoded_.emplace_back(m_.wire(name, n_, doc), number);
  return decoded_.back().first;
}

Expr ProbeEntries::field_of(const std::string& name, const Expr& of_all, const Expr& one_hot,
                            const std::string& doc) {
  reads_.push_back({m_.wire(name, of_all.width() / n_, doc), of_all, one_hot});
  return reads_.back().field;
}

// One loop over the entries for all that looks at each alone, and one for the fields of chosen ones.
void ProbeEntries::loops() {
  m_.section("Entries by state and by number, and fields of one entry.");
  const int entry_bits = bits_to_number(n_);
  m_.comb("Compare the state and the number of each entry.", [&] {
    m_.loop("entry", n_, [&](const Expr& e) {
      for (const auto& [bits, s] : by_state_)
        m_.set(bits.at(e), fields_.state.part(e, probe_state_bits) == code_of(m_, s));
      if (fields_.candidates)
        m_.set(in_.some_candidates->at(e), rtl::any(fields_.candidates->part(e, p_.cores)));
      for (const auto& [bits, number] : decoded_) m_.set(bits.at(e), number == e.slice(entry_bits - 1, 0));
    });
  });
  m_.comb("Select by the one-hot entry.", [&] {
    for (const Read& r : reads_) m_.set(r.field, lit(r.field.width(), 0));
    m_.loop("from", n_, [&](const Expr& e) {
      for (const Read& r : reads_) {
        const int bits = r.field.width();
        m_.set(r.field, r.field | (r.of_all.part(e, bits) & replicate(bits, r.one_hot.at(e))));
      }
    });
  });
}

void ProbeEntries::change_states(const TableEvents& events) {
  const Expr after_list =
      mux(rtl::any(events.listed.probes), code_of(m_, ProbeState::level1), code_of(m_, ProbeState::ask_l2));
  const Expr listed_next =
      m_.let("listed_next", after_list, "state behind a list; without probes L2 is asked");
  const Expr stays = m_.let("asked_before", events.asked_bits | in_.waiting, "entries with a request to L2");
  m_.clocked("Later events of a cycle go before earlier ones; a line that has come before all.", [&] {
    m_.loop("of", n_, [&](const Expr& e) {
      const Expr now = fields_.state.part(e, probe_state_bits);
      m_.when(events.returned.end_bits.at(e), [&] { m_.set(now, events.returned.next_state); });
      m_.when(events.timed_bits.at(e), [&] { m_.set(now, code_of(m_, ProbeState::ask_l2)); });
      m_.when(events.listed.bits.at(e), [&] { m_.set(now, listed_next); });
      m_.when(events.asked_bits.at(e), [&] { m_.set(now, code_of(m_, ProbeState::wait_l2)); });
      m_.when(events.line.answer_bits.at(e) | (events.line.data_bits.at(e) & ~stays.at(e)),
              [&] { m_.set(now, code_of(m_, ProbeState::free)); });
      m_.when(events.begun.bits.at(e), [&] { m_.set(now, code_of(m_, ProbeState::targets)); });
    });
  });
}

void ProbeEntries::change_fields(const TableEvents& events, const ProbeTablePorts::Miss& miss) {
  const Fields& f = fields_;
  const SearchBegun& begun = events.begun;
  const auto set = [&](const Expr& field, const Expr& entry, const Expr& value) {
    m_.set(field.part(entry, value.width()), value);
  };
  m_.clocked("Other fields of the entries.", [&] {
    m_.set(f.came, (f.came | events.line.data_bits) & ~begun.bits);
    m_.set(f.timed_out, (f.timed_out | events.timed_bits) & ~begun.bits);
    m_.loop("to", n_, [&](const Expr& e) {
      m_.when(events.returned.bits.at(e), [&] {
        set(f.out, e, events.returned.less_out);
        if (f.candidates) set(*f.candidates, e, events.returned.candidates.value());
      });
      m_.when(events.listed.bits.at(e), [&] { set(f.out, e, events.listed.probes); });
      m_.when(begun.sequence_bits.at(e), [&] { set(f.sequence, e, begun.sequence); });
      m_.when(begun.bits.at(e), [&] {
        set(f.tracked, e, miss.tracked);
        if (f.slot) set(*f.slot, e, miss.slot.value());
      });
      if (!f.candidates) return;
      m_.when(events.leader.value().sent_bits.at(e) | begun.bits.at(e),
              [&] { set(*f.candidates, e, lit(p_.cores, 0)); });
    });
  });
}

void ProbeEntries::observe() {
  const std::vector<rtl::Index> each{{"entry", n_}};
  m_.observe("state", fields_.state, each);
  m_.observe("taken", fields_.sequence, each);
  m_.observe("out", fields_.out, each);
  if (fields_.candidates) m_.observe("candidates", *fields_.candidates, {{"entry", n_}, {"core", p_.cores}});
  m_.observe("data_came", fields_.came, each);
  m_.observe("timed_out", fields_.timed_out, each);
  m_.observe("tracked", fields_.tracked, each);
  if (fields_.slot) m_.observe("slot", *fields_.slot, each);
}

}  // namespace hw
