// Parameters of the adapter between the word-wide memory bus of a GPU core and an L1 data cache, shared by
// the hardware and its reference model. What happens in which cycle: docs/contracts/vortex-adapter.md.
#pragma once

namespace hw {

// What is counted: lookups of loads and the wait for the cache, or what Vortex counts of its own cache.
enum class ClientCounts { lookups, vortex };

// The defaults are the shape of Vortex as it comes.
struct VortexAdapterParams {
  int address_bits = 32;    // of a byte address
  int line_bytes = 64;      // 64 or 128
  int chunk_bytes = 32;     // of a chunk of the cache
  int lanes = 4;            // that a request of the core is for
  int lane_bytes = 4;       // of a lane, 4 or 8
  int ports = 1;            // of the core
  int tag_bits = 3;         // of a request of the core
  int requests = 0;         // of the core without an answer of the cache; 0: two a lane
  int core_id_bits = 8;     // of the cache's core side, enough to number them
  int memory_id_bits = 9;   // of the cache's memory side
  int memory_tag_bits = 6;  // of a request to memory
  int count_bits = 44;      // of each count
  ClientCounts counts = ClientCounts::lookups;

  bool operator==(const VortexAdapterParams&) const = default;
};

constexpr int chunks_of_line(const VortexAdapterParams& p) { return p.line_bytes / p.chunk_bytes; }
// Bytes of a word of the bus: one of each lane, at most a line.
constexpr int word_bytes(const VortexAdapterParams& p) {
  return p.lanes * p.lane_bytes < p.line_bytes ? p.lanes * p.lane_bytes : p.line_bytes;
}
constexpr int words_of_line(const VortexAdapterParams& p) { return p.line_bytes / word_bytes(p); }
// Requests of the core that the cache has not answered.
constexpr int core_requests(const VortexAdapterParams& p) { return p.requests ? p.requests : 2 * p.lanes; }
// Loads in flight to memory: as many as its tags distinguish, and not more than a cache ever has.
constexpr int memory_loads(const VortexAdapterParams& p) {
  return p.memory_tag_bits < 6 ? 1 << p.memory_tag_bits : 64;
}
// Stores that memory has taken and whose acknowledgement the cache has not received.
inline constexpr int acknowledgements = 4;

}  // namespace hw
