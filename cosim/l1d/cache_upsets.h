// Caches with protected RAMs inside a larger unit: bits of their RAMs flip at random times in the Verilog and
// in their models (docs/contracts/l1d-ecc.md).
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/port_bits.h"
#include "cosim/harness/report.h"
#include "cosim/harness/seen_state.h"
#include "cosim/l1d/l1d_upsets.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

class CacheUpsets {
 public:
  // Of a cache below this path of the unit.
  void add(const hw::L1dParams& params, const SeenState& state, const std::string& path,
           golden::CycleL1d& golden, std::uint64_t seed);

  bool of_some_cache() const { return !caches_.empty(); }

  // Before a cycle: now and then an upset of both sides. None before the first one, which resets them.
  void cycle();
  // After the outputs of the cycle.
  void watch();
  // Some cache has had a row for so long that it cannot correct: only a reset helps.
  bool needs_reset() const { return stuck_ > longest_stuck; }
  void reset() { stuck_ = 0; }
  // see(id) of each load that is reported in this cycle, as it may see stores behind it.
  void each_late(const std::function<void(std::uint64_t id)>& see) const;
  // Of all caches together, in kinds.
  Goals goals() const;

 private:
  static constexpr int longest_stuck = 32;             // cycles
  static constexpr int window_bits = 10, windows = 8;  // of cycles, of which the first has upsets
  struct Cache {
    golden::CycleL1d& golden;
    SeenState rams;
    std::unique_ptr<L1dUpsets> upsets = {};
  };

  std::deque<Cache> caches_;
  bool begun_ = false;
  int stuck_ = 0;
  bool protects_rows_ = false;
  std::int64_t cycles_ = 0;
};

// The first output of a cache's protection that differs from its model's; `cache` begins the names of ports.
template <class Flag, class Id>
std::optional<Difference> ecc_difference(const std::string& cache, const golden::L1dOut& want, Flag corrected,
                                         Flag refetched, Flag uncorrectable, const Id& id) {
  const auto differs = [&](const char* port, std::uint64_t got,
                           std::uint64_t wanted) -> std::optional<Difference> {
    if (got == wanted) return {};
    return Difference{cache + port, got, wanted};
  };
  if (const auto d = differs("ecc_corrected", corrected, want.ecc_corrected)) return d;
  if (const auto d = differs("ecc_refetched", refetched, want.ecc_refetched)) return d;
  if (const auto d = differs("ecc_uncorrectable", uncorrectable, want.ecc_uncorrectable)) return d;
  if (!want.ecc_uncorrectable) return {};
  return differs("ecc_uncorrectable_id", bits_of<64>(id).to_ullong(), want.ecc_uncorrectable_id);
}

}  // namespace verif
