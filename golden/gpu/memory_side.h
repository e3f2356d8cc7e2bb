// Any memory below the L1 data caches of a GPU's SMs in a timed run, cycle by cycle.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "golden/cache/l1d_types.h"

namespace golden {

// What a memory of two nodes came to.
struct NodeFigures {
  std::uint64_t gpu_pages = 0, cpu_pages = 0, replaced = 0;         // pages placed and there; and replaced
  std::uint64_t a1 = 0, m1 = 0, a2 = 0, m2 = 0, flits = 0;          // as page placement counts them
  std::uint64_t gpu_bytes = 0, cpu_bytes = 0;                       // that the nodes have moved
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts = {};  // cycle, and p from there on
  int clock_mhz = 0;
};

class MemorySide {
 public:
  MemorySide() = default;
  MemorySide(const MemorySide&) = delete;
  MemorySide& operator=(const MemorySide&) = delete;
  virtual ~MemorySide() = default;

  // How the SM's caches may serve an address that it is about to ask for; `waits`: not in this cycle.
  enum class Access : std::uint8_t { cached, uncached, waits };
  virtual Access access(std::uint64_t address) {
    static_cast<void>(address);
    return Access::cached;
  }
  // An L1 has served a load that it may cache.
  virtual void load_left(bool miss) { static_cast<void>(miss); }

  // The memory_request_ready and memory_response_* that the SM's cache sees in this cycle; they depend on
  // nothing that it drives.
  virtual void drive(int sm, L1dIn& in) const = 0;
  // What that cache drives in this cycle.
  virtual void take(int sm, const L1dIn& in, const L1dOut& out) = 0;
  // The clock edge, behind the requests of all SMs.
  virtual void tick() = 0;

  // Entries in use of each sub-partition's input buffer; that of an address A is (A >> 8) modulo the number
  // of counts. A count ends at `most`.
  virtual void occupancy(std::span<std::uint8_t> counts, unsigned most) const = 0;
  virtual std::optional<NodeFigures> figures() const { return std::nullopt; }
};

}  // namespace golden
