// What an adapter of an AXI4 bus can be built from.
#include <fmt/format.h>

#include <algorithm>

#include "hw/client/axi4_adapter.h"
#include "hw/client/axi4_adapter_ranges.h"
#include "hw/geometry_ranges.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"

namespace hw {

void check(const Axi4AdapterParams& p) {
  using Ranges = Axi4AdapterRanges;
  require_in(Ranges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the bus has wider addresses");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes, "use the line of the cache");
  require_in(GeometryRanges::chunk_bytes, "geometry.chunk_bytes", p.chunk_bytes,
             "use the sector of the cache");
  require(p.chunk_bytes <= p.line_bytes, "geometry.chunk_bytes", p.chunk_bytes,
          fmt::format("must be at most geometry.line_bytes = {}", p.line_bytes),
          "use the sector of the cache");
  require_in(Ranges::data_bytes, "s_axi.data_bytes", p.data_bytes, "use the width of the bus");
  require(p.data_bytes <= p.line_bytes, "s_axi.data_bytes", p.data_bytes,
          fmt::format("must be at most geometry.line_bytes = {}", p.line_bytes), "use longer lines");
  require_in(Ranges::id_bits, "s_axi.id_bits", p.id_bits, "use those of the bus");
  require_in(Ranges::slots, "s_axi.reads", p.reads, "use 32");
  require_in(Ranges::slots, "s_axi.writes", p.writes, "use 16");
  require_in(Ranges::core_id_bits, "core.id_bits", p.core_id_bits, "use 8, those of the cache");
  const int slots = std::max(p.reads, p.writes);
  require(p.core_id_bits > bits_to_number(slots), "core.id_bits", p.core_id_bits,
          fmt::format("cannot number {} beats of reads and as many of writes", slots),
          "use 8, those of the cache");
}

}  // namespace hw
