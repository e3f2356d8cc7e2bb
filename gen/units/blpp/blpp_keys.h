// Keys of bandwidth- and latency-aware page placement (ACI thesis, section 5).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& blpp_family();

}  // namespace gen
