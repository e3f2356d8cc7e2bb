// Parameters of the adapter between an AXI4 bus of a core and an L1 data cache, shared by the hardware and
// its reference model. What happens in which cycle: docs/contracts/axi4-adapter.md.
#pragma once

namespace hw {

// Which accesses the cache may hold: those with an allocate bit of AxCACHE, or all.
enum class Axi4Cacheable { attributes, all };

struct Axi4AdapterParams {
  int address_bits = 32;  // of a byte address
  int line_bytes = 128;   // of the cache
  int chunk_bytes = 32;   // of a sector of the cache
  int data_bytes = 32;    // of the bus
  int id_bits = 4;        // of an ID of the bus
  int reads = 32;         // beats of reads on their way
  int writes = 16;        // beats of writes on their way
  Axi4Cacheable cacheable = Axi4Cacheable::attributes;
  int core_id_bits = 8;  // of the cache's core side, enough to number reads and writes

  bool operator==(const Axi4AdapterParams&) const = default;
};

constexpr int chunks_of_line(const Axi4AdapterParams& p) { return p.line_bytes / p.chunk_bytes; }
constexpr int words_of_line(const Axi4AdapterParams& p) { return p.line_bytes / p.data_bytes; }

}  // namespace hw
