// Manifests as configurations: the values of every key that a generated unit was built from.
#pragma once
#include <string>
#include <vector>

#include "gen/config/value.h"

namespace gen {

struct Manifest {
  std::string path, preset, top;
  std::vector<Setting> parameters = {};
  std::string prefix = {};
  std::string technology = {};  // its name; where wrappers instantiate macros
  bool black_boxes = false, orfs = false, bench = false, bender = false;  // further options of `gen`
};

// By its name: TOML files have other endings.
bool is_manifest(const std::string& name);

// Throws ConfigError when the file is no manifest, or one of another version of the generator.
Manifest read_manifest(const std::string& path);

}  // namespace gen
