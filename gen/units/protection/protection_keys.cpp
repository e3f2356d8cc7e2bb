#include "gen/units/protection/protection_keys.h"

#include "gen/units/l1d/geometry_keys.h"
#include "gen/units/protection/protection.h"

namespace gen {
namespace {

using hw::ProtectionDistanceParams;

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  keys.push_back(field<ProtectionDistanceParams>({.key = "geometry.ways",
                                                  .min = 1,
                                                  .max = 16,
                                                  .unit = "ways",
                                                  .meaning = "Lines of a set.",
                                                  .source = "ACI thesis, Table 4",
                                                  .suffix = "w"},
                                                 &ProtectionDistanceParams::ways));
  keys.push_back(field<ProtectionDistanceParams>(sets_key(1024), &ProtectionDistanceParams::sets));
  keys.push_back(field<ProtectionDistanceParams>(distance_key(), &ProtectionDistanceParams::distance));
  return keys;
}

}  // namespace

KeyInfo distance_key() {
  return {.key = "bypass.protection_distance.distance",
          .min = 1,
          .max = 255,
          .unit = "loads",
          .meaning = "How many loads of its set a line is protected from, from its fill or last load on.",
          .source = "ACI thesis, section 4.2.5",
          .suffix = "distance"};
}

const Family& protection_family() {
  static const Family family{
      .name = "protection distance",
      .doc = "protects lines for some loads of their set; loads that find all protected bypass",
      .defaults = ProtectionDistanceParams{},
      .unit = protection_unit,
      .keys = make_keys()};
  return family;
}

}  // namespace gen
