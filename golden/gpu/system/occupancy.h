// How many CTAs of a kernel an SM holds at once: the least of what warps, threads, registers and shared
// memory allow, and a number of its own.
#pragma once
#include <algorithm>
#include <cstdint>

#include "golden/gpu/system/system_params.h"
#include "golden/trace/trace_source.h"

namespace golden {

// `warps`: of a CTA, as it came. 0 when not even one fits.
inline int ctas_per_sm(const SystemParams& p, const KernelInfo& kernel, int warps) {
  const auto [x, y, z] = kernel.block;
  const int stated = static_cast<int>(x * y * z);
  const int threads = stated ? stated : 32 * warps;
  const int registers = p.registers_per_thread ? p.registers_per_thread : kernel.registers;
  int ctas = std::min(p.ctas, p.warps / warps);
  ctas = std::min(ctas, p.threads / threads);
  if (registers) ctas = std::min(ctas, p.registers / (registers * threads));
  if (kernel.shared_bytes)
    ctas = static_cast<int>(std::min<std::uint64_t>(
        static_cast<std::uint64_t>(ctas), static_cast<std::uint64_t>(p.shared_bytes) / kernel.shared_bytes));
  return ctas;
}

}  // namespace golden
