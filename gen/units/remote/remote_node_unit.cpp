// A core among cores that search each other's L1s (DC-L1 thesis, chapter 3).
#include <algorithm>
#include <array>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/l1d/l1d_unit.h"
#include "gen/units/remote/remote_keys.h"
#include "gen/units/shared/shared_keys.h"
#include "hw/remote/remote_node.h"
#include "hw/remote/remote_ranges.h"

namespace gen {
namespace {

Unit elaborated(const hw::RemoteNodeParams& p, const std::string& top) {
  const hw::L1d node = hw::remote_node(p, top);
  return {.top = node.module,
          .latency = node.facts.latency,
          .tag_bits = node.facts.tag_bits,
          .accounts = storage_accounts(p.l1d, node.facts.tag_bits)};
}

CosimMain cosim(const hw::RemoteNodeParams& p) {
  CosimMain main = cycle_bench("units/remote_node_cosim.h", "RemoteNodeBench", "RemoteNodeParams", p, 500'000,
                               {}, false, hw::is_protected(p.l1d.ecc));
  add_upsets(main, p.l1d.ecc, "cache.");
  return main;
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::RemoteNodeParams>(
      elaborated, cosim, "has other cores around its cache: recordings are of a cache alone; use --random");
  return table;
}

using hw::RemoteNodeParams, hw::RemoteParams, hw::SharingPredictorParams;

// The text of a unit by itself about a key; `suffix` distinguishes it from the texts of caches.
KeyInfo of_unit(const Family& unit, const char* key, const char* suffix) {
  KeyInfo info = *unit.find(key);
  info.suffix = suffix;
  return info;
}

void add_remote_keys(std::vector<Key>& keys) {
  const auto add = [&](const Family& unit, const char* key, const char* suffix, auto RemoteParams::*member) {
    keys.push_back(field<RemoteNodeParams>(
        of_unit(unit, key, suffix), [member](auto& p) -> auto& { return p.remote.*member; }));
  };
  const Family &selector = core_selector_family(), &table = probe_table_family(),
               &handler = probe_handler_family();
  add(selector, "remote.coverage", "coverage", &RemoteParams::coverage);
  add(selector, "remote.probes", "probes", &RemoteParams::probes);
  add(selector, "remote.probability", "probability", &RemoteParams::probability);
  add(table, "remote.timeout", "timeout", &RemoteParams::timeout);
  add(handler, "remote.incoming", "incoming", &RemoteParams::incoming);
  add(handler, "remote.forwarded", "forwarded", &RemoteParams::forwarded);
  add(handler, "remote.replies", "replies", &RemoteParams::replies);
  add(table, "remote.outgoing", "outgoing", &RemoteParams::outgoing);
  add(handler, "remote.deflected", "deflected", &RemoteParams::deflected);
}

void add_guard_keys(std::vector<Key>& keys) {
  const auto add = [&](KeyInfo info, auto RemoteParams::*member) {
    info.source = "private-store rule beside DC-L1 thesis, chapter 3";
    keys.push_back(field<RemoteNodeParams>(
        std::move(info), [member](auto& p) -> auto& { return p.remote.*member; }));
  };
  add({.key = "remote.wait_limit",
       .range = hw::RemoteRanges::wait_limit,
       .unit = "cycles",
       .meaning =
           "After so many cycles a probe goes before the requests of the core whose L1 it is to search.",
       .suffix = "probe_wait"},
      &RemoteParams::wait_limit);
  add({.key = "remote.own_store_guard",
       .type = KeyType::boolean,
       .meaning =
           "Loads of a core see its stores: a filter remembers the lines that it has stored to, and its "
           "misses to those lines go to L2. The thesis has none.",
       .suffix = "guard"},
      &RemoteParams::own_store_guard);
  KeyInfo bits = filter_bits_key();
  bits.key = "remote.filter_bits";
  bits.meaning =
      "Log2 of the bits of the filter over lines that were stored to; at most the bits of a block address.";
  add(bits, &RemoteParams::filter_bits);
}

void add_predictor_keys(std::vector<Key>& keys) {
  const Family& unit = sharing_predictor_family();
  const auto of = [](auto member) {
    return [member](auto& p) -> auto& { return p.remote.predictor.*member; };
  };
  keys.push_back(field<RemoteNodeParams>(of_unit(unit, "predictor.kind", "predicts_"),
                                         of(&SharingPredictorParams::kind)));
  keys.push_back(field<RemoteNodeParams>(of_unit(unit, "predictor.entries", "pcs"),
                                         of(&SharingPredictorParams::entries)));
  keys.push_back(field<RemoteNodeParams>(of_unit(unit, "predictor.pc_bits", "pc_bits"),
                                         of(&SharingPredictorParams::pc_bits)));
  keys.push_back(integers<RemoteNodeParams>(of_unit(unit, "predictor.window", "window"),
                                            of(&SharingPredictorParams::window)));
  keys.push_back(integers<RemoteNodeParams>(of_unit(unit, "predictor.shared", "predicted"),
                                            of(&SharingPredictorParams::shared)));
  keys.push_back(integers<RemoteNodeParams>(of_unit(unit, "predictor.threshold", "replied"),
                                            of(&SharingPredictorParams::threshold)));
}

void add_selector_keys(std::vector<Key>& keys) {
  const Family& unit = core_selector_family();
  const auto add = [&](const char* key, const char* suffix, auto RemoteParams::*member) {
    keys.push_back(field<RemoteNodeParams>(
        of_unit(unit, key, suffix), [member](auto& p) -> auto& { return p.remote.*member; }));
  };
  keys.push_back(field<RemoteNodeParams>(selector_core_key(), &RemoteNodeParams::core));
  add("selector.kind", "by_", &RemoteParams::selector);
  add("selector.period", "selector_period", &RemoteParams::selector_period);
  add("selector.count_bits", "selector_count", &RemoteParams::selector_count_bits);
  add("selector.stages", "selector_stages", &RemoteParams::selector_stages);
  keys.push_back(field<RemoteNodeParams>(
      of_unit(probe_table_family(), "table.stages", "table_stages"),
      [](auto& p) -> auto& { return p.remote.table_stages; }));
}

// Of the L1: what a conventional cache without a policy has, and nothing that the node decides.
void add_l1_keys(std::vector<Key>& keys) {
  static constexpr std::array tables{"geometry.", "index.", "adaptive.", "mshr.",
                                     "counters.", "check.", "ecc."};
  for (const Key& inner : l1d_family().keys) {
    const bool counts =
        std::ranges::any_of(tables, [&](const char* table) { return inner.key.starts_with(table); });
    if (!counts && inner.key != "tags.replacement" && inner.key != "core.id_bits") continue;
    Key key = of_cache<RemoteNodeParams>(inner);
    if (key.only_with.first == "tags.kind") key.only_with = {};  // tags are conventional
    if (key.key == "mshr.entries") key.range = {hw::RemoteRanges::entries.least, 64};
    keys.push_back(key);
  }
}

std::vector<Key> make_remote_node_keys() {
  std::vector<Key> keys;
  keys.push_back(field<RemoteNodeParams>(remote_cores_key(), &RemoteNodeParams::cores));
  add_remote_keys(keys);
  add_guard_keys(keys);
  add_predictor_keys(keys);
  add_selector_keys(keys);
  add_l1_keys(keys);
  return keys;
}

const Family& family() {
  static const Family family{
      .name = "core that others search",
      .doc = "an L1 whose misses are looked for in other cores' L1s, and that is searched by them",
      .defaults = RemoteNodeParams{.cores = 80},  // as of all topologies
      .unit = kind,
      .keys = make_remote_node_keys(),
      .settle = [](Params& params) { change_cache<RemoteNodeParams>(params, l1d_family().settle); },
      .resolve = [](Params& params) { change_cache<RemoteNodeParams>(params, l1d_family().resolve); },
      .check_given =
          [](const Values& given, const Params& params) {
            l1d_family().check_given(given, Params(params.get<RemoteNodeParams>().l1d));
          }};
  return family;
}

}  // namespace

std::vector<Preset> remote_node_unit() {
  return {{.place = 490,
           .name = "remote_node",
           .family = &family(),
           .doc = "a core's L1 with all units of remote-core probing, between two networks",
           .source = "DC-L1 thesis, chapter 3",
           .overrides = {{"topology.cores", std::int64_t{28}}}}};
}

}  // namespace gen
