// What adapters of cores' buses have in common: ranges and rules of their address and of the line behind
// them.
#pragma once
#include <fmt/format.h>

#include "hw/geometry_ranges.h"
#include "hw/require.h"

namespace hw {

struct BusRanges {
  static constexpr Range address_bits{32, 64};
  static constexpr Range data_bytes{4, 64, true};
};

// `data_bytes` is the name of the key that has the bus' width.
template <class Params>
void check_bus(const Params& p, const char* data_bytes) {
  require_in(BusRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the bus has wider addresses");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes, "use the line of the cache");
  require_in(GeometryRanges::chunk_bytes, "geometry.chunk_bytes", p.chunk_bytes,
             "use the sector of the cache");
  require(p.chunk_bytes <= p.line_bytes, "geometry.chunk_bytes", p.chunk_bytes,
          fmt::format("must be at most geometry.line_bytes = {}", p.line_bytes),
          "use the sector of the cache");
  require_in(BusRanges::data_bytes, data_bytes, p.data_bytes, "use the width of the bus");
  require(p.data_bytes <= p.line_bytes, data_bytes, p.data_bytes,
          fmt::format("must be at most geometry.line_bytes = {}", p.line_bytes), "use longer lines");
}

}  // namespace hw
