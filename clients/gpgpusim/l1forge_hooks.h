// What the edited simulator notifies the caches of: CTAs that enter an SM, lanes that it issues, entries in
// the buffers of sub-partitions. And which warps a cache lets issue. No header of the simulator is needed.
#pragma once
#include <vector>

namespace l1forge_sim {

// Whether L1FORGE_CACHE is set, the preset or file of the cache. Without it the simulator is as it was.
bool enabled();

// A CTA of the kernel enters an SM that can hold so many of them. The first one of another kernel is a start.
void cta_enters(unsigned sm, unsigned kernel, unsigned ctas, unsigned threads, unsigned warp_threads,
                unsigned schedulers);
void warp_issued(unsigned sm, unsigned lanes, unsigned long long cycle);
void buffer_holds(unsigned partition, unsigned entries);

// The cache's side.
struct Core {
  unsigned kernel = 0;
  bool any_kernel = false, starts = false;  // a kernel has started since the last clock edge
  unsigned warps = 0, schedulers = 1;       // of the kernel, of the SM
  bool limited = false, limit_of_core = false;
  unsigned limit = 0;  // warps that may issue, of the SM or of each scheduler

  // Of two cycles: SMs before this one have issued in the next cycle already.
  unsigned long long cycle[2] = {};
  unsigned lanes[2] = {};
};
Core& core(unsigned sm);
unsigned cores();
unsigned lanes_issued(unsigned sm, unsigned long long cycle);
unsigned buffer_entries(unsigned partition);

// Of the warps that are present and do not wait at a barrier, the oldest may issue, as many as the limit
// says.
template <class Warp>
bool may_issue(unsigned sm, Warp* warp, const std::vector<Warp*>& of_scheduler,
               const std::vector<Warp*>& of_core) {
  if (!enabled()) return true;
  const Core& c = core(sm);
  if (!c.limited) return true;
  unsigned older = 0;
  for (Warp* other : c.limit_of_core ? of_core : of_scheduler)
    older += other && !other->done_exit() && !other->waiting() &&
             other->get_dynamic_warp_id() < warp->get_dynamic_warp_id();
  return older < c.limit;
}

}  // namespace l1forge_sim
