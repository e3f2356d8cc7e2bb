#include "gen/units/remote/probe_table_keys.h"

#include "gen/units/remote/probe_table.h"
#include "gen/units/remote/remote_keys.h"

namespace gen {
namespace {

using hw::ProbeTableParams;

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int ProbeTableParams::*member) {
    keys.push_back(field<ProbeTableParams>(std::move(info), member));
  };
  add(remote_cores_key(), &ProbeTableParams::cores);
  add(selector_core_key(), &ProbeTableParams::core);
  add({.key = "mshr.entries",
       .min = 2,
       .max = 128,
       .unit = "entries",
       .meaning = "Lines that may be waited for at a time.",
       .source = "TSC, section 5.1",
       .suffix = "e"},
      &ProbeTableParams::entries);
  add(predictor_entries_key(), &ProbeTableParams::predictor_entries);
  add(coverage_key(), &ProbeTableParams::coverage);
  add(probes_key(), &ProbeTableParams::probes);
  add({.key = "remote.timeout",
       .min = 64,
       .max = 32767,
       .unit = "cycles",
       .meaning = "After so many cycles in which no core has sent the line it is asked for at the L2 slice.",
       .source = "DC-L1 thesis, section 3.3.6",
       .suffix = "timeout"},
      &ProbeTableParams::timeout);
  add({.key = "remote.outgoing",
       .min = 1,
       .max = 32,
       .depends = true,
       .unit = "probes",
       .meaning = "Places of the queue of probes that are to be sent; at least those of a search.",
       .source = "this generator's choice",
       .suffix = "outgoing"},
      &ProbeTableParams::outgoing);
  return keys;
}

}  // namespace

const Family& probe_table_family() {
  static const Family family{.name = "probe table",
                             .doc = "follows the searches of a core from their probes to the data",
                             .defaults = ProbeTableParams{.cores = 80},  // as of all topologies
                             .unit = probe_table_unit,
                             .keys = make_keys()};
  return family;
}

}  // namespace gen
