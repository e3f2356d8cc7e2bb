#include "gen/units/mode/mode_keys.h"

#include "gen/units/l1d/geometry_keys.h"
#include "gen/units/mode/mode.h"
#include "hw/mode/mode_selector.h"

namespace gen {
namespace {

using hw::ModeSelectorParams;

KeyInfo samplers_key(const std::string& mode) {
  return {
      .key = "mode." + mode + "_sets",
      .type = KeyType::integers,
      .max = (1 << hw::max_index_bits) - 1,
      .max_items = hw::SetList::most,
      .unit = "set numbers",
      .meaning = "Sets whose loads always are " + mode +
                 ", and which stand for the mode in the comparison; [] stands for four sets, spread evenly.",
      .source = mode_source,
      .suffix = mode + "_sets"};
}

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int ModeSelectorParams::*member) {
    keys.push_back(field<ModeSelectorParams>(std::move(info), member));
  };
  add(address_bits_key(), &ModeSelectorParams::address_bits);
  add(line_bytes_key(), &ModeSelectorParams::line_bytes);
  add(chunk_bytes_key(), &ModeSelectorParams::chunk_bytes);
  KeyInfo sets = sets_key(1 << hw::max_index_bits);
  sets.depends = true;
  add(sets, &ModeSelectorParams::sets);
  keys.push_back(integers<ModeSelectorParams>(fine_sets_key(), &ModeSelectorParams::fine_sets));
  keys.push_back(integers<ModeSelectorParams>(coarse_sets_key(), &ModeSelectorParams::coarse_sets));
  add(mode_threshold_key(), &ModeSelectorParams::threshold);
  return keys;
}

}  // namespace

KeyInfo fine_sets_key() { return samplers_key("fine"); }
KeyInfo coarse_sets_key() { return samplers_key("coarse"); }

KeyInfo mode_threshold_key() {
  return {.key = "mode.threshold",
          .min = 1,
          .max = 32766,
          .depends = true,
          .unit = "misses",
          .meaning =
              "When the misses of a mode pass it, all counters are halved and the modes compared; "
              "(threshold + 1) * (1 + chunks of a line) is at most 65,535.",
          .source = mode_source,
          .suffix = "threshold"};
}

void resolve_samplers(const ModeSelectorParams& p, hw::SetList& fine, hw::SetList& coarse) {
  if (p.sets < 8) return;  // elaboration says so
  const hw::Samplers samplers = hw::samplers_of(p);
  fine = samplers.fine;
  coarse = samplers.coarse;
}

const Family& mode_family() {
  static const Family family{.name = "mode selector",
                             .doc = "watches sampler sets and chooses fine or coarse accesses for all others",
                             .defaults = ModeSelectorParams{},
                             .unit = mode_unit,
                             .keys = make_keys(),
                             .resolve = [](Params& params) {
                               auto& p = std::get<ModeSelectorParams>(params);
                               resolve_samplers(p, p.fine_sets, p.coarse_sets);
                             }};
  return family;
}

}  // namespace gen
