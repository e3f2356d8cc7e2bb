// Parameters of the probe table of remote-core probing (DC-L1 thesis, section 3.3.6), shared by the hardware
// and its reference model. What happens in which cycle: docs/contracts/remote-core.md.
#pragma once
#include <bit>

namespace hw {

struct ProbeTableParams {
  int cores = 28;              // X
  int core = 0;                // whose table it is
  int entries = 32;            // one for each MSHR entry
  int predictor_entries = 64;  // of the sharing predictor
  int coverage = 5;            // C, cores that are searched, 1 to X - 1
  int probes = 2;              // S
  int timeout = 2048;          // cycles
  int outgoing = 4;            // slots of the outgoing queue, S to 32
  int stages = 0;              // of what is found in the table, 0 or 1
  int group_bits = 32;         // of what distinguishes requests: core, entry and sequence

  bool operator==(const ProbeTableParams&) const = default;
};

enum class ProbeState { free, targets, level1, level2, ask_l2, wait_l2 };

inline constexpr int probe_state_bits = 3;
inline constexpr int stamp_bits = 16;

constexpr int width_to_number(int n) { return std::bit_width(static_cast<unsigned>(n) - 1); }

// Of a core in a message: all ones stand for none.
constexpr int core_or_none_bits(int cores) { return width_to_number(cores + 1); }

constexpr int sequence_bits(const ProbeTableParams& p) {
  return p.group_bits - core_or_none_bits(p.cores) - width_to_number(p.entries);
}

// Targets of the probe of this number where n probes share all of them: sizes differ by one at most, the
// first are the larger.
constexpr int targets_of(int coverage, int n, int probe) {
  return coverage / n + (probe < coverage % n ? 1 : 0);
}

// Of the largest scout, and of all scouts together: what may become candidates.
constexpr int scout_places(const ProbeTableParams& p) {
  const int fewest = p.probes > 2 ? p.probes - 1 : p.probes;
  return fewest < 2 ? 0 : targets_of(p.coverage, fewest, 1);
}
constexpr int most_candidates(const ProbeTableParams& p) {
  return p.probes < 2 ? 0 : p.coverage - targets_of(p.coverage, p.probes, 0);
}

constexpr int probes_out_bits(const ProbeTableParams& p) {
  return std::bit_width(static_cast<unsigned>(p.probes));
}

}  // namespace hw
