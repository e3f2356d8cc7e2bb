#include "l1forge_hooks.h"

#include <cstdlib>
#include <deque>

namespace l1forge_sim {
namespace {

std::deque<Core>& all_cores() {
  static std::deque<Core>& cores = *new std::deque<Core>;
  return cores;
}
std::vector<unsigned>& all_buffers() {
  static std::vector<unsigned>& buffers = *new std::vector<unsigned>;
  return buffers;
}

}  // namespace

bool enabled() {
  static const bool is = getenv("L1FORGE_CACHE") != nullptr;
  return is;
}

Core& core(unsigned sm) {
  while (all_cores().size() <= sm) all_cores().emplace_back();
  return all_cores()[sm];
}
unsigned cores() { return static_cast<unsigned>(all_cores().size()); }

void cta_enters(unsigned sm, unsigned kernel, unsigned ctas, unsigned threads, unsigned warp_threads,
                unsigned schedulers) {
  if (!enabled()) return;
  Core& c = core(sm);
  if (c.any_kernel && c.kernel == kernel) return;
  c.kernel = kernel;
  c.any_kernel = c.starts = true;
  c.warps = ctas * ((threads + warp_threads - 1) / warp_threads);
  c.schedulers = schedulers;
}

void warp_issued(unsigned sm, unsigned lanes, unsigned long long cycle) {
  if (!enabled()) return;
  Core& c = core(sm);
  if (c.cycle[cycle & 1] != cycle) c.lanes[cycle & 1] = 0;
  c.cycle[cycle & 1] = cycle;
  c.lanes[cycle & 1] += lanes;
}

unsigned lanes_issued(unsigned sm, unsigned long long cycle) {
  const Core& c = core(sm);
  return c.cycle[cycle & 1] == cycle ? c.lanes[cycle & 1] : 0;
}

void buffer_holds(unsigned partition, unsigned entries) {
  if (!enabled()) return;
  std::vector<unsigned>& buffers = all_buffers();
  if (buffers.size() <= partition) buffers.resize(partition + 1);
  buffers[partition] = entries;
}

unsigned buffer_entries(unsigned partition) {
  return partition < all_buffers().size() ? all_buffers()[partition] : 0;
}

}  // namespace l1forge_sim
