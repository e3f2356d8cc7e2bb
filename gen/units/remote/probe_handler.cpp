#include "gen/units/remote/probe_handler.h"

#include "gen/cosim/port_list.h"
#include "hw/remote/probe_handler.h"

namespace gen {
namespace {

std::vector<StorageAccount> accounts_of(const hw::ProbeHandlerParams& p) {
  const std::vector<std::pair<std::string, int>> probe{{"leader", 1},
                                                       {"group", p.group_bits},
                                                       {"targets", hw::list_bits(p)},
                                                       {"pointer", hw::pointer_bits(p)},
                                                       {"line", hw::line_bits(p)}};
  std::vector<StorageAccount> accounts{
      {"incoming probes", p.incoming, probe},
      {"probes at the L1", hw::most_peeks(p), probe},
      {"forwarded probes", p.forwarded, probe},
      {"replies", p.replies, {{"group", p.group_bits}, {"data", 8 * p.line_bytes}}}};
  if (p.deflected) accounts.push_back({"deflected probes", p.deflected, probe});
  return accounts;
}

Unit elaborated(const hw::ProbeHandlerParams& p, const std::string& top) {
  return {.top = hw::probe_handler(p, top), .latency = 1, .accounts = accounts_of(p)};
}

CosimMain cosim(const hw::ProbeHandlerParams& p) {
  return cycle_bench("units/probe_handler_cosim.h", "ProbeHandlerBench", "ProbeHandlerParams", p, 1'000'000,
                     {}, true);
}

}  // namespace

const UnitKind& probe_handler_unit() {
  static const UnitKind kind = unit_kind<hw::ProbeHandlerParams>(
      elaborated, cosim, "searches a cache for others: recorded traffic needs one; use --random");
  return kind;
}

}  // namespace gen
