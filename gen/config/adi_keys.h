// Keys of the adaptive-indexing monitor (ACI thesis, section 3.3).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& adi_family();

}  // namespace gen
