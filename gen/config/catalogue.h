// The catalogue: presets, which are named starting points of configurations, as the files of gen/units/ list
// them.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gen/config/family.h"

namespace gen {

struct Preset {
  int place;  // in the catalogue, which ascends
  std::string name;
  const Family* family;
  std::string doc, source;
  std::vector<std::pair<std::string, Value>> overrides = {};  // of the family's defaults
  std::string module = {};              // what its module is called where that may not be the preset's name
  std::vector<std::string> shown = {};  // settings, as behind -s, of a smaller one that is shown instead
  std::vector<std::string> small = {};  // of one that has each of its modules and is measured in minutes

  const std::string& stem() const { return module.empty() ? name : module; }
};

// A file gen/units/<folder>/<unit>_unit.cpp defines `std::vector<Preset> gen::<unit>_unit()`; the build lists
// all of them (cmake/Units.cmake).
using UnitFile = std::vector<Preset> (*)();
const std::vector<UnitFile>& unit_files();

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

// The family whose struct the parameters are of.
const Family& family_of(const Params& params);

// The family's defaults with the preset's overrides, nothing settled.
Params start_of(const Preset& preset);

// The keys that differ from their family's defaults, as one would write them behind -s.
std::string changed_settings(const Params& params);

}  // namespace gen
