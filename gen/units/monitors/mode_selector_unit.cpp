// The selector between fine and coarse accesses, alone and inside a cache (TSC paper, section 3).
#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "gen/units/keys/mechanisms.h"
#include "hw/index/index_ranges.h"
#include "hw/l1d/l1d_params.h"
#include "hw/monitors/mode_ranges.h"
#include "hw/monitors/mode_selector.h"

namespace gen {
namespace {

Unit elaborated(const hw::ModeSelectorParams& p, const std::string& top) {
  const hw::Samplers samplers = hw::samplers_of(p);
  const rtl::Module unit = hw::mode_selector(p, top);
  nlohmann::ordered_json facts{
      {"fine_sets", std::vector<int>(samplers.fine.begin(), samplers.fine.end())},
      {"coarse_sets", std::vector<int>(samplers.coarse.begin(), samplers.coarse.end())},
      {"cycles_to_the_new_mode", hw::mode_delay}};
  return {.top = unit, .latency = hw::mode_delay, .accounts = {selector_account()}, .facts = facts};
}

CosimMain cosim(const hw::ModeSelectorParams& p) {
  return {.header = "units/mode_selector_cosim.h",
          .params_type = "ModeSelectorParams",
          .params = cpp_params("ModeSelectorParams", p),
          .report = "verif::ModeSelectorCosim<Vdut, params>(o, add_probes).run()"};
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::ModeSelectorParams>(
      elaborated, cosim, "is a monitor: recorded cache traffic needs a cache; use --random");
  return table;
}

using hw::ModeSelectorParams;

const char* const mode_source = "TSC, section 3 (TSC+)";

KeyInfo samplers_key(const std::string& mode) {
  return {
      .key = "mode." + mode + "_sets",
      .type = KeyType::integers,
      .range = hw::ModeRanges::set,
      .max_items = hw::SetList::most,
      .unit = "set numbers",
      .meaning = "Sets whose loads always are " + mode +
                 ", and which stand for the mode in the comparison; [] stands for four sets, spread evenly.",
      .source = mode_source,
      .suffix = mode + "_sets"};
}

KeyInfo fine_sets_key() { return samplers_key("fine"); }
KeyInfo coarse_sets_key() { return samplers_key("coarse"); }

KeyInfo mode_threshold_key() {
  return {.key = "mode.threshold",
          .range = hw::ModeRanges::threshold,
          .depends = true,
          .unit = "misses",
          .meaning =
              "When the misses of a mode pass it, all counters are halved and the modes compared; "
              "(threshold + 1) * (1 + chunks of a line) is at most 65,535.",
          .source = mode_source,
          .suffix = "threshold"};
}

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int ModeSelectorParams::*member) {
    keys.push_back(field<ModeSelectorParams>(std::move(info), member));
  };
  add(address_bits_key(), &ModeSelectorParams::address_bits);
  add(line_bytes_key(), &ModeSelectorParams::line_bytes);
  add(chunk_bytes_key(), &ModeSelectorParams::chunk_bytes);
  KeyInfo sets = sets_key(hw::IndexRanges::sets);
  sets.depends = true;
  add(sets, &ModeSelectorParams::sets);
  keys.push_back(integers<ModeSelectorParams>(fine_sets_key(), &ModeSelectorParams::fine_sets));
  keys.push_back(integers<ModeSelectorParams>(coarse_sets_key(), &ModeSelectorParams::coarse_sets));
  add(mode_threshold_key(), &ModeSelectorParams::threshold);
  return keys;
}

}  // namespace

std::vector<Key> mode_keys_of_l1d() {
  using hw::L1dParams;
  std::vector<Key> keys;
  keys.push_back(field<L1dParams>(
      {.key = "mode.kind",
       .type = KeyType::choice,
       .choices = {"fine", "coarse", "dueling"},
       .meaning =
           "What a load looks for: the chunks that it asks for, its line, or what costs fewer misses times "
           "traffic in sampler sets (TSC+). Other than fine needs split tags.",
       .source = mode_source,
       .suffix = ""},
      [](auto& p) -> auto& { return p.mode.kind; }));
  const auto dueling = [](KeyInfo info) {
    info.only_with = {"mode.kind", {"dueling"}};
    return info;
  };
  keys.push_back(integers<L1dParams>(
      dueling(fine_sets_key()), [](auto& p) -> auto& { return p.mode.fine_sets; }));
  keys.push_back(integers<L1dParams>(
      dueling(coarse_sets_key()), [](auto& p) -> auto& { return p.mode.coarse_sets; }));
  keys.push_back(field<L1dParams>(
      dueling(mode_threshold_key()), [](auto& p) -> auto& { return p.mode.threshold; }));
  keys.push_back(field<L1dParams>(
      dueling({.key = "mode.follow",
               .type = KeyType::boolean,
               .meaning = "An input mode_coarse says how all sets look, instead of an own selector.",
               .source = "this generator's ports",
               .suffix = "follow_mode"}),
      [](auto& p) -> auto& { return p.mode.follow; }));
  return keys;
}

StorageAccount selector_account() {
  return {"mode selection, once a GPU", 4, {{"counter", hw::mode_counter_bits}}};
}

void resolve_samplers(const ModeSelectorParams& p, hw::SetList& fine, hw::SetList& coarse) {
  if (p.sets < 8) return;  // elaboration says so
  const hw::Samplers samplers = hw::samplers_of(p);
  fine = samplers.fine;
  coarse = samplers.coarse;
}

namespace {

const Family& family() {
  static const Family family{.name = "mode selector",
                             .doc = "watches sampler sets and chooses fine or coarse accesses for all others",
                             .defaults = ModeSelectorParams{},
                             .unit = kind,
                             .keys = make_keys(),
                             .resolve = [](Params& params) {
                               auto& p = params.get<ModeSelectorParams>();
                               resolve_samplers(p, p.fine_sets, p.coarse_sets);
                             }};
  return family;
}

}  // namespace

std::vector<Preset> mode_selector_unit() {
  return {{.place = 190,
           .name = "mode_selector",
           .family = &family(),
           .doc = "fine or coarse accesses of a split cache, by misses times traffic in sampler sets",
           .source = "TSC, section 3 (TSC+)"}};
}

}  // namespace gen
