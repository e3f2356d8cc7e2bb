#include "gen/units/axi4/axi4.h"

#include <fmt/format.h>

#include "hw/axi4/axi4_bridge.h"

namespace gen {
namespace {
Unit elaborated(const hw::Axi4BridgeParams& p, const std::string& top) {
  return {.top = hw::axi4_bridge(p, top),
          .latency = 1,
          .facts = {{"axi_data_bits", 8 * hw::beat_bytes(p)},
                    {"axi_id_bits", hw::axi_id_bits(p)},
                    {"order", "requests of one line take effect in the order in which they were accepted"}}};
}

CosimMain cosim(const hw::Axi4BridgeParams& p) {
  return cycle_bench("axi4/axi4_cosim.h", "Axi4Bench", "Axi4BridgeParams", p, 300'000);
}

}  // namespace

const UnitKind& axi4_bridge_unit() {
  static const UnitKind kind = unit_kind<hw::Axi4BridgeParams>(
      elaborated, cosim, "stands below a cache: recorded traffic enters above one; use --random");
  return kind;
}

}  // namespace gen
