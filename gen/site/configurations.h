// The configurations of the site's explorer: caches of the catalogue, and those with stored results of
// studies.
#pragma once
#include <nlohmann/json.hpp>

namespace gen {

// A list of objects: name, command, the axes (tags, index, bypass, bytes, ways) and "figures" by name, as far
// as they are recorded. Nothing is measured. Throws ConfigError or FileError where a recorded table has
// another form.
nlohmann::ordered_json recorded_configurations();

}  // namespace gen
