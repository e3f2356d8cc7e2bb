// The adaptive-indexing monitor (ACI thesis, section 3.3).
#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "gen/units/keys/mechanisms.h"
#include "hw/l1d/l1d_params.h"
#include "hw/monitors/adi_monitor.h"
#include "hw/monitors/adi_ranges.h"

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

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::AdiMonitorParams>(
      elaborated, cosim, "is a monitor: recorded cache traffic needs a cache; use --trace or --random");
  return table;
}

using hw::AdiMonitorParams;

KeyInfo period_key() {
  return {.key = "adaptive.period",
          .type = KeyType::integer,
          .range = hw::AdiRanges::period,
          .depends = true,
          .unit = "misses of victimization, loads of selection",
          .meaning = "Samples T of a phase, any number up to 2^M.",
          .source = "ACI thesis, section 3.3",
          .suffix = "t"};
}

KeyInfo counter_bits_key() {
  return {.key = "adaptive.counter_bits",
          .type = KeyType::integer,
          .range = hw::AdiRanges::counter_bits,
          .depends = true,
          .unit = "bits",
          .meaning = "Width M of a counter.",
          .source = "ACI thesis, section 3.3",
          .suffix = "m"};
}

KeyInfo idle_key() {
  return {.key = "adaptive.idle",
          .type = KeyType::integer,
          .range = hw::AdiRanges::idle,
          .unit = "loads",
          .meaning = "Loads without monitoring between a selection and the next victimization.",
          .source = "ACI thesis, section 3.3",
          .suffix = "i"};
}

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int AdiMonitorParams::*member) {
    keys.push_back(field<AdiMonitorParams>(std::move(info), member));
  };
  add(address_bits_key(), &AdiMonitorParams::address_bits);
  add(line_bytes_key(), &AdiMonitorParams::line_bytes);
  add(sets_key(hw::AdiRanges::sets), &AdiMonitorParams::sets);
  add(period_key(), &AdiMonitorParams::period);
  add(counter_bits_key(), &AdiMonitorParams::counter_bits);
  add(idle_key(), &AdiMonitorParams::idle);
  return keys;
}

}  // namespace

std::vector<Key> adaptive_keys_of_l1d() {
  using hw::L1dParams, hw::AdaptiveParams;
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, const char* suffix, int AdaptiveParams::*member) {
    info.suffix = suffix;
    info.only_with = {"index.kind", {"adi"}};
    keys.push_back(field<L1dParams>(
        std::move(info), [member](auto& p) -> auto& { return p.adaptive.*member; }));
  };
  add(period_key(), "period", &AdaptiveParams::period);
  add(counter_bits_key(), "counter", &AdaptiveParams::counter_bits);
  add(idle_key(), "idle", &AdaptiveParams::idle);
  return keys;
}

namespace {

const Family& family() {
  static const Family family{.name = "adaptive-indexing monitor",
                             .doc = "watches a cache's loads and chooses the address bits of its set index",
                             .defaults = AdiMonitorParams{},
                             .unit = kind,
                             .keys = make_keys()};
  return family;
}

}  // namespace

std::vector<Preset> adi_monitor_unit() {
  return {{.place = 180,
           .name = "adi_monitor",
           .family = &family(),
           .doc = "adaptive indexing: victimization, selection and idle phases beside any cache",
           .source = "ACI thesis, section 3.3"}};
}

}  // namespace gen
