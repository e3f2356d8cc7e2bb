// One side of page placement's latency test: two products one after the other, of a sum by an operand, and of
// a constant by what that came to.
#pragma once
#include <array>

#include "hw/monitors/blpp_product.h"

namespace hw {

struct BlppSidePlan {
  const char *name, *doc;
  int load, again;  // steps in which the operands are there, for the lowest block
  int bits;         // of the first factor
  unsigned factor;  // the second one
  BlppProductShape shape;
};

class BlppSide {
 public:
  // `step_q` counts the steps of an evaluation.
  BlppSide(rtl::Module& m, const BlppSidePlan& plan, const rtl::Expr& step_q, const std::string& factors);

  // The factor, its next bit at the top.
  const rtl::Expr& scan() const { return scan_q_; }
  // It is `sum` from `start` on, then follows `shifted` while `shifts`; behind `load` it is `first`, of which
  // a bit goes in each cycle, and behind `again` the constant.
  void scans(const rtl::Expr& start, const rtl::Expr& sum, const rtl::Expr& shifts, const rtl::Expr& shifted,
             const rtl::Expr& first);
  // In its step the first operand is there.
  const rtl::Expr& load() const { return load_; }
  // The product's sum; `operands` are its first, second and addend, `operand` is driven.
  rtl::Expr product(const std::array<rtl::Expr, 3>& operands, const rtl::Expr& operand);

 private:
  rtl::Expr in(int from, int to) const;
  rtl::Expr moment(const char* what, const rtl::Expr& step_before, const char* doc);

  rtl::Module m_;
  const BlppSidePlan plan_;
  rtl::Expr step_q_, load_, again_, goes_, scan_q_;
};

}  // namespace hw
