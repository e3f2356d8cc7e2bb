// Routes of shared L1s (DC-L1 thesis, chapter 4).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "gen/units/noc/flit_keys.h"
#include "gen/units/shared/shared_keys.h"
#include "hw/index/index_ranges.h"
#include "hw/shared/route_select.h"
#include "hw/shared/shared_ranges.h"

namespace gen {

KeyInfo home_key() {
  return {.key = "shared.home",
          .type = KeyType::choice,
          .choices = {"core_bits", "tag_mod"},
          .meaning =
              "What a line's home is chosen by: the lowest bits of its tag, numbers of no core folded to "
              "the first ones; or the whole tag modulo the cores.",
          .source = "DC-L1 thesis, chapter 4",
          .suffix = ""};
}

KeyInfo min_home_l2_key() {
  return {.key = "shared.min_home_l2",
          .type = KeyType::boolean,
          .meaning = "A request goes to the slice, past all L1s, where that is nearer than the line's home.",
          .source = "DC-L1 thesis, chapter 4",
          .suffix = "min"};
}

KeyInfo memory_nodes_key() {
  return {.key = "mesh.memory_nodes",
          .type = KeyType::integers,
          .range = hw::SharedRanges::memory_node,
          .max_items = hw::MemoryNodes::most,
          .depends = true,
          .unit = "nodes",
          .meaning = "Nodes of the slices, by the slice; cores take the others, ascending.",
          .source = "this generator's choice",
          .suffix = "memory_nodes"};
}

namespace {

Unit elaborated(const hw::RouteParams& p, const std::string& top) {
  return {.top = hw::route_select(p, top), .facts = {{"core_nodes", hw::core_nodes(p)}}};
}

CosimMain cosim(const hw::RouteParams& p) {
  return cycle_bench("units/route_select_cosim.h", "RouteSelectBench", "RouteParams", p, 300'000);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::RouteParams>(
      elaborated, cosim, "is a part beside a cache: recorded traffic needs a cache; use --random");
  return table;
}

using hw::RouteParams;

KeyInfo number_of(const char* what, const hw::Range& range, const char* meaning) {
  return {.key = std::string("topology.") + what,
          .range = range,
          .depends = true,
          .unit = what,
          .meaning = meaning,
          .source = "DC-L1 thesis, chapter 4",
          .suffix = what};
}

std::vector<Key> make_keys() {
  return {field<RouteParams>(number_of("cores", hw::SharedRanges::cores, "Number X of cores."),
                             &RouteParams::cores),
          field<RouteParams>(number_of("slices", hw::SharedRanges::slices, "Number L of L2 slices."),
                             &RouteParams::slices),
          field<RouteParams>(home_key(), &RouteParams::home),
          field<RouteParams>(min_home_l2_key(), &RouteParams::min_home_l2),
          field<RouteParams>(mesh_width_key(), &RouteParams::width),
          field<RouteParams>(mesh_height_key(), &RouteParams::height),
          integers<RouteParams>(memory_nodes_key(), &RouteParams::memory_nodes),
          field<RouteParams>(address_bits_key(), &RouteParams::address_bits),
          field<RouteParams>(line_bytes_key(), &RouteParams::line_bytes),
          field<RouteParams>(sets_key(hw::IndexRanges::sets), &RouteParams::sets)};
}

const Family& family() {
  static const Family family{.name = "route of a shared L1",
                             .doc = "whether a request goes to the own L1, the line's home, or the slice",
                             .defaults = RouteParams{.cores = 80, .slices = 32},  // as of all topologies
                             .unit = kind,
                             .keys = make_keys()};
  return family;
}

}  // namespace

std::vector<Preset> route_select_unit() {
  return {{.place = 410,
           .name = "route_select",
           .family = &family(),
           .doc = "home and slice of a core's request, and which of them it goes to",
           .source = "DC-L1 thesis, section 4.3",
           .overrides = {{"topology.cores", std::int64_t{28}}, {"topology.slices", std::int64_t{8}}}}};
}

}  // namespace gen
