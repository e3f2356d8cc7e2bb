// The adaptive index in the request path of the L1 data cache: the cycles in which sel moves: two, and three
// with a compare stage (docs/contracts/l1d-adaptive.md).
#pragma once
#include <vector>

#include "hw/l1d/index_socket.h"
#include "hw/monitors/adi_monitor_params.h"

namespace hw {

// Selected bits are so quickly there that the last stage computes them, and so no stage before the probe
// holds a set that may change.
class MovingIndex : public IndexSocket {
 public:
  MovingIndex(const L1dParams& p, rtl::Module m);

  int tag_bits() const override;
  int stage(int stages) const override { return stages; }
  void wires() override;
  void compute(Request& request) override;
  rtl::Expr probe_tag(const Request& probe) override { return probe.block_address; }
  bool tag_is_line() const override { return true; }
  rtl::Condition held_up() const override { return held_up_; }
  Moves moves() const override { return {sels_, moves_sel_}; }
  void after_move() override;

 protected:
  // The move, and the cycles that follow it.
  virtual rtl::Expr pause() { return moves_sel_ | again_; }
  rtl::Expr selected(const std::string& instance, const rtl::Expr& line, const rtl::Expr& set_index);

  rtl::Expr moves_sel_, again_;
  int set_bits_;

 private:
  AdiMonitorParams monitor_;
  std::vector<rtl::Expr> sels_;
  rtl::Expr held_up_;
};

// Of a cache that compares tags in the tag-lookup stage. A request that is looked up again has been there for
// more than a cycle. It has an index unit of its own, as the next request's set is on the longest path.
class MovingIndexOfProbe : public MovingIndex {
 public:
  using MovingIndex::MovingIndex;

  Entering looked_up(const Request& probe, const Request& next, const rtl::Expr& free,
                     const rtl::Expr& enters) override;
  void settle(const Request& probe, const Request& next, const Entering& entering, const rtl::Expr& enters,
              const rtl::Expr& stayed_line) override;
};

// Of a cache that compares tags in a stage of its own: the probe's request is read again, then compared.
class MovingIndexOfCompare : public MovingIndex {
 public:
  using MovingIndex::MovingIndex;

  void compute(Request& request) override;
  bool enters_compare(const Request& from) override;
  void in_compare(Request& compared, const rtl::Expr& enters) override;
  Entering looked_up(const Request& probe, const Request& next, const rtl::Expr& free,
                     const rtl::Expr& enters) override;
  void settle(const Request& probe, const Request& next, const Entering& entering, const rtl::Expr& enters,
              const rtl::Expr& stayed_line) override;
  void after_move() override;

 protected:
  rtl::Expr pause() override;

 private:
  rtl::Expr settles_, indexed_line_, arriving_line_;
};

}  // namespace hw
