// State of all sets: an array with a row a set, the row of the probe's set beside it in registers. What the
// probe changes is in that row at the end of the cycle and in the array a cycle later, so that no late signal
// drives an array.
#pragma once
#include <functional>
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// What the cycle before left to write; all of it registers but `entered`.
struct LateRow {
  rtl::Expr changed;  // the probe changed its row
  rtl::Expr set;      // the row's number
  rtl::Expr entered;  // the next request asks for this row, which the array does not hold yet
};

// When the probe's row becomes that of another set. That the tag-lookup stage moves on is known last in a
// cycle, so it selects what is worked out beside it.
struct Turnover {
  rtl::Expr
      moves;  // the request in the tag-lookup stage leaves, if there is one, and the next enters, if there is
  rtl::Expr other;  // there is a next one, and it asks for another set
};

// The probe's row in the next cycle: `coming`, that of the other set; `left` by a request that leaves;
// `kept`.
rtl::Expr next_row(const Turnover& turnover, const rtl::Expr& coming, const rtl::Expr& left,
                   const rtl::Expr& kept);

// Adds the registers `name`_q and `name`_set_q to `m`. `set` is that of the probe, `next` that of the next
// request.
LateRow late_row(rtl::Module& m, const std::string& name, const rtl::Expr& set, const rtl::Expr& next);

// Their clocked block; `changes` says that the probe changes its row.
void remember(rtl::Module& m, const LateRow& late, const rtl::Expr& set, const rtl::Expr& changes);

// A statement: row number `set` of `array` becomes what `row` makes of it. Compared with each number rather
// than shifted: a shift of the row would take a gate a bit and step.
void set_row(rtl::Module& m, const std::string& label, const rtl::Expr& array, const rtl::Expr& set,
             int row_bits, const std::function<rtl::Expr(const rtl::Expr&)>& row);

// One such state; its registers are declared by the store.
struct SetState {
  rtl::Expr array, row;  // of all sets; of the probe's
  rtl::Expr late;        // what the probe left of its set in the cycle before

  rtl::Expr of(const rtl::Expr& set) const { return array.part(set, row.width()); }
  // The row of a set now, where `stored` is the array's content, with all changes on their way there.
  rtl::Expr now(const LateRow& when, const rtl::Expr& set, const rtl::Expr& stored) const;
  // The row that the next request asks for.
  rtl::Expr coming(const LateRow& when, const rtl::Expr& stored) const;
  // A statement: the array takes over what the probe left, or `taken`.
  void take_over(rtl::Module& m, const LateRow& when, const std::string& label, const rtl::Expr& taken) const;
  void take_over(rtl::Module& m, const LateRow& when, const std::string& label) const;
  // The block of `row`.
  void turn(rtl::Module& m, const std::string& doc, const Turnover& turnover, const rtl::Expr& coming,
            const rtl::Expr& left, const rtl::Expr& kept) const;
};

}  // namespace hw
