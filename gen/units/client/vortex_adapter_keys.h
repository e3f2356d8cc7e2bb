// Keys of the adapter between a GPU core's bus and an L1 data cache.
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& vortex_adapter_family();

}  // namespace gen
