#include "gen/config/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace gen {
namespace {

std::vector<Preset> all_presets() {
  std::vector<Preset> all;
  for (const UnitFile& file : unit_files()) std::ranges::move(file(), std::back_inserter(all));
  std::ranges::sort(all, {}, [](const Preset& preset) { return std::tuple(preset.place, preset.name); });
  return all;
}

std::vector<KeyInfo> make_common_keys() {
  KeyInfo preset{.key = "preset",
                 .type = KeyType::choice,
                 .choices = preset_names(),
                 .meaning = "What the configuration starts from.",
                 .source = "this generator's catalogue"};
  KeyInfo name{.key = "name",
               .type = KeyType::text,
               .meaning =
                   "Module name of the top, in lower snake case; \"\" stands for the preset's name and a "
                   "suffix for each changed value.",
               .source = "this generator's naming rule"};
  return {std::move(preset), std::move(name)};
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> table = all_presets();
  return table;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

const Preset* find_preset(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  return found == presets().end() ? nullptr : &*found;
}

const std::vector<KeyInfo>& common_keys() {
  static const std::vector<KeyInfo> table = make_common_keys();
  return table;
}

const KeyInfo* find_common_key(std::string_view key) {
  const auto found = std::ranges::find(common_keys(), key, &KeyInfo::key);
  return found == common_keys().end() ? nullptr : &*found;
}

std::vector<const Family*> families() {
  std::vector<const Family*> all;
  for (const Preset& preset : presets())
    if (!std::ranges::count(all, preset.family)) all.push_back(preset.family);
  return all;
}

const Family& family_of(const Params& params) {
  const auto of = [&](const Preset& preset) { return preset.family->defaults.same_struct(params); };
  return *std::ranges::find_if(presets(), of)->family;
}

Params start_of(const Preset& preset) {
  Params params = preset.family->defaults;
  for (const auto& [key, value] : preset.overrides) preset.family->find(key)->set(params, value);
  return params;
}

std::string changed_settings(const Params& params) {
  std::string text;
  const Family& family = family_of(params);
  for (const Key& key : family.keys)
    if (const Value value = key.get(params); value != key.get(family.defaults))
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", key.key, to_json(value).dump());
  return text;
}

}  // namespace gen
