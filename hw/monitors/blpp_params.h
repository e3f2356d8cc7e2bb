// Parameters of bandwidth- and latency-aware page placement (ACI thesis, section 5), shared by the hardware
// and its reference model. What they mean and when what happens: docs/contracts/blpp.md.
#pragma once
#include <bit>
#include <cstdint>

namespace hw {

enum class BlppMode { dynamic, fixed };  // fixed: `static` in configurations

struct BlppParams {
  BlppMode mode = BlppMode::dynamic;
  double ratio = 1;                             // fixed: pages of the GPU node
  int period = 65536;                           // cycles
  int gpu_bandwidth = 200, cpu_bandwidth = 80;  // GB/s
  int ratio_tenths = 18;                        // threshold of the latency ratio
  int bytes_per_cycle = 200;                    // threshold of the traffic
  int l1_latency = 1, l2_latency = 120;         // core cycles, like the next ones
  int gpu_memory_latency = 100, cpu_memory_latency = 100, link_latency = 100;
  int page_bytes = 4096;                         // of the page table, which is a model's
  int gpu_pages = 1 << 20, cpu_pages = 1 << 22;  // capacities

  bool operator==(const BlppParams&) const = default;
};

inline constexpr int blpp_event_bits = 8, blpp_sum_bits = 32;
inline constexpr std::uint64_t blpp_one = 65536;  // p where every page goes to the GPU node

// Pages of the GPU node in 65,536ths: where both tests hold, and of the static version.
constexpr std::uint64_t shared_part(const BlppParams& p) {
  return blpp_one * static_cast<std::uint64_t>(p.gpu_bandwidth) /
         static_cast<std::uint64_t>(p.gpu_bandwidth + p.cpu_bandwidth);
}
constexpr std::uint64_t fixed_part(const BlppParams& p) {
  return static_cast<std::uint64_t>(p.ratio * static_cast<double>(blpp_one) + 0.5);
}

// The most flits of 32 bytes in a period that are not too many.
constexpr std::int64_t traffic_limit(const BlppParams& p) {
  return std::int64_t{p.bytes_per_cycle} * p.period / 32;
}

}  // namespace hw
