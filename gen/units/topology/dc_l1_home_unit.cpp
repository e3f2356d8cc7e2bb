// Which slice and which node an address belongs to (DC-L1 thesis, chapter 5).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "gen/units/topology/topology_keys.h"
#include "hw/topology/topology.h"

namespace gen {
namespace {

const char* const no_cache = "is a part of a network: recorded cache traffic needs a cache; use --random";

Unit elaborated(const hw::HomeParams& p, const std::string& top) {
  const rtl::Module module = hw::home_selection(p, top);
  const hw::HomeMap map = hw::home_map(p.shape);
  return {.top = module,
          .facts = {{"homes", map.homes},
                    {"slices_a_home", map.slices_a_home},
                    {"home_field_low", map.field_low},
                    {"home_field_bits", map.field_bits}}};
}

CosimMain cosim(const hw::HomeParams& p) {
  return cycle_bench("noc/home_cosim.h", "HomeBench", "HomeParams", p, 200'000);
}

std::vector<Key> home_keys() {
  using hw::HomeParams;
  std::vector<Key> keys;
  add_shape<HomeParams>(keys, crossbar_kinds());
  keys.push_back(field<HomeParams>(address_bits_key(), &HomeParams::address_bits));
  add_topology_key<HomeParams>(keys, squeeze_key(), &HomeParams::squeeze);
  return keys;
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::HomeParams>(elaborated, cosim, no_cache);
  return table;
}

const Family& family() {
  static const Family family{.name = "home selection",
                             .doc = "which slice and which node an address belongs to",
                             .defaults = hw::HomeParams{},
                             .unit = kind,
                             .keys = home_keys()};
  return family;
}

}  // namespace

std::vector<Preset> dc_l1_home_unit() {
  return {{.place = 310,
           .name = "dc_l1_home",
           .family = &family(),
           .doc = "slice and home of an address, and what its node's cache sees of it",
           .source = "DC-L1 thesis, chapter 5"}};
}

}  // namespace gen
