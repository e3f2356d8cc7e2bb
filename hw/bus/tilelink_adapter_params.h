// Parameters of the adapter between a TileLink bus of a core and an L1 data cache, shared by the hardware
// and its reference model. What happens in which cycle: docs/contracts/tilelink-adapter.md.
#pragma once

namespace hw {

// Which addresses are of devices: none, or those whose device bit is 0, or 1.
enum class DeviceHalf { none, low, high };

struct TilelinkAdapterParams {
  int address_bits = 32;  // of a byte address
  int line_bytes = 128;   // of the cache
  int chunk_bytes = 32;   // of a sector of the cache
  int data_bytes = 32;    // of the bus
  int source_bits = 8;    // of a request's source
  int size_bits = 3;      // of the logarithm of a request's bytes
  int requests = 32;      // of the core without an answer of the cache
  int device_bit = 31;    // of an address
  DeviceHalf devices = DeviceHalf::low;
  int core_id_bits = 8;  // of the cache's core side, enough to number the requests
  int burst_bytes = 0;   // of the largest message; 0 = those of the bus

  bool operator==(const TilelinkAdapterParams&) const = default;
};

constexpr int chunks_of_line(const TilelinkAdapterParams& p) { return p.line_bytes / p.chunk_bytes; }
constexpr int words_of_line(const TilelinkAdapterParams& p) { return p.line_bytes / p.data_bytes; }
// Bytes of the largest message, and its beats: one on a TL-UL bus.
constexpr int largest_message(const TilelinkAdapterParams& p) {
  return p.burst_bytes ? p.burst_bytes : p.data_bytes;
}
constexpr int most_beats(const TilelinkAdapterParams& p) { return largest_message(p) / p.data_bytes; }

}  // namespace hw
