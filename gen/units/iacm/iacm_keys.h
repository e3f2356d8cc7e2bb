// Keys of integrated adaptive cache management (ACI thesis, section 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& iacm_family();

}  // namespace gen
