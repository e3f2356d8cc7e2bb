#include "gen/units/shared/route_select.h"

#include "hw/shared/route_select.h"

namespace gen {
namespace {

Unit elaborated(const hw::RouteParams& p, const std::string& top) {
  return {.top = hw::route_select(p, top), .facts = {{"core_nodes", hw::core_nodes(p)}}};
}

CosimMain cosim(const hw::RouteParams& p) {
  return cycle_bench("units/route_select_cosim.h", "RouteSelectBench", "RouteParams", p, 300'000);
}

}  // namespace

const UnitKind& route_select_unit() {
  static const UnitKind kind = unit_kind<hw::RouteParams>(
      elaborated, cosim, "is a part beside a cache: recorded traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
