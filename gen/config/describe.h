// What `l1forge list` and `l1forge describe` print, all of it from the tables in family.h.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/config/config.h"

namespace gen {

// The catalogue: presets by family, what each is for, and its paper.
std::string list_text();

// The same for programs: {"units": [{"preset", "unit", "doc", "source"}]}, and "small" where
// there are settings of a small one.
nlohmann::ordered_json list_json();

// One preset with every key: a TOML file that loads as that preset, with range, unit, meaning and source as
// comments. Throws ConfigError when there is no such preset.
std::string describe_text(const std::string& preset);
nlohmann::ordered_json describe_json(const std::string& preset);

// The flags -s of keys that count for nothing there, each with the condition under which its key counts: "-s
// index.poly=3 changes nothing: it counts with index.kind = pli".
std::vector<std::string> idle_flags(const Config& config);

// JSON Schema, draft 2020-12, of a configuration file with any preset.
nlohmann::ordered_json config_schema();

}  // namespace gen
