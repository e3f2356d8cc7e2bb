#include "gen/units/remote/remote_keys.h"

#include "hw/remote/core_selector_params.h"
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

KeyInfo predictor_entries_key() {
  return {.key = "predictor.entries",
          .range = hw::PredictorRanges::entries,
          .unit = "instructions",
          .meaning = "Load instructions that the sharing predictor keeps apart.",
          .source = "DC-L1 thesis, section 3.3.6",
          .suffix = "pcs"};
}

}  // namespace gen
