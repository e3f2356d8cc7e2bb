#include "gen/config/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/config/config.h"
#include "gen/config/text.h"

namespace gen {
namespace {

std::string full_range(const KeyInfo& info) {
  const std::string zero = info.zero ? fmt::format("; 0 is {}", *info.zero) : "";
  const std::string unit = info.unit.empty() ? "" : fmt::format(" Unit: {}.", info.unit);
  return fmt::format("Range: {}{}.{}", range_text(info), zero, unit);
}

std::string name_part(const KeyInfo& info) {
  if (!info.suffix) return "";
  switch (info.type) {
    case KeyType::choice:
      return fmt::format("_{}VALUE", *info.suffix);
    case KeyType::bit_lists:
    case KeyType::integers:
    case KeyType::real:
      return fmt::format("_{}CRC", *info.suffix);
    case KeyType::boolean:
      return fmt::format("_{}", *info.suffix);
    default:
      return fmt::format("_{}NUMBER", *info.suffix);
  }
}

std::string condition(const KeyInfo& info) {
  const auto& [key, values] = info.only_with;
  return key.empty() ? "" : fmt::format("with {} = {}", key, joined(values, " or "));
}

std::string key_comment(const KeyInfo& info) {
  std::string text = comment(info.meaning);
  text += comment(full_range(info));
  if (const std::string when = condition(info); !when.empty())
    text += comment(fmt::format("Counts only {}; otherwise it is range-checked and ignored.", when));
  std::string source = fmt::format("Source: {}.", info.source);
  if (const std::string part = name_part(info); !part.empty())
    source += fmt::format(" In the module name: {}.", part);
  return text + comment(source);
}

std::string assignment(std::string_view name, const Value& value) {
  return fmt::format("{} = {}\n", name, to_json(value).dump());
}

nlohmann::ordered_json info_json(const KeyInfo& info, const Value& value) {
  nlohmann::ordered_json j = {{"key", info.key}, {"default", to_json(value)}, {"range", range_text(info)}};
  if (info.zero) j["zero"] = *info.zero;
  j["unit"] = info.unit;
  j["meaning"] = info.meaning;
  j["source"] = info.source;
  if (const std::string when = condition(info); !when.empty()) j["counts"] = when;
  if (const std::string part = name_part(info); !part.empty()) j["module_name"] = part;
  return j;
}

}  // namespace

std::vector<std::string> idle_flags(const Config& config) {
  const Family& family = *preset_named(config.preset).family;
  std::vector<std::string> idle;
  for (const Key& key : family.keys) {
    const auto place = config.places.find(key.key);
    if (place != config.places.end() && place->second.starts_with("-s ") &&
        !counts(family, key, config.params))
      idle.push_back(fmt::format("{} changes nothing: it counts {}", place->second, condition(key)));
  }
  return idle;
}

std::string list_text() {
  std::string text;
  for (const Family* family : families()) {
    std::size_t width = 0;
    for (const Preset& preset : presets())
      if (preset.family == family) width = std::max(width, preset.name.size());
    text += fmt::format("{}: {}\n", family->name, family->doc);
    for (const Preset& preset : presets())
      if (preset.family == family)
        text += fmt::format("  {:{}}  {} [{}]\n", preset.name, width, preset.doc, preset.source);
  }
  return text + "\"l1forge describe NAME\" shows the parameters of one.\n";
}

nlohmann::ordered_json list_json() {
  nlohmann::ordered_json units = nlohmann::ordered_json::array();
  for (const Preset& preset : presets()) {
    units.push_back({{"preset", preset.name},
                     {"unit", preset.family->name},
                     {"doc", preset.doc},
                     {"source", preset.source}});
    if (!preset.small.empty()) units.back()["small"] = preset.small;
  }
  return {{"units", std::move(units)}};
}

std::string describe_text(const std::string& name) {
  const Preset& preset = preset_named(name);
  const Params start = start_of(preset);
  const Params built = settled(*preset.family, start);
  std::string text = comment(fmt::format("{}, a {}: {}.", preset.name, preset.family->name, preset.doc));
  text += comment(fmt::format("Source: {}.", preset.source));
  text += comment(
      "All keys with their defaults. This text is a configuration: l1forge gen FILE.toml; one value may also "
      "be changed by a flag: -s key=value.");
  for (const KeyInfo& info : common_keys()) {
    const std::string value = info.key == "preset" ? preset.name : "";
    text += fmt::format("\n{}{}", key_comment(info), assignment(info.key, value));
  }
  std::string table;
  for (const Key& key : preset.family->keys) {
    const auto dot = key.key.rfind('.');
    if (key.key.substr(0, dot) != table)
      text += fmt::format("\n[{}]\n", table = key.key.substr(0, dot));
    else
      text += "\n";
    text += key_comment(key);
    const Value taken = key.get(built);
    // A number that no value stands for must be given as what it becomes, or its check refuses the text.
    const bool follows = key.type == KeyType::integer && !key.zero;
    if (taken != key.get(start) && !follows)
      text += comment(fmt::format("Here it stands for {}.", to_json(taken).dump()));
    text += assignment(key.key.substr(dot + 1), follows ? taken : key.get(start));
  }
  return text;
}

nlohmann::ordered_json describe_json(const std::string& name) {
  const Preset& preset = preset_named(name);
  nlohmann::ordered_json keys = nlohmann::ordered_json::array();
  for (const KeyInfo& info : common_keys())
    keys.push_back(info_json(info, info.key == "preset" ? preset.name : ""));
  for (const Key& key : preset.family->keys) keys.push_back(info_json(key, key.get(start_of(preset))));
  return {{"preset", preset.name},
          {"unit", preset.family->name},
          {"doc", preset.doc},
          {"source", preset.source},
          {"keys", std::move(keys)}};
}

}  // namespace gen
