#include "cosim/l1d/protection_watch.h"

namespace verif {

using golden::Bypass, golden::RequestKind;

void L1dProtectionWatch::before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned filled) {
  filled_set_ = ~0u;
  no_entry_ = golden.mshrs().free_entry() == golden::no_entry;
  seen_[flush_of_protected] += in.flush_valid && golden.counters().fills > 0;
  if (filled == ~0u) return;
  const auto entry = golden.entry(filled);
  if (!entry.poisoned && !entry.flushed) filled_set_ = entry.set;
  seen_[poisoned_fill] += entry.poisoned;
}

void L1dProtectionWatch::behind(const golden::CycleL1d& golden) {
  const auto& probe = golden.last_probe();
  if (!probe.occupied || probe.kind != RequestKind::load) return;
  seen_[load_beside_fill] += probe.fired && probe.set == filled_set_;
  if (probe.bypass != Bypass::closed) return;
  seen_[waits_for_queue] += !probe.fired;
  if (!probe.fired) return;
  seen_[no_entry_either] += no_entry_;
  int busy = 0;
  for (unsigned w = 0; w < static_cast<unsigned>(params_.ways); ++w) busy += golden.way(probe.set, w).busy;
  ++seen_[busy == params_.ways ? all_reserved : busy == 0 ? all_protected : mixed];
}

void L1dProtectionWatch::goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const {
  seen["a load beside a fill of its set"] = seen_[load_beside_fill];
  seen["a poisoned fill"] = seen_[poisoned_fill];
  seen["a flush with distances"] = seen_[flush_of_protected];
  seen["bypass for want of an open way, with the miss queue full"] = seen_[waits_for_queue];
  const bool many = ids > static_cast<unsigned>(params_.ways) && params_.mshr_entries >= params_.ways;
  if (many) seen["bypass of a set all reserved"] = seen_[all_reserved];
  if (params_.bypass.protection_distance >= params_.ways)
    seen["bypass of a set all protected"] = seen_[all_protected];
  if (params_.ways > 1) seen["bypass of a set part reserved, part protected"] = seen_[mixed];
  if (seen.contains("reservation fail: mshr"))
    seen["bypass for want of an open way, and no MSHR entry is free"] = seen_[no_entry_either];
}

}  // namespace verif
