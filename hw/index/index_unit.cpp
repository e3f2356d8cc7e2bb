#include "hw/index/index_unit.h"

#include <bit>

#include "hw/geometry_ranges.h"
#include "hw/index/index_bxi.h"
#include "hw/index/index_cvi.h"
#include "hw/index/index_lin.h"
#include "hw/index/index_pli.h"
#include "hw/index/index_pri.h"
#include "hw/index/index_ranges.h"
#include "hw/index/index_rxi.h"
#include "hw/require.h"

namespace hw {

void check(const IndexParams& p) {
  require_in({least_address_bits, GeometryRanges::address_bits.most}, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes,
             "use 128, the line of the reference cache");
  require_in(IndexRanges::sets, "index.sets", p.sets, "use 32, the sets of the reference cache");
  require(index_bits(p) < block_address_bits(p), "index.sets", p.sets,
          fmt::format("leaves no tag bit of the {}-bit block address", block_address_bits(p)),
          fmt::format("use at most {} sets or more address bits",
                      std::uint64_t{1} << (block_address_bits(p) - 1)));
  require_in(IndexRanges::latency, "index.latency", p.latency, "use 0 unless the index limits the clock");
  if (p.kind == IndexKind::rxi) {
    require(p.sets == 32, "index.sets", p.sets, "rxi is published for 32 sets only",
            "use 32 sets, or another index.kind");
    require(p.line_bytes == 128, "geometry.line_bytes", p.line_bytes,
            "rxi is published for 128-byte lines only", "use 128-byte lines, or another index.kind");
  }
  if (p.kind == IndexKind::lin) check_lin(p);
  if (p.kind == IndexKind::pli) check_pli(p);
}

IndexUnit index_unit(const IndexParams& p, const std::string& name) {
  check(p);
  require(p.kind != IndexKind::adi, "index.kind", "adi",
          "needs the monitor inside a cache, which moves its bits", "use preset l1d_adi");
  switch (p.kind) {
    case IndexKind::cvi:
      return linear_index(p, index_cvi(p), name);
    case IndexKind::bxi:
      return linear_index(p, index_bxi(p), name);
    case IndexKind::rxi:
      return linear_index(p, index_rxi(p), name);
    case IndexKind::lin:
      return linear_index(p, index_lin(p), name);
    case IndexKind::pli:
      return linear_index(p, index_pli(p), name);
    case IndexKind::pri:
    case IndexKind::adi:
      break;
  }
  return index_pri(p, name);
}

}  // namespace hw
