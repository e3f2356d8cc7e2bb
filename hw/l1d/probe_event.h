// Lookup event of the L1 data cache: a load that was looked up leaves the tag-lookup stage. Made once, for
// monitors, counters and the outputs probe_*.
#pragma once
#include "hw/tags/exchange.h"

namespace hw {

// Nets without a reader add nothing to the module.
class ProbeEvent {
 public:
  ProbeEvent(rtl::Module m, const ProbeStage& probe);

  const rtl::Expr& valid() const { return valid_; }
  const rtl::Expr& line() const { return probe_.request.block_address; }
  const rtl::Expr& set_index() const { return probe_.request.set_index; }
  // It asks memory for chunks, and for how many; in loads alone.
  const rtl::Expr& miss() const { return probe_.commit.push; }
  // It finds all that it asks for: a hit, if it is served; known before that.
  const rtl::Expr& hit() const { return probe_.decision.hit; }
  // It was looked up and does not go past the cache.
  const rtl::Expr& served() const { return probe_.commit.touch; }
  // A load went past the cache.
  const rtl::Condition& bypass() const { return probe_.commit.bypass; }
  rtl::Expr chunks();
  rtl::Expr result();

  // A request of a load goes to memory, and its chunks if it does.
  const rtl::Expr& fetch_leaves();
  rtl::Expr fetched_chunks();
  // Some of the chunks that it looks for are there or on their way.
  const rtl::Condition& some_present();

 private:
  const rtl::Expr& missed_number();

  rtl::Module m_;
  const ProbeStage& probe_;
  rtl::Expr valid_;
  rtl::Condition some_present_;
  std::optional<rtl::Expr> fetch_leaves_, missed_number_, asked_number_;  // from their first use on
};

// Adds the outputs probe_*; the line is an output already (Front).
void add_probe_ports(rtl::Module& m, ProbeEvent& event);

}  // namespace hw
