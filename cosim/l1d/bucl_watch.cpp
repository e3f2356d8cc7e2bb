#include "cosim/l1d/bucl_watch.h"

namespace verif {

using golden::Stall;

void L1dBuclWatch::behind(const golden::CycleL1d& golden) {
  const auto& probe = golden.last_probe();
  if (!probe.occupied || probe.kind != golden::RequestKind::load) {
    waits_ = false;
    return;
  }
  const bool wide = probe.sideband.degree > golden.controls()["tucd"],
             unseen = probe.bypass == golden::Bypass::unseen;
  const Stall cause = probe.bypass_wanted != Stall::none ? probe.bypass_wanted : probe.stall;
  const auto see = [&](Stall s, Event bypassed, Event waits) {
    if (cause != s) return;
    seen_[bypassed] += probe.bypass == golden::Bypass::stalled;
    seen_[waits] += probe.bypass_wanted == Stall::none;
  };
  if (probe.poisoned)
    see(Stall::line, bypassed_poisoned, waits_poisoned);
  else
    see(Stall::line, bypassed_line, waits_line);
  see(Stall::mshr, bypassed_mshr, waits_mshr);
  see(Stall::merge, bypassed_merge, waits_merge);
  seen_[queue_full] += probe.bypass_wanted != Stall::none && !probe.fired;
  seen_[passed_late] += unseen && !probe.fired;
  seen_[ends_by_fill] += waits_ && probe.fired && probe.result != golden::Result::bypass;
  waits_ = !probe.fired && golden::finds_nothing_to_reserve(probe.stall);
  if (!probe.fired) return;
  seen_[passed] += unseen;
  if (probe.sideband.first) {
    held_ = unseen;
    return;
  }
  seen_[rises_past] += held_ && !wide;
  seen_[falls_below] += !held_ && wide;
}

void L1dBuclWatch::goals(std::map<std::string, std::int64_t>& seen, unsigned) const {
  static constexpr std::pair<Event, const char*> names[] = {
      {passed, "load bypasses before the lookup"},
      {passed_late, "load bypasses before the lookup, with the miss queue full"},
      {queue_full, "load finds nothing to reserve, with the miss queue full"},
      {rises_past, "TUCD rises past the degree inside a load"},
      {falls_below, "TUCD falls below the degree inside a load"},
      {bypassed_line, "bypass for want of a line"},
      {bypassed_mshr, "bypass for want of an MSHR entry"},
      {bypassed_merge, "bypass for want of a merge place"},
      {bypassed_poisoned, "bypass of a poisoned line"},
      {waits_line, "no bypass for want of a line"},
      {waits_mshr, "no bypass for want of an MSHR entry"},
      {waits_merge, "no bypass for want of a merge place"},
      {waits_poisoned, "no bypass of a poisoned line"},
      {ends_by_fill, "load that waited is served by the cache"}};
  const auto reachable = [&](const char* cause) {
    return seen.contains(std::string("reservation fail: ") + cause);
  };
  for (const auto& [event, name] : names) {
    if ((event == bypassed_mshr || event == waits_mshr) && !reachable("mshr")) continue;
    if ((event == bypassed_merge || event == waits_merge) && !reachable("merge")) continue;
    if ((event == bypassed_line || event == waits_line) && !reachable("line, no way free")) continue;
    seen[name] = seen_[event];
  }
}

}  // namespace verif
