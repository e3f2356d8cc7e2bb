// The top module of the L1 data cache under construction: the request path around the tag store, the MSHR
// file, the miss queue and the data store.
#pragma once
#include <string>
#include <utility>
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
  Beat held_stage(const Beat& from, const std::string& stem, const std::string& stage,
                  const rtl::Expr& moves);
  void with_index(Beat& beat);
  void probe_stage(const Beat& next);
  void side_by_side(const Beat& next);
  void parts();
  void ways_found();
  void tags();
  void entries();
  void responses();
  void kind_of_request();
  void result();
  void frees_stage();
  void decision();
  void asks();
  void answer();
  void queue();
  void data();
  // with split tags only (split_shell*.cpp)
  rtl::Expr goes_ahead(const Beat& from, const Beat& compared);
  void slots_found();
  void slots_of_entries();
  void split_mode();
  void split_selector();
  void split_result();
  void split_asks();
  void split_grants(const rtl::Expr& free, const rtl::Expr& turn_hit, const rtl::Expr& turn_replay);
  rtl::Expr missed_number();
  void split_decision();
  void split_tags();
  void split_data();
  void pins_of_slots(std::vector<std::pair<std::string, rtl::Expr>>& pins);
  rtl::Expr one_of_sets(const std::string& name, const SetList& list, const std::string& doc);
  // with the adaptive index only (shell_adaptive.cpp)
  void with_selected_index(Beat& beat);
  rtl::Expr selected_index(const std::string& instance, const rtl::Expr& block, const rtl::Expr& set_index);
  void adaptive_wires();
  void computes_set(const Beat& next);
  void takes_set(const Beat& next, const rtl::Expr& enters);
  void looks_up(const Beat& next, const rtl::Expr& enters);
  Beat compare_stage(Beat from, const rtl::Expr& moves);
  void monitor();

  void events();
  // with a reuse-count filter
  std::vector<std::pair<std::string, rtl::Expr>> tag_pins() const;
  void filter_tags();
  using Events = std::vector<std::pair<std::string, rtl::Expr>>;  // counter, and what it counts
  Events all_events();
  Events load_events();
  Events line_events();
  Events fail_events();
  Events split_line_events();
  Events split_fail_events();

  const L1dParams& p_;
  const int offset_, chunks_, v_, set_bits_, id_bits_;
  const bool split_, sectored_, adaptive_, filters_;
  int tag_bits_ = 0;
  rtl::Module m_;

  rtl::Stream core_request_, core_response_, memory_request_, memory_response_;
  rtl::Expr flush_valid_, flush_ready_;
  std::vector<rtl::Expr> held_;  // stages before the probe that hold a request

  // adaptive index: address bits of the set index; the monitor's flush, cycles f, f + 1, with split tags
  // f + 2, and any of them; the line whose set is computed
  std::vector<rtl::Expr> sels_;
  rtl::Expr moves_sel_, again_, settles_, held_up_, indexed_, arriving_block_, stayed_block_;

  Beat probe_;
  rtl::Expr probe_free_, payload_free_;
  // the next request to look up, which is the probe's own once more when sel has moved
  rtl::Expr moves_, comes_, enter_, enter_set_, enter_tag_, enter_mask_, enter_effective_;
  // what the tag store and the MSHR file say
  rtl::Expr match_, hit_, match_valid_, can_allocate_, way_, evicted_;
  rtl::Expr entry_match_, doomed_, room_, pending_, entry_way_, has_free_, entry_;
  rtl::Expr fill_set_, fill_way_, fill_way_early_, fill_lands_;
  rtl::Expr replay_ready_, replay_set_, replay_way_, replay_id_, replay_mask_, vacate_;
  rtl::Expr has_place_, read_data_;
  // what is decided
  rtl::Expr fill_, fill_sets_valid_, direct_, flush_;
  rtl::Expr load_, other_, changes_line_, is_hit_, fetches_, missed_, fetch_mask_;
  rtl::Expr answer_free_, grant_hit_, grant_replay_, grant_direct_, replay_shown_;
  rtl::Expr hit_asks_, replay_asks_;
  rtl::Expr filter_enable_, filtered_, bypass_;
  rtl::Expr fire_, allocate_, reserve_, new_entry_, merge_, touch_, invalidate_, doom_, push_;
  // split tags: the set read as a request enters the compare stage; chunks that the load looks for, and
  // whether it is widened; slots of chunks; the plan
  rtl::Expr read_, read_set_, effective_, mode_coarse_, coarse_q_, ahead_q_;
  rtl::Expr found_, slot_numbers_, pending_slots_, fill_at_, fill_numbers_, fill_slots_, fill_released_,
      replay_at_, replay_released_, hit_slots_, replay_slots_, hit_blocked_, replay_blocked_;
  rtl::Expr enough_, planned_q_, plan_, waits_, missed_number_;
};

}  // namespace hw
