// What rtl-out/ holds of each preset: its default, or a smaller copy of what would be too long to read.
#pragma once
#include <string>

#include "gen/config/config.h"

namespace gen {

Config load_shown(const std::string& preset);

}  // namespace gen
