#include "gen/units/remote/probe_table.h"

#include "gen/cosim/port_list.h"
#include "hw/remote/probe_table.h"

namespace gen {
namespace {

std::vector<StorageAccount> accounts_of(const hw::ProbeTableParams& p) {
  const int entry = hw::width_to_number(p.entries);
  return {
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
      {"time", 1, {{"now", hw::stamp_bits}}}};
}

Unit elaborated(const hw::ProbeTableParams& p, const std::string& top) {
  return {.top = hw::probe_table(p, top), .latency = 0, .accounts = accounts_of(p)};
}

CosimMain cosim(const hw::ProbeTableParams& p) {
  return cycle_bench("units/probe_table_cosim.h", "ProbeTableBench", "ProbeTableParams", p, 1'000'000,
                     port_list(hw::probe_table(p, "unit")), true);
}

}  // namespace

const UnitKind& probe_table_unit() {
  static const UnitKind kind = unit_kind<hw::ProbeTableParams>(
      elaborated, cosim, "follows the searches of a core: recorded traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
