// Keys of the core selector (DC-L1 thesis, section 3.3.3).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& core_selector_family();

}  // namespace gen
