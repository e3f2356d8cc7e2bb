#include "hw/l1d/probe_ports.h"

#include <map>

#include "hw/l1d/probe_params.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

void add_probe_ports(rtl::Module& m, const L1dParams& p, const ProbeStage& probe,
                     const LoadResults& results) {
  m.section("The load that leaves the probe stage, for monitors beside the cache.");
  const Expr fetches = results.partial_miss | results.miss;
  const std::map<std::string_view, Expr> values{
      {"probe_valid", probe.commit.fire & probe.verdict.load},
      {"probe_block_address", probe.request.block_address},
      {"probe_set", probe.request.set_index},
      {"probe_miss", results.down},
      {"probe_result", cat({results.bypass, fetches, results.hit_pending | results.miss})},
      {"probe_chunks", mux(fetches, results.missed, lit(results.missed.width(), 0))}};
  for (const ProbePort& port : probe_ports)
    m.assign(m.output(std::string(port.name), port.width(p), std::string(port.doc)), values.at(port.name));
}

}  // namespace hw
