// Keys of the L1 data cache.
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& l1d_family();

}  // namespace gen
