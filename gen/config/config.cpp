#include "gen/config/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gen/config/manifest_source.h"
#include "gen/config/suggest.h"
#include "gen/config/text.h"
#include "gen/config/toml_source.h"
#include "gen/config/top_name.h"
#include "hw/rtl/names.h"

namespace gen {
namespace {

std::vector<std::string> keys_of(const Family& family) {
  std::vector<std::string> keys;
  for (const KeyInfo& info : common_keys()) keys.push_back(info.key);
  for (const Key& key : family.keys) keys.push_back(key.key);
  return keys;
}

std::vector<std::string> tables_of(const Family& family) {
  std::vector<std::string> tables;
  for (const Key& key : family.keys)
    if (const auto dot = key.key.rfind('.'); dot != std::string::npos)
      tables.push_back(key.key.substr(0, dot));
  return tables;
}

bool is_table_of(const std::string& key, const Family& family) {
  return std::ranges::any_of(family.keys, [&](const Key& k) { return k.key.starts_with(key + "."); });
}

[[noreturn]] void refuse_key(const Setting& setting, const Preset& preset) {
  if (is_table_of(setting.key, *preset.family))
    throw ConfigError(setting.value.place,
                      fmt::format("{} = {}: is a table of keys; \"l1forge describe {}\" lists them",
                                  setting.key, setting.value.source, preset.name));
  const std::string near = setting.is_table ? nearest_word(setting.key, tables_of(*preset.family))
                                            : nearest_key(setting.key, keys_of(*preset.family));
  const std::string remedy = near.empty() ? fmt::format("\"l1forge describe {}\" lists the keys", preset.name)
                                          : fmt::format("did you mean {}?", near);
  throw ConfigError(setting.key_place, fmt::format("{}: no such {} for preset {}; {}", shortened(setting.key),
                                                   setting.is_table ? "table" : "key", preset.name, remedy));
}

// `named` is the preset on the command line, if it was one.
const Preset& pick_preset(const Preset* named, const std::vector<Setting>& settings) {
  const auto last = std::ranges::find_if(settings.rbegin(), settings.rend(),
                                         [](const Setting& s) { return s.key == "preset" && !s.is_table; });
  if (last == settings.rend()) {
    if (named) return *named;
    return *find_preset(default_preset);
  }
  return *find_preset(std::get<std::string>(accepted(*find_common_key("preset"), last->value)));
}

void remember_places(Config& config, const std::string& key, const Written& written) {
  config.places.insert_or_assign(key, written.place);
  for (std::size_t i = 0; i < written.items.size(); ++i)
    remember_places(config, fmt::format("{}[{}]", key, i), written.items[i]);
}

// Everything that is said about one configuration, in the order in which it was said.
struct Loader {
  Config config;
  const Preset& preset;
  Params params;  // as given, automatic values still open
  Values given = {};

  void take(const Setting& setting) {
    const KeyInfo* info = find_common_key(setting.key);
    const Key* key = preset.family->find(setting.key);
    if (key) info = key;
    if (!info && setting.is_table && is_table_of(setting.key, *preset.family)) return;
    if (!info) refuse_key(setting, preset);
    if (setting.is_table)
      throw ConfigError(setting.key_place,
                        fmt::format("{}: is a table; must be {}", info->key, range_text(*info)));
    const Value value = accepted(*info, setting.value);
    if (key) key->set(params, value);
    if (info->key == "name") check_name(setting.value);
    given.insert_or_assign(info->key, value);
    const std::string entries = info->key + "[";
    std::erase_if(config.places, [&](const auto& place) { return place.first.starts_with(entries); });
    remember_places(config, info->key, setting.value);
  }

  static void check_name(const Written& written) {
    std::string fault = written.text.empty() ? "" : rtl::name_fault(written.text);
    if (written.text.size() > longest_name) fault = fmt::format("is longer than {} characters", longest_name);
    if (!fault.empty())
      throw ConfigError(written.place, fmt::format("name = {}: {}; choose another", written.source, fault));
  }

