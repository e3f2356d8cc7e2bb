#include "gen/units/shared/l1_arbiter.h"

#include "hw/shared/l1_arbiter.h"

namespace gen {
namespace {

Unit elaborated(const hw::L1ArbiterParams& p, const std::string& top) {
  return {.top = hw::l1_arbiter(p, top)};
}

CosimMain cosim(const hw::L1ArbiterParams& p) {
  return cycle_bench("units/l1_arbiter_cosim.h", "L1ArbiterBench", "L1ArbiterParams", p, 300'000, {}, true);
}

}  // namespace

const UnitKind& l1_arbiter_unit() {
  static const UnitKind kind = unit_kind<hw::L1ArbiterParams>(
      elaborated, cosim, "is a part beside a cache: recorded traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
