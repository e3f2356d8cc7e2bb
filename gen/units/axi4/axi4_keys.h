// The keys of the AXI4 bridge: geometry.*, axi4.*
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& axi4_bridge_family();

}  // namespace gen
