#include "gen/system/system_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <map>

#include "gen/config/error.h"
#include "gen/config/suggest.h"
#include "gen/config/text.h"
#include "gen/config/toml_source.h"

namespace gen {

namespace {

const SystemKey* find_key(std::string_view name) {
  const auto found = std::ranges::find(system_keys(), name, &SystemKey::key);
  return found == system_keys().end() ? nullptr : &*found;
}

std::vector<std::string> preset_names_of_systems() {
  std::vector<std::string> names;
  for (const SystemPreset& preset : system_presets()) names.push_back(preset.name);
  return names;
}

const SystemPreset* find_system(std::string_view name) {
  const auto found = std::ranges::find(system_presets(), name, &SystemPreset::name);
  return found == system_presets().end() ? nullptr : &*found;
}

SystemValues values_of(const SystemPreset& preset) {
  SystemValues values;
  for (const auto& [name, value] : preset.overrides) find_key(name)->set(values, value);
  return values;
}

KeyInfo preset_key() {
  return {.key = "system.preset", .type = KeyType::choice, .choices = preset_names_of_systems()};
}

[[noreturn]] void refuse(const Setting& setting) {
  std::vector<std::string> known{"system.preset"};
  for (const SystemKey& key : system_keys()) known.push_back(key.key);
  const std::string near = nearest_key(setting.key, known);
  throw ConfigError(setting.key_place,
                    fmt::format("{}: no such key of a system; {}", shortened(setting.key),
                                near.empty() ? "\"l1forge list --systems --json -\" lists the keys"
                                             : fmt::format("did you mean {}?", near)));
}

// Rules between keys, at the line of one that was given.
class Rules {
 public:
  Rules(const std::string& source, const std::map<std::string, std::string>& places)
      : source_(source), places_(places) {}

  void require(bool holds, const std::string& key, std::int64_t value, const std::string& rule) const {
    if (holds) return;
    const auto place = places_.find(key);
    throw ConfigError(place == places_.end() ? source_ : place->second,
                      fmt::format("{} = {}: {}", key, value, rule));
  }

 private:
  const std::string& source_;
  const std::map<std::string, std::string>& places_;
};

void check(const SystemValues& v, const Rules& rules) {
  const auto& d = v.dram;
  rules.require(v.l2.slices % d.channels == 0, "system.dram_channels", d.channels,
                fmt::format("must divide system.l2_slices, {}", v.l2.slices));
  rules.require(d.banks % d.bank_groups == 0, "system.dram_groups", d.bank_groups,
                fmt::format("must divide system.dram_banks, {}", d.banks));
  rules.require(v.l2.index != golden::L2Index::rxi || v.l2.sets == 32, "system.l2_sets", v.l2.sets,
                "must be 32 with system.l2_index = \"rxi\"");
  rules.require(
      v.l2.choice == golden::SliceChoice::modulo || std::has_single_bit(static_cast<unsigned>(v.l2.slices)),
      "system.l2_slices", v.l2.slices, "must be a power of two with system.l2_slice = \"pli\"");
  for (const auto& [key, clock] :
       {std::pair{"system.network_clock", v.network_clock}, {"system.memory_clock", v.memory_clock}})
    rules.require(clock <= 8 * v.core_clock && v.core_clock <= 64 * clock, key, clock,
                  fmt::format("must be from a 64th to eight times system.core_clock, {}", v.core_clock));
}

bool names_a_file(const std::string& text) {
  std::error_code ignored;
  return text.find('/') != std::string::npos || text.ends_with(".toml") ||
         std::filesystem::exists(text, ignored);
}

SystemConfig finish(SystemConfig config, const std::map<std::string, std::string>& places) {
  check(config.values, Rules(config.source, places));
  config.resolved["system.preset"] = config.preset;
  for (const SystemKey& key : system_keys()) config.resolved[key.key] = to_json(key.get(config.values));
  return config;
}

}  // namespace

SystemConfig load_system(const std::string& name_or_file) {
  if (const SystemPreset* preset = find_system(name_or_file))
    return finish({.source = name_or_file, .preset = preset->name, .values = values_of(*preset)}, {});
  if (!names_a_file(name_or_file)) {
    const std::string near = nearest_word(name_or_file, preset_names_of_systems());
    throw ConfigError("--system",
                      fmt::format("{} is neither a system nor a TOML file; {}", shortened(name_or_file),
                                  near.empty() ? "\"l1forge list --systems\" shows the systems"
                                               : fmt::format("did you mean {}?", near)));
  }
  const std::vector<Setting> settings = read_toml_file(name_or_file);
  SystemConfig config{.source = name_or_file, .preset = "fermi_tsc"};
  for (const Setting& setting : settings)
    if (setting.key == "system.preset" && !setting.is_table)
      config.preset = std::get<std::string>(accepted(preset_key(), setting.value));
  config.values = values_of(*find_system(config.preset));
  std::map<std::string, std::string> places;
  for (const Setting& setting : settings) {
    if (setting.key == "system.preset" || (setting.is_table && setting.key == "system")) continue;
    const SystemKey* const key = find_key(setting.key);
    if (!key || setting.is_table) refuse(setting);
    key->set(config.values, accepted(*key, setting.value));
    places[setting.key] = setting.value.place;
  }
  return finish(std::move(config), places);
}

std::string systems_text() {
  std::size_t widest = 0;
  for (const SystemPreset& preset : system_presets()) widest = std::max(widest, preset.name.size());
  std::string text;
  for (const SystemPreset& preset : system_presets())
    text += fmt::format("{:<{}}  {} ({})\n", preset.name, widest, preset.doc, preset.source);
  return text;
}

nlohmann::ordered_json systems_json() {
  nlohmann::ordered_json systems = nlohmann::ordered_json::array(), keys = nlohmann::ordered_json::array();
  for (const SystemPreset& preset : system_presets()) {
    const SystemConfig config = load_system(preset.name);
    systems.push_back({{"name", preset.name},
                       {"doc", preset.doc},
                       {"source", preset.source},
                       {"parameters", config.resolved}});
  }
  for (const SystemKey& key : system_keys())
    keys.push_back({{"key", key.key},
                    {"default", to_json(key.get({}))},
                    {"range", range_text(key)},
                    {"unit", key.unit},
                    {"meaning", key.meaning}});
  return {{"systems", systems}, {"keys", keys}};
}

std::string described(const SystemConfig& system) {
  const SystemValues& v = system.values;
  const std::string_view policy = golden::name_of(v.scheduler);
  const std::string cores = fmt::format("{} SMs at {} MHz with {} {} scheduler{} each", v.sms, v.core_clock,
                                        v.schedulers, policy, v.schedulers == 1 ? "" : "s");
  if (v.memory == SystemMemoryKind::two_nodes) return cores + ", a memory of two nodes";
  return fmt::format("{}, {} L2 slices of {} KB at {} MHz, {} DRAM channels at {} MHz", cores, v.l2.slices,
                     v.l2.sets * v.l2.ways * 128 / 1024, v.network_clock, v.dram.channels, v.memory_clock);
}

}  // namespace gen
