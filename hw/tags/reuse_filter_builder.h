// The tag store of the reuse-count filter under construction: what its parts share.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/prim/sram.h"
#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"
#include "hw/tags/replacement.h"
#include "hw/tags/tag_params.h"

namespace hw {

struct ReuseFilterBuilder {
  ReuseFilterBuilder(const TagParams& p, int tag_bits, const std::string& name);
  rtl::Module run();

 private:
  void ports();
  void state();
  void reuse_ram();
  void links();
  void wrong_tags(const rtl::Expr& wrong);
  void lookup();
  void entry_choice();
  void entry_taken(const rtl::Expr& movable);
  void way_choice();
  void next_reuse();
  void entry_changes();
  void valid_changes();
  void busy_changes();
  void shown();

  rtl::Expr least_used(const rtl::Expr& candidates);
  rtl::Expr holders_of(const rtl::Expr& of_ways) const;
  rtl::Expr dropped_from(const rtl::Expr& row, const rtl::Expr& of_set) const;
  rtl::Expr deallocated_in(const rtl::Expr& of_set) const;
  rtl::Expr ways_of(const rtl::Expr& of_entries) const;

  const TagParams p;
  const int ways, entries, sets, set_bits, tag_bits, rc_bits, position_bits;
  const bool filters;
  rtl::Module m;

  // ports
  rtl::Condition rehashed;
  rtl::Expr moves, comes, enter_set, enter_tag, set, tag, entry_match, entry_way, filter_enable, allocate,
      load, has_free, queue_not_full, bypass, invalidate, fill, fill_set, fill_way, dealloc, dealloc_set,
      dealloc_way, flush, present, drop_set, drop_way;
  rtl::Condition drop;  // a line with wrong data goes
  rtl::Expr match_out, can_allocate_out, filtered_out, way_out, evicted_out, wrong_out;
  // state
  SetState known, valid, busy;
  rtl::Expr busy_now, deallocated, deallocated_set, deallocated_way;
  LateRow late;
  Turnover turnover;
  // named values
  rtl::Expr same, enter, touches, takes, new_entry, new_way, written, equal, found, has_entry, counted,
      row_after, rc, linked, positions, occupied, line_way, taken_way;
  rtl::Condition can_take = rtl::Condition::always();  // some way is settled
  rtl::Condition emptied;                              // entries that go, since their tag is wrong
  std::optional<rtl::Expr> strange;                    // entries whose tag is wrong, of protected tags
  std::vector<rtl::Expr> holders;                      // of each data way
  ReplacementLogic oldest;
};

}  // namespace hw
