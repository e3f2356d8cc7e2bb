#include "hw/index/index_unit.h"

#include <bit>

#include "hw/index/index_bxi.h"
#include "hw/index/index_cvi.h"
#include "hw/index/index_lin.h"
#include "hw/index/index_pli.h"
#include "hw/index/index_pri.h"
#include "hw/index/index_rxi.h"
#include "hw/require.h"

namespace hw {

void check(const IndexParams& p) {
  require(p.address_bits >= least_address_bits && p.address_bits <= 64, "geometry.address_bits",
          p.address_bits, fmt::format("must be from {} to 64", least_address_bits),
          "use 32 unless the GPU's addresses are wider");
  require(
      p.line_bytes >= 32 && p.line_bytes <= 256 && std::has_single_bit(static_cast<unsigned>(p.line_bytes)),
      "geometry.line_bytes", p.line_bytes, "must be 32, 64, 128 or 256",
      "use 128, the line of the reference cache");
  require(p.sets >= 2 && p.sets <= 1 << max_index_bits && std::has_single_bit(static_cast<unsigned>(p.sets)),
          "index.sets", p.sets, "must be a power of two from 2 to 65536",
          "use 32, the sets of the reference cache");
  require(index_bits(p) < block_address_bits(p), "index.sets", p.sets,
          fmt::format("leaves no tag bit of the {}-bit block address", block_address_bits(p)),
          fmt::format("use at most {} sets or more address bits",
                      std::uint64_t{1} << (block_address_bits(p) - 1)));
  require(p.latency >= 0 && p.latency <= 4, "index.latency", p.latency, "must be from 0 to 4 pipeline stages",
          "use 0 unless the index limits the clock");
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
