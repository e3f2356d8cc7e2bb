#include "gen/units/remote/core_selector_keys.h"

#include "gen/units/remote/core_selector.h"
#include "gen/units/remote/remote_keys.h"

namespace gen {
namespace {

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
       .min = 0,
       .max = 1,
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
       .meaning =
           "Cores that are searched: drawn, those that have replied being likelier; or the next ones in "
           "the order of their numbers.",
       .source = "DC-L1 thesis, section 3.3.3",
       .suffix = ""},
      &CoreSelectorParams::kind);
  add({.key = "selector.period",
       .min = 64,
       .max = 65535,
       .unit = "cycles",
       .meaning = "For how long replies are counted before they become weights.",
       .source = "DC-L1 thesis, section 3.3.6",
       .suffix = "period"},
      &CoreSelectorParams::period);
  add({.key = "selector.count_bits",
       .min = 4,
       .max = 12,
       .unit = "bits",
       .meaning = "Of the count of a core's replies, which stops at all ones.",
       .source = "this generator's choice",
       .suffix = "count_bits",
       .only_with = {"selector.kind", {"supplier"}}},
      &CoreSelectorParams::count_bits);
  add({.key = "selector.stages",
       .min = 0,
       .max = 2,
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
                             .unit = core_selector_unit,
                             .keys = make_keys()};
  return family;
}

}  // namespace gen
