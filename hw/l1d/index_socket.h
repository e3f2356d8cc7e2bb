// Index socket of the L1 data cache: block address to set and stored tag, in one of the stages before the
// probe. The set of a line is fixed, or moves at run time (hw/l1d/moving_index.h).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hw/index/index_unit.h"
#include "hw/l1d/l1d_params.h"
#include "hw/tags/exchange.h"

namespace hw {

class IndexSocket {
 public:
  explicit IndexSocket(rtl::Module m) : m_(m) {}
  virtual ~IndexSocket() = default;

  virtual int tag_bits() const = 0;
  // The stage before the probe that computes the set, of so many; 0: none does, the request's arrival.
  virtual int stage(int stages) const = 0;
  virtual void wires() {}
  // Adds set and tag to the request.
  virtual void compute(Request& request) = 0;

  // A request on its way into the compare stage, where registers hold its set and tag or not, and in it.
  virtual bool enters_compare(const Request& from);
  virtual void in_compare(Request& compared, const rtl::Expr& enters);

  // The probe's tag and set.
  virtual rtl::Expr probe_tag(const Request& probe) = 0;
  virtual bool tag_is_line() const { return false; }
  virtual Entering looked_up(const Request& probe, const Request& next, const rtl::Expr& free,
                             const rtl::Expr& enters) = 0;
  // `stayed_line` is that of the request that was in the tag-lookup stage in the cycle before.
  virtual void settle(const Request& /*probe*/, const Request& /*next*/, const Entering&,
                      const rtl::Expr& /*enters*/, const rtl::Expr& /*stayed_line*/) {}

  // No request moves on.
  virtual rtl::Condition held_up() const { return {}; }

  // What a monitor of the index drives: the address bits that it selects, and the flush as they move. It adds
  // the cycles that follow.
  struct Moves {
    std::vector<rtl::Expr> sels;
    rtl::Condition flush;
  };
  virtual Moves moves() const { return {}; }
  virtual void after_move() {}

 protected:
  rtl::Module m_;
  rtl::Expr read_, read_set_;  // a request enters the compare stage; its set
};

// Of a cache compared in the tag-lookup stage, or in a stage of its own before it.
std::unique_ptr<IndexSocket> index_socket(const L1dParams& p, rtl::Module m, bool compares_first);

}  // namespace hw
