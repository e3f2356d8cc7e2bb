// An L1 data cache behind a coalescer.
#include <algorithm>
#include <array>
#include <iterator>

#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/coalescer/lane_keys.h"
#include "gen/units/l1d/l1d_unit.h"
#include "hw/coalescer/coalescer_ranges.h"
#include "hw/coalescer/l1_subsystem.h"

namespace gen {
namespace {

using hw::L1SubsystemParams;

Unit elaborated(const L1SubsystemParams& p, const std::string& top) {
  const hw::L1d unit = hw::l1_subsystem(p, top);
  Unit made{.top = unit.module,
            .latency = p.stages + unit.facts.latency + p.answer_stages,
            .tag_bits = unit.facts.tag_bits,
            .accounts = storage_accounts(p.l1d, unit.facts.tag_bits)};
  std::ranges::move(accounts_of(hw::coalescer_of(p)), std::back_inserter(made.accounts));
  made.facts["cache"] = cache_facts(p.l1d, unit.facts);
  return made;
}

CosimMain cosim(const L1SubsystemParams& p) {
  CosimMain main =
      cycle_bench("coalescer/l1_subsystem_cosim.h", "L1SubsystemBench", "L1SubsystemParams", p, 300'000,
                  port_list(hw::l1_subsystem(p, "unit").module), false, hw::is_protected(p.l1d.ecc));
  add_upsets(main, p.l1d.ecc, p.l1d.protocol == hw::MemoryProtocol::axi4 ? "cache.core." : "cache.");
  return main;
}

// Kinds of requests that no lane sends, and what belongs to a core that issues requests itself.
bool is_of_no_lane(const Key& key) {
  static constexpr std::array keys{"core.drops", "core.peeks", "core.pc_bits"};
  return std::ranges::count(keys, key.key) > 0;
}

std::vector<Key> subsystem_keys() {
  std::vector<Key> keys;
  add_lane_keys<L1SubsystemParams>(keys);
  for (const Key& inner : l1d_family().keys) {
    if (is_of_no_lane(inner)) continue;
    Key key = of_cache<L1SubsystemParams>(inner);
    if (key.key == "core.id_bits") {  // the coalescer numbers requests, and all its instructions
      key.range = hw::CoalescerRanges::core_id_bits;
      key.depends = true;
    }
    keys.push_back(key);
  }
  return keys;
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<L1SubsystemParams>(
      elaborated, cosim, "takes instructions of lanes: recorded traffic has requests of lines; use --random");
  return table;
}

const Family& family() {
  static const Family family{
      .name = "L1 subsystem",
      .doc = "an L1 data cache behind a coalescer, from a SIMT core's lanes to memory",
      .defaults = L1SubsystemParams{},
      .unit = kind,
      .keys = subsystem_keys(),
      .settle = [](Params& params) { change_cache<L1SubsystemParams>(params, l1d_family().settle); },
      .resolve = [](Params& params) { change_cache<L1SubsystemParams>(params, l1d_family().resolve); },
      .check_given =
          [](const Values& given, const Params& params) {
            l1d_family().check_given(given, Params(params.get<L1SubsystemParams>().l1d));
          }};
  return family;
}

}  // namespace

std::vector<Preset> l1_subsystem_unit() {
  return {{.place = 506,
           .name = "l1_subsystem",
           .family = &family(),
           .doc = "an l1d behind a coalescer: a SIMT core's lanes on one side, memory on the other",
           .source = "TSC, section 2.1; BUCL, section 2"}};
}

}  // namespace gen
