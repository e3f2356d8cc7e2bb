#include "cosim/l1d/adi_watch.h"

#include <bit>

#include "golden/cache/adaptive.h"
#include "golden/tags/split_tags.h"

namespace verif {
namespace {

const golden::SplitTags& slots_of(const golden::CycleL1d& golden) {
  return static_cast<const golden::SplitTags&>(golden.tags());
}

}  // namespace

L1dAdaptiveWatch::L1dAdaptiveWatch(const hw::L1dParams& p)
    : params_(p), reserved_poisoned_(static_cast<std::size_t>(p.mshr_entries)) {}

void L1dAdaptiveWatch::before(const golden::L1dIn& in, const golden::L1dOut& out,
                              const golden::CycleL1d& golden, unsigned filled) {
  change_cycle_ = golden.monitor<golden::AdaptiveIndex>()->change_cycle();
  const bool first = change_cycle_ == 1, changes = change_cycle_ != 0;
  if (filled != ~0u) {
    seen_[fill_in_change] += first;
    const bool flushed = golden.entry(filled).flushed;
    seen_[fill_behind_change] += flushed && reserved_poisoned_[filled];
  }
  const bool core_flush = in.flush_valid && out.flush_ready;
  seen_[core_flush_in_change] += core_flush && changes;
  seen_[request_refused] += changes && in.core_request_valid && !out.core_request_ready;
  if (first && params_.tags == hw::TagKind::split) change_of_slots(golden);
  if (first || core_flush) change(golden);
}

// Entries in use become flushed; the index does not cause a core's flush before.
void L1dAdaptiveWatch::change(const golden::CycleL1d& golden) {
  const bool first = change_cycle_ == 1;
  bool pending = false;
  for (unsigned e = 0; e < reserved_poisoned_.size(); ++e) {
    const auto entry = golden.entry(e);
    const bool newly = entry.in_use && !entry.flushed;
    pending |= newly && entry.pending;
    if (newly || !entry.in_use) reserved_poisoned_[e] = newly && first;
  }
  seen_[change_with_pending] += first && pending;
}

void L1dAdaptiveWatch::change_of_slots(const golden::CycleL1d& golden) {
  bool held = false;
  for (unsigned set = 0; set < static_cast<unsigned>(hw::sets_of(params_)); ++set)
    held |= (slots_of(golden).bits(set).valid & slots_of(golden).bits(set).busy) != 0;
  seen_[change_with_held] += held;
  seen_[change_with_plan] += slots_of(golden).plan() != nullptr;
}

// Slots were taken beside slots that a change of sel left reserved and poisoned.
void L1dAdaptiveWatch::passed_slots(const golden::CycleL1d& golden) {
  if (!slots_of(golden).last_places()) return;
  const unsigned set = golden.last_probe().set;
  const golden::SplitBits& bits = slots_of(golden).bits(set);
  bool dead = false;
  for (std::uint64_t left = bits.busy & ~bits.valid; left; left &= left - 1) {
    const unsigned e = slots_of(golden).owner(set, static_cast<unsigned>(std::countr_zero(left)));
    dead |= golden.entry(e).flushed && reserved_poisoned_[e];
  }
  seen_[dead_slot_passed] += dead;
}

void L1dAdaptiveWatch::behind(const golden::CycleL1d& golden) {
  if (!golden.last_probe().occupied) return;
  seen_[probe_in_first] += change_cycle_ == 1;
  seen_[probe_in_second] += change_cycle_ == 2;
  seen_[probe_in_third] += change_cycle_ == 3;
  if (params_.tags == hw::TagKind::split) passed_slots(golden);
}

std::map<std::string, std::int64_t> L1dAdaptiveWatch::goals(const golden::CycleL1d& golden) const {
  const golden::AdiEvents e = golden.monitor<golden::AdaptiveIndex>()->events();
  std::map<std::string, std::int64_t> seen{
      {"victimization ends", e.victimizations},
      {"selection ends", e.selections},
      {"winner is the victim, no flush", e.kept},
      {"winner is another bit", e.changed},
      {"change of sel with a pending line", seen_[change_with_pending]},
      {"fill in the cycle of a change of sel", seen_[fill_in_change]},
      {"fill into a line reserved and poisoned by a change", seen_[fill_behind_change]},
      {"flush of the core during a change", seen_[core_flush_in_change]},
      {"request refused by a change", seen_[request_refused]},
      {"probe refused by a change, first cycle", seen_[probe_in_first]},
      {"probe refused by a change, second cycle", seen_[probe_in_second]}};
  if (params_.adaptive.idle && !hw::has_controller(params_)) seen["idle ends"] = e.idles;
  if (params_.tags == hw::TagKind::split) {
    seen["probe refused by a change, third cycle"] = seen_[probe_in_third];
    seen["change of sel with a held slot"] = seen_[change_with_held];
    seen["change of sel behind a plan"] = seen_[change_with_plan];
    seen["slot reserved and poisoned by a change passed over"] = seen_[dead_slot_passed];
  }
  if (hw::sets_of(params_) == 2) return seen;
  seen["victim by entropy"] = e.by_entropy;
  seen["victim by correlation"] = e.by_correlation;
  if (params_.adaptive.period == 1 << params_.adaptive.counter_bits)
    seen["a counter wraps at T = 2^M"] = e.full_counts;
  return seen;
}

}  // namespace verif
