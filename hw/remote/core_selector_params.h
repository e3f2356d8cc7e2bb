// Parameters of the core selector of remote-core probing (DC-L1 thesis, section 3.3.3), shared by the
// hardware and its reference model. What happens in which cycle: docs/contracts/remote-core.md.
#pragma once
#include <bit>
#include <cstdint>

namespace hw {

// Cores that have replied are likelier; or the next ones in the order of their numbers.
enum class SelectorKind { supplier, index };

struct CoreSelectorParams {
  int cores = 28;            // X
  int core = 0;              // whose selector it is
  int coverage = 5;          // C, cores that are searched, 1 to X - 1
  int probes = 2;            // S
  double probability = 0.5;  // P, of S probes; else S - 1
  SelectorKind kind = SelectorKind::supplier;
  int period = 8192;    // cycles
  int count_bits = 10;  // of a core's replies
  int stages = 0;       // cycles of a target beyond two: 0, or 2: shorter paths

  bool operator==(const CoreSelectorParams&) const = default;
};

// A probe is one flit, which holds no more targets.
inline constexpr int most_targets = 43;

constexpr std::uint32_t probability_65536ths(const CoreSelectorParams& p) {
  return static_cast<std::uint32_t>(p.probability * 65536 + 0.5);
}
constexpr int probe_count_bits(int probes) { return std::bit_width(static_cast<unsigned>(probes)); }

}  // namespace hw
