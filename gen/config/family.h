// The two tables of a configuration: families (a parameter struct and its keys) and presets (named starting
// points). A new mechanism adds an alternative to Params, a table of keys, and its rows in family.cpp.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gen/config/key.h"

namespace gen {

struct UnitKind;
using Values = std::map<std::string, Value, std::less<>>;

// Units that share a parameter struct.
struct Family {
  std::string name;  // "set-index unit"
  std::string doc;
  Params defaults = {};
  // What the commands do with such units (gen/units/unit_kind.h).
  const UnitKind& (*unit)() = nullptr;
  std::vector<Key> keys = {};
  // Puts values in the place of "automatic" ones; the parameters may still be inconsistent.
  std::function<void(Params&)> settle = {};
  // The same for those that the hardware and its model each work out for themselves, to be shown. May be
  // empty.
  std::function<void(Params&)> resolve = {};
  // Rules between keys that the parameter struct can no longer see; throws hw::ParamError.
  std::function<void(const Values& given, const Params&)> check_given = {};

  const Key* find(std::string_view key) const;
};

struct Preset {
  std::string name;
  const Family* family;
  std::string doc, source;
  std::vector<std::pair<std::string, Value>> overrides;  // of the family's defaults
  std::string module = {};  // what its module is called where that may not be the preset's name

  const std::string& stem() const { return module.empty() ? name : module; }
};

// What a file starts from when it does not say.
inline constexpr std::string_view default_preset = "l1d";

const std::vector<Preset>& presets();
std::vector<std::string> preset_names();
const Preset* find_preset(std::string_view name);

// `name` and `preset`, which every configuration has.
const std::vector<KeyInfo>& common_keys();
const KeyInfo* find_common_key(std::string_view key);

// The families of all presets, each once, in the order of the presets.
std::vector<const Family*> families();

// The family's defaults with the preset's overrides, nothing settled.
Params start_of(const Preset& preset);

// The keys that differ from their family's defaults, as one would write them behind -s.
std::string changed_settings(const Params& params);

// Does the key count, given the value of the key that it depends on?
bool counts(const Family& family, const Key& key, const Params& params);

// A changed value of the key, which counts, shows in the module's name: it changes hardware.
bool names(const Family& family, const Key& key, const Params& params);

// The parameters that hardware is built from: keys that do not count at their default, automatic values
// filled in.
Params settled(const Family& family, Params params);

}  // namespace gen
