#include "gen/units/mesh/butterfly.h"

#include "gen/units/mesh/flit_wires.h"
#include "hw/noc/butterfly.h"

namespace gen {
namespace {

Unit elaborated(const hw::ButterflyParams& p, const std::string& top) {
  const int stages = p.size.stages, ports = hw::ports_of(p.size);
  return {.top = hw::butterfly(p, top),
          .latency = 2 * stages + p.link_stages * (stages - 1),
          .facts = {{"ports", ports},
                    {"switches", stages * ports / p.size.radix},
                    {"credit_loop_between_stages", 3 + 2 * p.link_stages}}};
}

CosimMain cosim(const hw::ButterflyParams& p) {
  return cycle_bench("noc/butterfly_cosim.h", "ButterflyBench", "ButterflyParams", p, 200'000,
                     flit_wires(hw::ports_of(p.size), p.side_bits > 0), true);
}

}  // namespace

const UnitKind& butterfly_unit() {
  static const UnitKind kind = unit_kind<hw::ButterflyParams>(
      elaborated, cosim, "is a part of a network: recorded cache traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
