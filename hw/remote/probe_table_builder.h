// The probe table under construction: its ports, the fields of its entries, and what each event changes.
#pragma once
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

  // probe_table.cpp
  void miss_ports();
  void probe_ports();
  void answer_ports();
  void entries();
  void states_of_entries();
  // A field of the entry that is set in `one_hot`, by AND and OR.
  Expr field_of(const std::string& name, const Expr& of_all, const Expr& one_hot, const std::string& doc);
  void states();
  void fields();
  void outputs();
  void observed();

  // probe_table_events.cpp
  void reply();
  void returned();
  void join_candidates(const Expr& first);
  void queue();
  void asks();
  void second_level();
  void lists();
  void misses();

  const ProbeTableParams& p_;
  const int n_, entry_bits_, sequence_bits_, out_bits_, slot_bits_;
  const bool scouts_;
  rtl::Module m_;
  Expr miss_valid_, miss_ready_, miss_entry_, miss_tracked_, miss_slot_, searching_, late_, idle_;
  Expr list_valid_, list_probes_, room_, list_take_, search_out_, probe_entry_, probe_sequence_;
  Expr return_valid_, return_scout_, return_entry_, return_sequence_;
  Expr reply_valid_, reply_l2_, reply_entry_, reply_sequence_, reply_fills_, reply_tracked_, reply_slot_;
  Expr ask_valid_, ask_timed_out_, ask_entry_, ask_sequence_, ask_take_;
  std::vector<Expr> search_targets_, return_found_;
  Expr state_q_, sequence_q_, out_q_, candidates_q_, came_q_, timed_out_q_, tracked_q_, slot_q_;
  Expr free_, level1_, level2_, asking_, waiting_, data_, data_bits_, answer_bits_;
  Expr less_out_, returned_, return_bits_, end_bits_, some_candidates_, joined_, level_next_;
  Expr queue_empty_, some_waiting_, first_waiting_, takes_, misses_, timed_bits_;
  Expr asked_now_, ask_number_, asked_bits_;
  Expr search_bits_, search_number_, search_, searched_bits_, probes_, listed_bits_, missed_bits_;
  Expr next_sequence_;
};

}  // namespace hw
