#include "cosim/l1d/srrip_watch.h"

#include <algorithm>
#include <span>

namespace verif {

using golden::RequestKind, golden::Bypass;

namespace {

constexpr unsigned distant = 3;

}  // namespace

L1dSrripWatch::L1dSrripWatch(const hw::L1dParams& params)
    : AxisWatch(params),
      ways_(static_cast<unsigned>(params.ways)),
      rrpv_(static_cast<std::size_t>(hw::sets_of(params)) * ways_, distant) {}

void L1dSrripWatch::reset() { std::ranges::fill(rrpv_, distant); }

// A load that leaves changes its set alone, and nothing else changes an RRPV.
void L1dSrripWatch::behind(const golden::CycleL1d& golden) {
  const auto& probe = golden.last_probe();
  if (!probe.fired || probe.kind != RequestKind::load || probe.bypass != Bypass::none) return;
  const auto own = static_cast<unsigned>(probe.place);
  unsigned* rrpv = &rrpv_[probe.set * ways_];
  const unsigned before = rrpv[own], after = golden.way(probe.set, own).order;
  seen_[promoted] += after == 0 && before != 0;
  if (after != 0 && golden.events().evicted_lines) {
    ++seen_[before == distant ? distant_victim : nearer_victim];
    seen_[above_victim] += before != distant && std::ranges::max(std::span(rrpv, ways_)) > before;
  }
  for (unsigned w = 0; w < ways_; ++w) rrpv[w] = golden.way(probe.set, w).order;
}

void L1dSrripWatch::goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const {
  seen["RRPV falls to 0"] = seen_[promoted];
  seen["victim of RRPV 3"] = seen_[distant_victim];
  seen["RRPVs of a set rise"] = seen_[nearer_victim];
  // Only a way that waits for data can be above the victim.
  if (ids > ways_ && static_cast<unsigned>(params_.mshr_entries) >= ways_)
    seen["RRPV above the victim's"] = seen_[above_victim];
}

}  // namespace verif
