// The probe table under construction: its ports, the fields of its entries, and what each event changes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/remote/probe_table_params.h"
#include "hw/rtl/module.h"

namespace hw {

// The state as a named constant of the module.
rtl::Expr code_of(rtl::Module& m, ProbeState s);

class ProbeTableBuilder {
 public:
  ProbeTableBuilder(const ProbeTableParams& p, const std::string& name);
  rtl::Module run();

 private:
  using Expr = rtl::Expr;
  // An entry that is found in the table, if there is one.
  struct Found {
    Expr bits, number, some;
  };
  // A probe that comes back, of the search that its entry has.
  struct Back {
    Expr entry, known, scout;
    std::vector<Expr> found;
  };

  // probe_table.cpp
  void miss_ports();
  void probe_ports();
  void answer_ports();
  void entries();
  void states_of_entries();
  // A field of the entry that is set in `one_hot`, by AND and OR.
  Expr decoded(const std::string& name, const Expr& number, const std::string& doc);
  Expr field_of(const std::string& name, const Expr& of_all, const Expr& one_hot, const std::string& doc);
  void loops();
  void states();
  void fields();
  void outputs();
  void observed();

  // probe_table_events.cpp
  void reply();
  void returned();
  void join_candidates(const Expr& first, const Back& back);
  void queue();
  void asks();
  void second_level();
  void lists();
  void misses();
  // A line that has come for an entry, from a core or as L2's answer.
  struct Line {
    Expr bits, entry, data, answer;
  };
  Found waiting_search();
  Found asking_search();
  Found leading_search();
  Back come_back();

  // probe_table_stages.cpp: the same, kept for a cycle.
  Found kept_waiting();
  void choose(const Expr& takes);
  Found kept_asking(const Found& now);
  Found kept_leading();
  Expr follow_leading(const Found& now, const Expr& cores);
  Back kept_back(const Back& now);
  Line kept_line(const Line& now);
  void write_sequence();
  void keep();
  void observe_stages();

  const ProbeTableParams& p_;
  const int n_, entry_bits_, sequence_bits_, out_bits_, slot_bits_;
  const bool scouts_;
  rtl::Module m_;
  Expr miss_valid_, miss_ready_, miss_entry_, miss_tracked_, miss_slot_, searching_, late_, idle_;
  Expr list_valid_, list_probes_, free_slots_, list_take_, search_out_, probe_entry_, probe_sequence_;
  Expr return_valid_, return_scout_, return_entry_, return_sequence_;
  Expr reply_valid_, reply_l2_, reply_entry_, reply_sequence_, reply_fills_, reply_tracked_, reply_slot_;
  Expr ask_valid_, ask_timed_out_, ask_entry_, ask_sequence_, ask_take_;
  std::vector<Expr> search_targets_, return_found_;
  Expr state_q_, sequence_q_, out_q_, candidates_q_, came_q_, timed_out_q_, tracked_q_, slot_q_;
  Expr free_, targets_, level1_, level2_, asking_, waiting_, data_, data_entry_, data_bits_, answer_bits_;
  Expr less_out_, returned_, return_bits_, end_bits_, some_candidates_, joined_, level_next_;
  Expr queue_empty_, some_waiting_, first_waiting_, waits_no_longer_, misses_, timed_bits_;
  Expr asked_now_, ask_number_, some_late_, asked_bits_;
  Expr search_bits_, search_number_, search_, searched_bits_, probes_, listed_bits_, missed_bits_;
  Expr next_sequence_;
  struct Read {
    Expr field, of_all, one_hot;
  };
  std::vector<std::pair<Expr, ProbeState>> in_state_;
  std::vector<std::pair<Expr, Expr>> decoded_;  // one-hot, and number
  std::vector<Read> read_;
  // With stages: registers that are kept for a cycle, with and without a reset.
  std::vector<std::pair<Expr, Expr>> kept_, kept_data_;
  Expr chosen_q_, chosen_entry_q_, chosen_waits_, asks_q_, ask_entry_q_, ask_late_q_;
  Expr leads_q_, lead_entry_q_, lead_read_q_, leads_on_, back_q_, back_entry_q_, back_scout_q_;
  Expr data_q_, answer_q_, data_entry_q_;
  Expr old_, head_, sequence_before_, fresh_q_, sequence_before_q_;
  std::optional<Expr> sequence_carry_q_;  // with stages
};

}  // namespace hw
