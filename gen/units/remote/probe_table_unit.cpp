// The probe table (DC-L1 thesis, section 3.3.6).
#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/remote/remote_keys.h"
#include "hw/remote/probe_table.h"
#include "hw/remote/remote_ranges.h"

namespace gen {
namespace {

std::vector<StorageAccount> accounts_of(const hw::ProbeTableParams& p) {
  const int entry = hw::width_to_number(p.entries);
  std::vector<StorageAccount> accounts{
      {"entries",
       p.entries,
       {{"state", hw::probe_state_bits},
        {"sequence", hw::sequence_bits(p)},
        {"out", hw::probes_out_bits(p)},
        {"candidates", hw::scout_places(p) ? p.cores : 0},
        {"data_came", 1},
        {"timed_out", 1},
        {"slot", hw::width_to_number(p.predictor_entries)},
        {"tracked", 1}},
       true},
      {"selective L2 requests", p.entries, {{"entry", entry}, {"stamp", hw::stamp_bits}, {"live", 1}}, true},
      {"time",
       1,
       {{"now", hw::stamp_bits},
        {"aged", 1},
        {"waits", p.entries},
        {"dead", p.entries > 8 ? p.entries : 0}}}};
  if (p.stages == 0) return accounts;
  const int scouts = hw::most_candidates(p) > 0;
  accounts.push_back({"stages",
                      1,
                      {{"chosen", 1 + entry},
                       {"asks", 2 + entry},
                       {"line", 2 + entry},
                       {"back", 1 + entry},
                       {"list", hw::scout_places(p) * hw::core_or_none_bits(p.cores)},
                       {"leads", scouts * (2 + entry + p.cores)},
                       {"scout", scouts},
                       {"fresh", p.entries},
                       {"sequence", hw::sequence_bits(p) + 1}}});
  return accounts;
}

Unit elaborated(const hw::ProbeTableParams& p, const std::string& top) {
  return {.top = hw::probe_table(p, top), .latency = 0, .accounts = accounts_of(p)};
}

CosimMain cosim(const hw::ProbeTableParams& p) {
  return cycle_bench("units/probe_table_cosim.h", "ProbeTableBench", "ProbeTableParams", p, 1'000'000,
                     port_list(hw::probe_table(p, "unit")), true);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::ProbeTableParams>(
      elaborated, cosim, "follows the searches of a core: recorded traffic needs a cache; use --random");
  return table;
}

using hw::ProbeTableParams;

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int ProbeTableParams::*member) {
    keys.push_back(field<ProbeTableParams>(std::move(info), member));
  };
  add(remote_cores_key(), &ProbeTableParams::cores);
  add(selector_core_key(), &ProbeTableParams::core);
  add({.key = "mshr.entries",
       .range = hw::RemoteRanges::entries,
       .unit = "entries",
       .meaning = "Lines that may be waited for at a time.",
       .source = "TSC, section 5.1",
       .suffix = "e"},
      &ProbeTableParams::entries);
  add(predictor_entries_key(), &ProbeTableParams::predictor_entries);
  add(coverage_key(), &ProbeTableParams::coverage);
  add(probes_key(), &ProbeTableParams::probes);
  add({.key = "remote.timeout",
       .range = hw::RemoteRanges::timeout,
       .unit = "cycles",
       .meaning = "After so many cycles without the line from a core, it is requested from the L2 slice.",
       .source = "DC-L1 thesis, section 3.3.6",
       .suffix = "timeout"},
      &ProbeTableParams::timeout);
  add({.key = "remote.outgoing",
       .range = hw::RemoteRanges::outgoing,
       .depends = true,
       .unit = "probes",
       .meaning = "Entries of the queue of probes to be sent; at least the probes of a search.",
       .source = "this generator's choice",
       .suffix = "outgoing"},
      &ProbeTableParams::outgoing);
  add({.key = "table.stages",
       .range = hw::TableRanges::stages,
       .unit = "cycles",
       .meaning =
           "Cycles from finding an entry of the table to its effect: 0, or 1, which shortens the longest "
           "path.",
       .source = "this generator's choice",
       .suffix = "stages"},
      &ProbeTableParams::stages);
  return keys;
}

}  // namespace

const Family& probe_table_family() {
  static const Family family{.name = "probe table",
                             .doc = "follows the searches of a core from their probes to the data",
                             .defaults = ProbeTableParams{.cores = 80},  // as of all topologies
                             .unit = kind,
                             .keys = make_keys()};
  return family;
}

std::vector<Preset> probe_table_unit() {
  return {
      {.place = 470,
       .name = "probe_table",
       .family = &probe_table_family(),
       .doc = "searches of a core's misses in other L1s: probes out, candidates, time-outs, requests to L2",
       .source = "DC-L1 thesis, section 3.3.6",
       .overrides = {{"topology.cores", std::int64_t{28}}}}};
}

}  // namespace gen
