// The top module of the L1 data cache under construction: the request path around the tag store, the MSHR
// file, the miss queue and the data store.
#pragma once
#include <string>
#include <vector>

#include "hw/l1d/l1d_params.h"
#include "hw/rtl/module.h"
#include "hw/rtl/stream.h"

namespace hw {

class L1dShell {
 public:
  L1dShell(const L1dParams& p, const std::string& top);
  rtl::Module run();
  int tag_bits() const { return tag_bits_; }

 private:
  // A request on its way to the probe stage.
  struct Beat {
    rtl::Expr valid, id, kind, block_address, mask, byte_enable, data, set_index, tag;
  };

  void ports();
  void front();
  Beat index_stage(const Beat& from, int number, const rtl::Expr& moves);
  void with_index(Beat& beat);
  void probe_stage(const Beat& next);
  void parts();
  void tags();
  void entries();
  void responses();
  void result();
  void decision();
  void answer();
  void queue();
  void data();
  // with the adaptive index only (shell_adaptive.cpp)
  void with_selected_index(Beat& beat);
  void adaptive_wires();
  void monitor();

  void events();
  using Events = std::vector<std::pair<std::string, rtl::Expr>>;  // counter, and what it counts
  Events all_events();
  Events load_events();
  Events line_events();
  Events fail_events();

  const L1dParams& p_;
  const int offset_, chunks_, v_, set_bits_, id_bits_;
  const bool sectored_, adaptive_;
  int tag_bits_ = 0;
  rtl::Module m_;

  rtl::Stream core_request_, core_response_, memory_request_, memory_response_;
  rtl::Expr flush_valid_, flush_ready_;
  std::vector<rtl::Expr> held_;  // stages before the probe that hold a request

  // adaptive index: address bits of the set index; the monitor's flush, cycles f, f + 1 and either; the line
  // whose set is computed
  std::vector<rtl::Expr> sels_;
  rtl::Expr moves_sel_, again_, held_up_, indexed_;

  Beat probe_;
  rtl::Expr probe_free_, payload_free_, enter_, enter_set_, enter_tag_;
  // what the tag store and the MSHR file say
  rtl::Expr match_, hit_, match_valid_, can_allocate_, way_, evicted_;
  rtl::Expr entry_match_, doomed_, room_, pending_, entry_way_, has_free_, entry_;
  rtl::Expr fill_set_, fill_way_, fill_lands_;
  rtl::Expr replay_ready_, replay_set_, replay_way_, replay_id_, replay_mask_, vacate_;
  rtl::Expr has_place_, read_data_;
  // what is decided
  rtl::Expr fill_, fill_sets_valid_, direct_, flush_;
  rtl::Expr load_, other_, changes_line_, is_hit_, fetches_, missed_, fetch_mask_;
  rtl::Expr grant_hit_, grant_replay_, grant_direct_;
  rtl::Expr fire_, allocate_, reserve_, new_entry_, merge_, touch_, invalidate_, doom_, push_;
};

}  // namespace hw
