// The GPU around the caches as the command line takes it: a preset's name, or a TOML file with a table
// `[system]` that changes one.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gen/config/key.h"
#include "golden/gpu/system/system_params.h"

namespace gen {

// What lies below the L1s: L2 slices and DRAM of the system, or the memory of two nodes.
enum class SystemMemoryKind { dram, two_nodes };

struct SystemValues : golden::SystemParams {
  SystemMemoryKind memory = SystemMemoryKind::dram;
};

// One key of `[system]`: its default and range, what it means, and where its value lives.
struct SystemKey : KeyInfo {
  std::function<Value(const SystemValues&)> get = {};
  std::function<void(SystemValues&, const Value&)> set = {};
};
const std::vector<SystemKey>& system_keys();

struct SystemPreset {
  std::string name, doc, source;
  std::vector<std::pair<std::string, Value>> overrides;  // of the keys' defaults
};
const std::vector<SystemPreset>& system_presets();

struct SystemConfig {
  std::string source;  // the preset's name or the file, as the user named it
  std::string preset;
  SystemValues values = {};
  nlohmann::ordered_json resolved = {};  // every key with its value
};

// Throws ConfigError for what is neither, for an unknown key, and for values that do not go together.
SystemConfig load_system(const std::string& name_or_file);

// A line a preset; and as JSON, with every key.
std::string systems_text();
nlohmann::ordered_json systems_json();
// "15 SMs at 1400 MHz, 2 gto schedulers each, ...": for the head of a table.
std::string described(const SystemConfig& system);

}  // namespace gen
