// The tag store of decoupled sectored tags under construction.
#pragma once
#include <optional>
#include <string>

#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"
#include "hw/tags/valid_state.h"

namespace hw {

struct DecoupledTagsBuilder {
  DecoupledTagsBuilder(const TagParams& p, int tag_bits, const std::string& name);
  rtl::Module run();

 private:
  void request_ports();
  void change_ports();
  void outputs();
  void state();
  void late_state();
  void stored_selectors();
  void stored_ages();
  void lines_of_ways();
  void lookup();
  void plan();
  void taken_places();
  void lost_places();
  void selector_changes();
  void valid_changes();
  void busy_changes();
  void age_changes();
  void evicted();
  void shown();
  // Adds wire `name`: each way's bit of `ways`, beside each of `chunks`.
  rtl::Expr spread(const std::string& name, const rtl::Expr& of_ways, const rtl::Expr& of_chunks,
                   const std::string& doc);
  // Adds wire `name`: the positions of lines, from the positions of each line.
  rtl::Expr places_of(const std::string& name, const rtl::Expr& lines, const std::string& doc);
  // Adds wire `name`: what lies in the one way where some of these bits are, `width` of them a way.
  rtl::Expr of_one_way(const std::string& name, const rtl::Expr& of_ways, int width, const std::string& doc);
  // Adds wire `name`: ways of these lines.
  rtl::Expr ways_of(const std::string& name, const rtl::Expr& lines, const std::string& doc);

  const TagParams p;
  const int ways, tags, entries, chunks, places, sets, set_bits, tag_bits, selector_width, age_bits;
  const bool mask_scope;
  rtl::Module m;

  // ports
  rtl::Condition rehashed;
  rtl::Expr moves, comes, enter_set, enter_tag, probe_set, tag, mask, missed, entry_match, entry_way,
      entry_number, planned, allocate, waits, load, invalidate, fill, fill_set, fill_way, fill_mask,
      replay_set, replay_way, replay_released, flush;
  std::optional<rtl::Expr> found_way_out;  // where stores update
  rtl::Expr hit_out, valid_out, enough_out, way_out, number_out, lines_lost_out, chunks_lost_out;
  // state, and that of the probe's set
  ValidState valid;
  SetState busy, age;
  LateRow late;
  Turnover turnover;
  rtl::Expr released_q, released_set_q;
  rtl::Expr enter, same, selectors, last_selectors, older;
  // lines of the probe's set
  rtl::Expr owns, holds, covers, filled, used, busy_lines, hurt, blocked;
  // the probe's line, and the plan of the cycle before
  rtl::Expr equal, line, line_way, target_q, fresh_q, enough_q, written;
  rtl::Expr target_way, taken, lost, cleared;
};

}  // namespace hw
