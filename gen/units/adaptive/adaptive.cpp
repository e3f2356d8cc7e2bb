#include "gen/units/adaptive/adaptive.h"

#include <fmt/format.h>

#include "hw/adaptive/adi_monitor.h"

namespace gen {

std::vector<StorageAccount> storage_accounts(const hw::AdiMonitorParams& p) {
  const hw::AdiMonitorFacts f = hw::adi_monitor(p, "monitor").facts;
  std::vector<StorageAccount> accounts;
  if (f.victimization_bits)
    accounts.push_back({"victimization", hw::counters(p), {{"counter", p.counter_bits}}, true});
  accounts.push_back(
      {"selection", hw::candidates(p), {{"last_values", hw::entries(p)}, {"changes", p.counter_bits}}, true});
  accounts.push_back({"selected bits", hw::index_bits(p), {{"sel", hw::sel_bits(p)}}, true});
  accounts.push_back({"valid bits of the tag cache", hw::entries(p), {{"valid", 1}}});
  accounts.push_back({"control of the monitor", 1, {{"state", f.control_bits}}});
  return accounts;
}

nlohmann::ordered_json adaptive_facts(const hw::AdiMonitorParams& p) {
  const hw::AdiMonitorFacts f = hw::adi_monitor(p, "monitor").facts;
  const int published = f.victimization_bits + f.selection_bits + f.sel_bits;
  return {{"storage_in_flops",
           {{"victimization_bits", f.victimization_bits},
            {"selection_bits", f.selection_bits},
            {"sel_bits", f.sel_bits},
            {"published_bits", published},
            {"published_bits_of_16_caches", 16 * published},
            {"valid_bits", f.valid_bits},
            {"control_bits", f.control_bits},
            {"all_bits", published + f.valid_bits + f.control_bits}}},
          {"victim_search_cycles", f.victim_search},
          {"winner_search_cycles", f.winner_search}};
}

namespace {

Unit elaborated(const hw::AdiMonitorParams& p, const std::string& top) {
  const hw::AdiMonitor unit = hw::adi_monitor(p, top);
  nlohmann::ordered_json facts{
      {"tag", "sel changes at run time, so the cache beside it stores the whole block address"},
      {"tag_bits_beyond_a_static_index", hw::index_bits(p)}};
  facts.update(adaptive_facts(p));
  return {.top = unit.module,
          .tag_bits = hw::block_address_bits(p),
          .accounts = storage_accounts(p),
          .facts = facts};
}

CosimMain cosim(const hw::AdiMonitorParams& p) {
  return {.header = "units/adi_cosim.h",
          .params_type = "AdiMonitorParams",
          .params = cpp_params("AdiMonitorParams", p),
          .report = "verif::AdiCosim<Vdut, params>(o, add_probes).run()"};
}

}  // namespace

const UnitKind& adi_unit() {
  static const UnitKind kind = unit_kind<hw::AdiMonitorParams>(
      elaborated, cosim, "is a monitor: recorded cache traffic needs a cache; use --trace or --random");
  return kind;
}

}  // namespace gen
