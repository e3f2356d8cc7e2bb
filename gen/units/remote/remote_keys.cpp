#include "gen/units/remote/remote_keys.h"

#include "hw/remote/core_selector_params.h"

namespace gen {

KeyInfo remote_cores_key() {
  return {.key = "topology.cores",
          .min = 2,
          .max = 128,
          .depends = true,
          .unit = "cores",
          .meaning = "Number X of cores.",
          .source = remote_source,
          .suffix = "cores"};
}

KeyInfo selector_core_key() {
  return {.key = "selector.core",
          .max = 127,
          .depends = true,
          .unit = "core",
          .meaning = "Of a unit that stands alone: the number of the core that it is beside.",
          .source = remote_source,
          .suffix = "of_core"};
}

KeyInfo coverage_key() {
  return {.key = "remote.coverage",
          .min = 1,
          .max = hw::most_targets,
          .depends = true,
          .unit = "cores",
          .meaning = "Cores that are searched for a line, C of IP(C,S,P); at most all others.",
          .source = "DC-L1 thesis, section 3.3",
          .suffix = "c"};
}

KeyInfo probes_key() {
  return {.key = "remote.probes",
          .min = 1,
          .max = 4,
          .depends = true,
          .unit = "probes",
          .meaning = "Probes that share the cores of a search, S of IP(C,S,P): a leader and scouts.",
          .source = "DC-L1 thesis, section 3.3",
          .suffix = "s"};
}

KeyInfo predictor_entries_key() {
  return {.key = "predictor.entries",
          .min = 1,
          .max = 256,
          .unit = "instructions",
          .meaning = "Load instructions that the sharing predictor keeps apart.",
          .source = "DC-L1 thesis, section 3.3.6",
          .suffix = "pcs"};
}

}  // namespace gen
