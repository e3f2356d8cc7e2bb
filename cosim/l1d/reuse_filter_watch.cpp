#include "cosim/l1d/reuse_filter_watch.h"

#include "golden/tags/reuse_filter_tags.h"

namespace verif {

using golden::RequestKind, golden::Result, golden::Stall;

void L1dReuseWatch::before(const golden::L1dIn& in, const golden::CycleL1d&, unsigned) {
  const bool enabled = in.controls["filter_enable"];
  seen_[switched_on] += enabled && !enabled_;
  seen_[switched_off] += !enabled && enabled_;
  enabled_ = enabled;
}

void L1dReuseWatch::behind(const golden::CycleL1d& golden) {
  const auto& probe = golden.last_probe();
  const auto& deed = static_cast<const golden::ReuseTags&>(golden.tags()).last_deed();
  if (!probe.occupied) return;
  const bool fails = probe.fired ? probe.bypass_wanted != Stall::none : probe.result == Result::miss;
  seen_[promotion_refused] += probe.kind == RequestKind::load && deed.tag_hit && fails && !probe.poisoned;
  if (!probe.fired) {
    seen_[bypass_waits] += probe.result == Result::bypass && probe.stall == Stall::queue;
    return;
  }
  if (probe.kind == RequestKind::load) {
    seen_[promoted_into_free] += deed.promoted && deed.took_free_way;
    seen_[promoted_into_taken] += deed.promoted && !deed.took_free_way;
    seen_[aged_to_zero] += deed.aged_to_zero;
    seen_[zero_evicted] += deed.evicted_of_zero;
    seen_[line_lost_by_tag] += deed.lost_by_tag;
    seen_[saturated] += deed.saturated;
    seen_[bypass_all_wait] += deed.all_wait;
  } else if (probe.kind != RequestKind::non_l1) {
    seen_[store_pending] += probe.entry != ~0u;
    seen_[store_committed] += probe.entry == ~0u && probe.place != golden::nowhere;
    seen_[store_without_line] += probe.place == golden::nowhere && deed.tag_hit;
  }
}

void L1dReuseWatch::goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const {
  const auto& p = params_.reuse;
  seen["count left at its maximum"] = seen_[saturated];
  seen["store to a committed entry"] = seen_[store_committed];
  seen["store to a pending entry"] = seen_[store_pending];
  seen["store to an entry without a line"] = seen_[store_without_line];
  // Others age when a line gets a way, and the one that loses it has none any more.
  if (params_.ways > 1) seen["count of an entry with a line ages to 0"] = seen_[aged_to_zero];
  // A count falls by one with each line that another gets, and the line goes when all others have got one.
  if (p.tag_victim == hw::TagVictim::lfu && p.threshold <= params_.ways) {
    seen["entry replaced that had a line"] = seen_[line_lost_by_tag];
    seen["entry at 0 replaced that had a line"] = seen_[zero_evicted];
  }
  if (p.follow) {
    seen["filter_enable rises"] = seen_[switched_on];
    seen["filter_enable falls"] = seen_[switched_off];
  }
  if (p.threshold < 2) return;
  seen["promotion into a free line"] = seen_[promoted_into_free];
  seen["promotion that takes another's line"] = seen_[promoted_into_taken];
  seen["promotion refused"] = seen_[promotion_refused];
  if (static_cast<int>(ids) > params_.miss_queue) seen["bypass waits for the queue"] = seen_[bypass_waits];
  if (p.ways == params_.ways && static_cast<int>(ids) > params_.ways && params_.mshr_entries >= params_.ways)
    seen["bypass, since all entries wait"] = seen_[bypass_all_wait];
}

}  // namespace verif
