// A configuration as the command line takes it: a preset's name or a TOML file, changed by `-s key=value`
// flags, or the manifest of a unit that was generated.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gen/config/catalogue.h"
#include "gen/config/error.h"
#include "hw/require.h"

namespace gen {

struct Config {
  std::string source = {};  // the preset's name or the file, as the user named it
  std::string preset = {};
  std::string top = {};                  // module name of the top
  Params params = {};                    // as the hardware is built
  nlohmann::ordered_json resolved = {};  // every key of the family, dotted, with the value that it comes to
  // Of each key given, and of each entry of its lists: "my.toml:4:8" or "-s index.sets=12".
  std::map<std::string, std::string, std::less<>> places = {};

  template <class P>
  const P& get() const {
    return params.get<P>();
  }
};

// Flags win over the file, later flags over earlier ones. Throws ConfigError.
Config load_config(const std::string& name_or_file, const std::vector<std::string>& settings = {});

// The same for text that stands in no file; errors name `path`.
Config parse_config(const std::string& toml, const std::string& path,
                    const std::vector<std::string>& settings = {});

// The preset of that name. Throws ConfigError with the nearest name.
const Preset& preset_named(const std::string& name);

// The error of a rule between keys, at the line of the key that the user gave, or of the configuration.
ConfigError placed(const Config& config, const hw::ParamError& error);

// Runs a step that checks parameters, such as elaboration, with errors in terms of the user's configuration.
template <class Step>
decltype(auto) with_places(const Config& config, Step&& step) {
  try {
    return std::forward<Step>(step)();
  } catch (const hw::ParamError& error) {
    throw placed(config, error);
  }
}

}  // namespace gen
