#include "gen/units/remote/remote_node.h"

#include "gen/units/l1d/l1d_accounts.h"
#include "hw/remote/remote_node.h"

namespace gen {
namespace {

Unit elaborated(const hw::RemoteNodeParams& p, const std::string& top) {
  const hw::L1d node = hw::remote_node(p, top);
  return {.top = node.module,
          .latency = node.facts.latency,
          .tag_bits = node.facts.tag_bits,
          .accounts = storage_accounts(p.l1d, node.facts.tag_bits)};
}

CosimMain cosim(const hw::RemoteNodeParams& p) {
  return cycle_bench("units/remote_node_cosim.h", "RemoteNodeBench", "RemoteNodeParams", p, 200'000);
}

}  // namespace

const UnitKind& remote_node_unit() {
  static const UnitKind kind = unit_kind<hw::RemoteNodeParams>(
      elaborated, cosim, "has other cores around its cache: recordings are of a cache alone; use --random");
  return kind;
}

}  // namespace gen
