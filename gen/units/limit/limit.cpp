#include "gen/units/limit/limit.h"

#include "hw/limit/warp_limit.h"

namespace gen {
namespace {

Unit elaborated(const hw::LimitParams& p, const std::string& top) {
  return {.top = hw::warp_limit(p, top),
          .accounts = {{"launch order", 1, {{"pairs", hw::order_bits(p)}}, true},
                       {"slots with a warp", 1, {{"launched", p.warps}}}}};
}

CosimMain cosim(const hw::LimitParams& p) {
  return cycle_bench("units/warp_limit_cosim.h", "WarpLimitBench", "LimitParams", p, 300'000);
}

}  // namespace

const UnitKind& warp_limit_unit() {
  static const UnitKind kind = unit_kind<hw::LimitParams>(
      elaborated, cosim, "stands beside a warp scheduler: recorded traffic is of a cache; use --random");
  return kind;
}

}  // namespace gen
