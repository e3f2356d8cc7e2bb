#include "cosim/l1d/passing_watch.h"
#include "golden/cache/adaptive.h"

namespace verif {

using golden::RequestKind, golden::Result, golden::Stall;

void L1dPassingWatch::before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned filled) {
  const bool was_aside = aside_;
  aside_ = golden.aside();
  searching_ = in.controls["searching"];
  if (!aside_) return;
  if (!was_aside) searched_ = searching_;
  seen_[fill_beside] += filled != ~0u;
  seen_[searches_change] += searching_ != searched_;
  seen_[flush_waits] += in.flush_valid;
  const auto* const index = golden.monitor<golden::AdaptiveIndex>();
  seen_[sel_moves] += index && index->change_cycle() == 1;
}

void L1dPassingWatch::behind(const golden::CycleL1d& golden) {
  const auto& probe = golden.last_probe();
  if (!probe.occupied) return;
  if (aside_) {
    seen_[found_beside] += probe.fired && probe.result == Result::found;
    seen_[snoop_waits] += !probe.fired;
  } else if (probe.passed) {
    passed(golden);
  } else if (probe.fired) {
    if (was_passed_)
      ++seen_[probe.kind == RequestKind::load     ? load_fires
              : probe.kind == RequestKind::store  ? store_fires
              : probe.kind == RequestKind::atomic ? atomic_fires
                                                  : non_l1_fires];
    was_passed_ = false;
  }
}

void L1dPassingWatch::passed(const golden::CycleL1d& golden) {
  const auto& probe = golden.last_probe();
  const bool searched = probe.stall == Stall::line && probe.kind != RequestKind::load;
  ++seen_[searched                      ? fails_search
          : probe.stall == Stall::line  ? fails_line
          : probe.stall == Stall::mshr  ? fails_mshr
          : probe.stall == Stall::merge ? fails_merge
                                        : fails_queue];
  seen_[passed_again] += was_passed_;
  was_passed_ = true;
}

void L1dPassingWatch::reset() { aside_ = was_passed_ = false; }

void L1dPassingWatch::goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const {
  seen["snoop passes a store that waits for a search"] = seen_[fails_search];
  seen["snoop passes a request for the second time"] = seen_[passed_again];
  seen["passed load fires"] = seen_[load_fires];
  seen["passed store fires"] = seen_[store_fires];
  seen["snoop of a line beside a request set aside"] = seen_[found_beside];
  seen["snoop waits beside a request set aside"] = seen_[snoop_waits];
  seen["fill beside a request set aside"] = seen_[fill_beside];
  seen["searches change beside a request set aside"] = seen_[searches_change];
  seen["flush waits for a request set aside"] = seen_[flush_waits];
  if (golden::is_adaptive(params_)) seen["sel moves beside a request set aside"] = seen_[sel_moves];
  if (ids <= 8) return;
  // Of an adaptive index most traffic is loads.
  if (!golden::is_adaptive(params_)) {
    seen["passed atomic fires"] = seen_[atomic_fires];
    seen["passed non-L1 request fires"] = seen_[non_l1_fires];
  }
  seen["snoop passes a load that waits for a line"] = seen_[fails_line];
  seen["snoop passes a load that waits for an entry"] = seen_[fails_mshr];
  seen["snoop passes a load that waits for a merge place"] = seen_[fails_merge];
  seen["snoop passes a request that waits for a queue place"] = seen_[fails_queue];
}

}  // namespace verif
