#include "gen/config/shown.h"

#include "gen/config/catalogue.h"

namespace gen {

Config load_shown(const std::string& preset) { return load_config(preset, preset_named(preset).shown); }

}  // namespace gen