  Config finish() {
    const Family& family = *preset.family;
    config.preset = preset.name;
    config.params = settled(family, params);
    if (family.check_given) with_places(config, [&] { family.check_given(given, config.params); });
    Params resolved = config.params;
    if (family.resolve) family.resolve(resolved);
    for (const Key& key : family.keys) config.resolved[key.key] = to_json(key.get(resolved));
    const auto name = given.find("name");
    config.top = name == given.end() ? "" : std::get<std::string>(name->second);
    if (config.top.empty()) config.top = top_name(preset, params);
    return std::move(config);
  }
};

// A manifest is complete: its values are the values that its unit was built from, and its top has the
// name.
Config rebuild(const Manifest& manifest) {
  const Preset& preset = *find_preset(manifest.preset);
  Loader loader{.config = {.source = manifest.path}, .preset = preset, .params = start_of(preset)};
  for (const Setting& setting : manifest.parameters) loader.take(setting);
  loader.given = {{"name", manifest.top}};
  return loader.finish();
}

Config build(const Preset* named, const std::string& source, std::vector<Setting> settings,
             const std::vector<std::string>& flags) {
  for (const std::string& flag : flags) settings.push_back(read_flag(flag));
  const Preset& preset = pick_preset(named, settings);
  Loader loader{.config = {.source = source}, .preset = preset, .params = start_of(preset)};
  for (const Setting& setting : settings) loader.take(setting);
  return loader.finish();
}

bool names_a_file(const std::string& text) {
  std::error_code ignored;
  return text.find('/') != std::string::npos || text.ends_with(".toml") ||
         std::filesystem::exists(text, ignored);
}

}  // namespace

const Preset& preset_named(const std::string& name) {
  if (const Preset* preset = find_preset(name)) return *preset;
  const std::string near = nearest_word(name, preset_names());
  throw ConfigError(name.empty() ? "\"\"" : name,
                    fmt::format("neither a preset nor a TOML file; {}",
                                near.empty() ? "\"l1forge list\" shows the presets"
                                             : fmt::format("did you mean {}?", near)));
}

Config load_config(const std::string& name_or_file, const std::vector<std::string>& settings) {
  if (is_manifest(name_or_file)) {
    if (!settings.empty())
      throw ConfigError("-s " + shortened(settings[0]),
                        fmt::format("{} is a manifest and says every value; start from its preset, or from a "
                                    "TOML file, to change one",
                                    name_or_file));
    return rebuild(read_manifest(name_or_file));
  }
  if (const Preset* preset = find_preset(name_or_file)) return build(preset, name_or_file, {}, settings);
  if (!names_a_file(name_or_file)) preset_named(name_or_file);
  return build(nullptr, name_or_file, read_toml_file(name_or_file), settings);
}

Config parse_config(const std::string& toml, const std::string& path,
                    const std::vector<std::string>& settings) {
  return build(nullptr, path, read_toml(toml, path), settings);
}

ConfigError placed(const Config& config, const hw::ParamError& error) {
  const std::string remedy = error.remedy.empty() ? "" : "; " + error.remedy;
  std::string key = error.key;
  auto place = config.places.find(key);
  while (place == config.places.end() && key.ends_with(']')) {
    key.resize(key.rfind('['));
    place = config.places.find(key);
  }
  if (place != config.places.end())
    return {place->second, fmt::format("{} = {}: {}{}", error.key, error.value, error.rule, remedy)};
  // The value is right by itself: a flag has made it wrong.
  std::vector<std::string> flags;
  for (const auto& [given, by] : config.places)
    if (by.starts_with("-s ") && !std::ranges::count(flags, by)) flags.push_back(by);
  return {fmt::format("{}{}{}", config.source, flags.empty() ? "" : " ", joined(flags, " ")),
          fmt::format("{} = {} (default): {}{}", error.key, error.value, error.rule, remedy)};
}

}  // namespace gen
