// The core selector (DC-L1 thesis, section 3.3.3).
#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/remote/remote_keys.h"
#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector.h"
#include "hw/remote/remote_ranges.h"

namespace gen {

KeyInfo remote_cores_key() {
  return {.key = "topology.cores",
          .range = hw::RemoteRanges::cores,
          .depends = true,
          .unit = "cores",
          .meaning = "Number X of cores.",
          .source = remote_source,
          .suffix = "cores"};
}

KeyInfo selector_core_key() {
  return {.key = "selector.core",
          .range = hw::RemoteRanges::core,
          .depends = true,
          .unit = "core",
          .meaning = "Of a unit that stands alone: the number of the core that it is beside.",
          .source = remote_source,
          .suffix = "of_core"};
}

KeyInfo coverage_key() {
  return {.key = "remote.coverage",
          .range = hw::RemoteRanges::coverage,
          .depends = true,
          .unit = "cores",
          .meaning = "Cores that are searched for a line, C of IP(C,S,P); at most all others.",
          .source = "DC-L1 thesis, section 3.3",
          .suffix = "c"};
}

KeyInfo probes_key() {
  return {.key = "remote.probes",
          .range = hw::RemoteRanges::probes,
          .depends = true,
          .unit = "probes",
          .meaning = "Probes that share the cores of a search, S of IP(C,S,P): a leader and scouts.",
          .source = "DC-L1 thesis, section 3.3",
          .suffix = "s"};
}

namespace {

// What the thesis' selector needs; registers of the search beside it.
std::vector<StorageAccount> accounts_of(const hw::CoreSelectorParams& p) {
  const int core = hw::bits_to_number(p.cores), probes = hw::probe_count_bits(p.probes);
  const StorageAccount timer{"period", 1, {{"cycle", hw::bits_to_number(p.period)}, {"roll", 1}}, true};
  if (p.kind == hw::SelectorKind::index)
    return {timer,
            {"draws", 1, {{"lfsr", 16}}, true},
            {"list", 1, {{"probes", probes}}, true},
            {"search", 1, {{"valid", 1}, {"steps", hw::selector_step_bits(p)}}}};
  const int sum = hw::weight_sum_bits(p), others = p.cores - 1;
  std::vector<StorageAccount> accounts{
      {"cores", others, {{"count", p.count_bits}, {"weight", p.count_bits + 1}}, true},
      timer,
      {"draws", 1, {{"lfsr", 16}, {"point", sum}}, true},
      {"list", 1, {{"targets", p.coverage * core}, {"probes", probes}}, true},
      {"search",
       1,
       {{"valid", 1},
        {"steps", hw::selector_step_bits(p)},
        {p.stages ? "above" : "chosen", others},
        {"sums", p.stages ? others * sum : hw::running_sum_bits(p)},
        {"total", p.stages ? sum + 2 : sum}}}};
  if (p.stages) {
    accounts.push_back(
        {"product", 1, {{"target's weight", p.count_bits + 1}, {"carry-save", 2 * (sum + 16)}}});
    accounts.push_back({"passes over the cores",
                        1,
                        {{"core", hw::bits_to_number(p.cores + 1)},
                         {"weight", p.count_bits + 1},
                         {"smallest count", p.count_bits + 1},
                         {"sum", sum},
                         {"sums", others * sum},
                         {"total", sum + 2}}});
  } else {
    accounts.push_back({"smallest counts", hw::selector_groups(p), {{"count", p.count_bits + 1}}});
  }
  return accounts;
}

Unit elaborated(const hw::CoreSelectorParams& p, const std::string& top) {
  return {.top = hw::core_selector(p, top),
          .latency = hw::cycles_of_list(p),
          .accounts = accounts_of(p),
          .facts = {{"cycles_of_a_list", hw::cycles_of_list(p)},
                    {"more_cycles_with_roll", hw::cycles_of_roll(p)}}};
}

CosimMain cosim(const hw::CoreSelectorParams& p) {
  return cycle_bench("units/core_selector_cosim.h", "CoreSelectorBench", "CoreSelectorParams", p, 1'000'000,
                     port_list(hw::core_selector(p, "unit")), true);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::CoreSelectorParams>(
      elaborated, cosim, "draws cores to search: recorded traffic needs a cache; use --random");
  return table;
}

using hw::CoreSelectorParams;

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, auto member) {
    keys.push_back(field<CoreSelectorParams>(std::move(info), member));
  };
  add(remote_cores_key(), &CoreSelectorParams::cores);
  add(coverage_key(), &CoreSelectorParams::coverage);
  add(probes_key(), &CoreSelectorParams::probes);
  add({.key = "remote.probability",
       .type = KeyType::real,
       .range = hw::RemoteRanges::probability,
       .meaning =
           "Part of the searches that have all probes, P of IP(C,S,P), rounded to 1/65536; others have "
           "one less.",
       .source = "DC-L1 thesis, section 3.3",
       .suffix = "p"},
      &CoreSelectorParams::probability);
  add(selector_core_key(), &CoreSelectorParams::core);
  add({.key = "selector.kind",
       .type = KeyType::choice,
       .choices = {"supplier", "index"},
       .meaning = "Cores that are searched: drawn, the ones that have replied likelier; or the next ones in "
                  "the order of their numbers.",
       .source = "DC-L1 thesis, section 3.3.3",
       .suffix = ""},
      &CoreSelectorParams::kind);
  add({.key = "selector.period",
       .range = hw::SelectorRanges::period,
       .unit = "cycles",
       .meaning = "For how long replies are counted before they become weights.",
       .source = "DC-L1 thesis, section 3.3.6",
       .suffix = "period"},
      &CoreSelectorParams::period);
  add({.key = "selector.count_bits",
       .range = hw::SelectorRanges::count_bits,
       .unit = "bits",
       .meaning = "Of the count of a core's replies, which stops at all ones.",
       .source = "this generator's choice",
       .suffix = "count_bits",
       .only_with = {"selector.kind", {"supplier"}}},
      &CoreSelectorParams::count_bits);
  add({.key = "selector.stages",
       .range = hw::SelectorRanges::stages,
       .unit = "cycles",
       .meaning = "Cycles of a target of a list beyond two: 0, or 2, which shortens the longest path.",
       .source = "this generator's choice",
       .suffix = "stages",
       .only_with = {"selector.kind", {"supplier"}}},
      &CoreSelectorParams::stages);
  return keys;
}

}  // namespace

const Family& core_selector_family() {
  static const Family family{.name = "core selector",
                             .doc = "draws the cores that are searched for a line",
                             .defaults = CoreSelectorParams{.cores = 80},  // as of all topologies
                             .unit = kind,
                             .keys = make_keys()};
  return family;
}

std::vector<Preset> core_selector_unit() {
  return {
      {.place = 460,
       .name = "core_selector",
       .family = &core_selector_family(),
       .doc = "draws the cores that are searched for a line, the ones that have sent data before likelier",
       .source = "DC-L1 thesis, section 3.3.3",
       .overrides = {{"topology.cores", std::int64_t{28}}}}};
}

}  // namespace gen
