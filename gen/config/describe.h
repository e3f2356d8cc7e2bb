// What `l1forge list` and `l1forge describe` print, all of it from the tables in family.h.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace gen {

// The catalogue: presets by family, what each is for, and its paper.
std::string list_text();

// The same for programs: {"units": [{"preset", "unit", "doc", "source"}]}.
nlohmann::ordered_json list_json();

// One preset with every key: a TOML file that loads as that preset, with range, unit, meaning and source as
// comments. Throws ConfigError when there is no such preset.
std::string describe_text(const std::string& preset);
nlohmann::ordered_json describe_json(const std::string& preset);

// JSON Schema, draft 2020-12, of a configuration file with any preset.
nlohmann::ordered_json config_schema();

}  // namespace gen
