#include "gen/units/protection/protection.h"

#include "hw/policy/protected_lines.h"
#include "hw/policy/protection_distance.h"

namespace gen {

StorageAccount protection_account(const hw::ProtectionDistanceParams& p) {
  return {"protection distance", std::int64_t{p.sets} * p.ways, {{"remaining", hw::rpd_bits(p)}}, true};
}

namespace {

Unit elaborated(const hw::ProtectionDistanceParams& p, const std::string& top) {
  Unit unit{.top = hw::protection_distance(p, top), .accounts = {protection_account(p)}};
  unit.facts = {{"published_bits_of_16_cores", 16 * published_bits(unit.accounts)}};
  return unit;
}

CosimMain cosim(const hw::ProtectionDistanceParams& p) {
  return cycle_bench("units/protection_distance_cosim.h", "ProtectionDistanceBench",
                     "ProtectionDistanceParams", p, 300'000, {}, true);
}

}  // namespace

const UnitKind& protection_unit() {
  static const UnitKind kind = unit_kind<hw::ProtectionDistanceParams>(
      elaborated, cosim, "is a part beside a cache: recorded traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
