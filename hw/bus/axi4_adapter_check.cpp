// What an adapter of an AXI4 bus can be built from.
#include <fmt/format.h>

#include <algorithm>

#include "hw/bus/axi4_adapter.h"
#include "hw/bus/axi4_adapter_ranges.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"

namespace hw {

void check(const Axi4AdapterParams& p) {
  using Ranges = Axi4AdapterRanges;
  check_bus(p, "s_axi.data_bytes");
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
