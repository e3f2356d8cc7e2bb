#include "gen/units/shared/route_select_keys.h"

#include "gen/units/l1d/geometry_keys.h"
#include "gen/units/shared/route_select.h"
#include "gen/units/shared/shared_keys.h"

namespace gen {
namespace {

using hw::RouteParams;

KeyInfo number_of(const char* what, int least, const char* meaning) {
  return {.key = std::string("topology.") + what,
          .min = least,
          .max = 128,
          .depends = true,
          .unit = what,
          .meaning = meaning,
          .source = "DC-L1 thesis, chapter 4",
          .suffix = what};
}

std::vector<Key> make_keys() {
  return {field<RouteParams>(number_of("cores", 2, "Number X of cores."), &RouteParams::cores),
          field<RouteParams>(number_of("slices", 1, "Number L of L2 slices."), &RouteParams::slices),
          field<RouteParams>(home_key(), &RouteParams::home),
          field<RouteParams>(min_home_l2_key(), &RouteParams::min_home_l2),
          field<RouteParams>(mesh_width_key(), &RouteParams::width),
          field<RouteParams>(mesh_height_key(), &RouteParams::height),
          integers<RouteParams>(memory_nodes_key(), &RouteParams::memory_nodes),
          field<RouteParams>(address_bits_key(), &RouteParams::address_bits),
          field<RouteParams>(line_bytes_key(), &RouteParams::line_bytes),
          field<RouteParams>(sets_key(65536), &RouteParams::sets)};
}

}  // namespace

const Family& route_select_family() {
  static const Family family{.name = "route of a shared L1",
                             .doc = "whether a request goes to the own L1, the line's home, or the slice",
                             .defaults = RouteParams{.cores = 80, .slices = 32},  // as of all topologies
                             .unit = route_select_unit,
                             .keys = make_keys()};
  return family;
}

}  // namespace gen
