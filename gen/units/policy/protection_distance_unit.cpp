// The protection-distance bypass (ACI thesis, section 4.2.5).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "gen/units/keys/mechanisms.h"
#include "hw/l1d/l1d_params.h"
#include "hw/policy/protected_lines.h"
#include "hw/policy/protection_distance.h"
#include "hw/policy/protection_distance_ranges.h"

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

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::ProtectionDistanceParams>(
      elaborated, cosim, "is a part beside a cache: recorded traffic needs a cache; use --random");
  return table;
}

using hw::ProtectionDistanceParams;

KeyInfo distance_key() {
  return {.key = "bypass.protection_distance.distance",
          .range = hw::ProtectionDistanceRanges::distance,
          .unit = "loads",
          .meaning = "How many loads of its set a line is protected from, from its fill or last load on.",
          .source = "ACI thesis, section 4.2.5",
          .suffix = "distance"};
}

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  keys.push_back(field<ProtectionDistanceParams>({.key = "geometry.ways",
                                                  .range = hw::ProtectionDistanceRanges::ways,
                                                  .unit = "ways",
                                                  .meaning = "Lines of a set.",
                                                  .source = "ACI thesis, Table 4",
                                                  .suffix = "w"},
                                                 &ProtectionDistanceParams::ways));
  keys.push_back(field<ProtectionDistanceParams>(sets_key(hw::ProtectionDistanceRanges::sets),
                                                 &ProtectionDistanceParams::sets));
  keys.push_back(field<ProtectionDistanceParams>(distance_key(), &ProtectionDistanceParams::distance));
  return keys;
}

}  // namespace

std::vector<Key> protection_keys_of_l1d() {
  KeyInfo distance = distance_key();
  distance.only_with = {"bypass.kind", {"protection_distance"}};
  return {field<hw::L1dParams>(
      std::move(distance), [](auto& p) -> auto& { return p.bypass.protection_distance; })};
}

namespace {

const Family& family() {
  static const Family family{
      .name = "protection distance",
      .doc = "protects lines for some loads of their set; loads that find all protected bypass",
      .defaults = ProtectionDistanceParams{},
      .unit = kind,
      .keys = make_keys()};
  return family;
}

}  // namespace

std::vector<Preset> protection_distance_unit() {
  return {{.place = 250,
           .name = "protection_distance",
           .family = &family(),
           .doc = "protects lines for some loads of their set; loads that find all protected bypass",
           .source = "ACI thesis, section 4.2.5"}};
}

}  // namespace gen
