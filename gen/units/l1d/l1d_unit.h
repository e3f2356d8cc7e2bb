// L1 data caches, and the family that units with caches inside take their keys from.
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& l1d_family();

}  // namespace gen
