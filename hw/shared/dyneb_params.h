// Parameters of DynEB, the controller that chooses between private and shared L1s (DC-L1 thesis, chapter 4),
// shared by the hardware and its reference model. What happens in which cycle: docs/contracts/shared-l1.md.
#pragma once
#include <algorithm>
#include <bit>

namespace hw {

// Effective bandwidth, or average memory access time.
enum class DynebMetric { eb, amat };

struct DynebParams {
  DynebMetric metric = DynebMetric::eb;
  int sample_accesses = 512;     // own loads of each group that end SAMPLE
  int execute_accesses = 16384;  // own loads that end EXEC
  int sample_cap = 65536;        // loads wherever they go that end SAMPLE, up to 2^20; 0: none
  int execute_cap = 1048576;     // the same for EXEC
  int miss_percent = 10;         // private below this miss rate of private sets
  bool count_served = true;      // requests that this cache serves for other cores count, too
  int l2_latency = 247;          // cycles, of amat
  int home_latency = 54;

  bool operator==(const DynebParams&) const = default;
};

inline constexpr int dyneb_count_bits = 16;    // of a counter of events
inline constexpr int dyneb_open_bits = 10;     // of requests that are not answered yet
inline constexpr int dyneb_eval_cycles = 128;  // of EVAL
inline constexpr int dyneb_blocks = 5;         // of its sums, each a cycle behind the one below

constexpr int bits_up_to(int most) { return std::bit_width(static_cast<unsigned>(most)); }
constexpr int dyneb_own_bits(const DynebParams& p) { return bits_up_to(p.sample_accesses); }
constexpr int dyneb_executed_bits(const DynebParams& p) { return bits_up_to(p.execute_accesses); }
// 0 where neither phase has a cap.
constexpr int dyneb_total_bits(const DynebParams& p) {
  return bits_up_to(std::max(p.sample_cap, p.execute_cap));
}

}  // namespace hw
