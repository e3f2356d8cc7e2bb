// Calls of the simulator that have another argument since it counts by CUDA stream: the first form that
// compiles is taken.
#pragma once
#include "gpu-cache.h"
#include "mem_fetch.h"

namespace l1forge_sim {

template <class Fetch>
auto stream_of(const Fetch* fetch, int) -> decltype(fetch->get_streamID()) {
  return fetch->get_streamID();
}
template <class Fetch>
unsigned long long stream_of(const Fetch*, long) {
  return 0;
}

template <class Stats>
auto count_result(Stats& stats, int type, int result, unsigned long long stream, int)
    -> decltype(stats.inc_stats(type, result, stream)) {
  stats.inc_stats(type, result, stream);
  stats.inc_stats_pw(type, result, stream);
}
template <class Stats>
void count_result(Stats& stats, int type, int result, unsigned long long, long) {
  stats.inc_stats(type, result);
  stats.inc_stats_pw(type, result);
}

template <class Stats>
auto count_fail(Stats& stats, int type, int reason, unsigned long long stream, int)
    -> decltype(stats.inc_fail_stats(type, reason, stream)) {
  stats.inc_fail_stats(type, reason, stream);
}
template <class Stats>
void count_fail(Stats& stats, int type, int reason, unsigned long long, long) {
  stats.inc_fail_stats(type, reason);
}

// A load of these sectors that belongs to no instruction.
template <class Allocator>
auto new_load(Allocator* from, mem_access_type type, new_addr_type address,
              const mem_access_byte_mask_t& bytes, const mem_access_sector_mask_t& sectors, unsigned size,
              unsigned long long now, unsigned long long stream, int)
    -> decltype(from->alloc(address, type, active_mask_t(), bytes, sectors, size, false, now, 0u, 0u, 0u,
                            nullptr, stream)) {
  return from->alloc(address, type, active_mask_t(), bytes, sectors, size, false, now, -1, -1, -1, nullptr,
                     stream);
}
template <class Allocator>
mem_fetch* new_load(Allocator* from, mem_access_type type, new_addr_type address,
                    const mem_access_byte_mask_t& bytes, const mem_access_sector_mask_t& sectors,
                    unsigned size, unsigned long long now, unsigned long long, long) {
  return from->alloc(address, type, active_mask_t(), bytes, sectors, size, false, now, -1, -1, -1, nullptr);
}

}  // namespace l1forge_sim
