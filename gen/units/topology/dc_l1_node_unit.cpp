// An L1 data cache between four queues (DC-L1 thesis, chapter 5).
#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/l1d/l1d_unit.h"
#include "gen/units/topology/topology_keys.h"
#include "hw/l1d/l1d_ranges.h"
#include "hw/topology/dc_l1_node.h"

namespace gen {
namespace {

Unit elaborated(const hw::DcL1NodeParams& p, const std::string& top) {
  const hw::L1d node = hw::dc_l1_node(p, top);
  Unit unit{.top = node.module,
            .latency = node.facts.latency + 2,
            .tag_bits = node.facts.tag_bits,
            .accounts = storage_accounts(p.l1d, node.facts.tag_bits)};
  unit.facts["cache"] = cache_facts(p.l1d, node.facts);
  return unit;
}

CosimMain cosim(const hw::DcL1NodeParams& p) {
  CosimMain main =
      cycle_bench("noc/dc_l1_node_cosim.h", "DcL1NodeBench", "DcL1NodeParams", p, 200'000,
                  port_list(hw::dc_l1_node(p, "node").module), false, hw::is_protected(p.l1d.ecc));
  add_upsets(main, p.l1d.ecc, "cache.");
  return main;
}

std::vector<Key> node_keys() {
  using hw::DcL1NodeParams;
  std::vector<Key> keys;
  add_topology_key<DcL1NodeParams>(keys, queue_key(), &DcL1NodeParams::queue);
  for (const Key& inner : l1d_family().keys) {
    if (is_of_one_core(inner)) continue;
    Key key = of_cache<DcL1NodeParams>(inner);
    if (key.key == "geometry.capacity_bytes") key.range = hw::capacity_of_node;
    if (key.key == "mshr.entries") key.range = hw::entries_of_node;
    if (key.key == "core.id_bits") key.range.most += 7;
    keys.push_back(key);
  }
  return keys;
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::DcL1NodeParams>(
      elaborated, cosim, "has queues around its cache: recordings are of a cache alone; use --random");
  return table;
}

const Family& family() {
  static const Family family{
      .name = "DC-L1 node",
      .doc = "an L1 data cache between four queues",
      .defaults = hw::DcL1NodeParams{},
      .unit = kind,
      .keys = node_keys(),
      .settle = [](Params& params) { change_cache<hw::DcL1NodeParams>(params, l1d_family().settle); },
      .resolve = [](Params& params) { change_cache<hw::DcL1NodeParams>(params, l1d_family().resolve); },
      .check_given =
          [](const Values& given, const Params& params) {
            const auto& p = params.get<hw::DcL1NodeParams>();
            l1d_family().check_given(given, Params(p.l1d));
          }};
  return family;
}

}  // namespace

std::vector<Preset> dc_l1_node_unit() {
  return {{.place = 350,
           .name = "dc_l1_node",
           .family = &family(),
           .doc = "an l1d between four queues",
           .source = "DC-L1 thesis, chapter 5"}};
}

}  // namespace gen
