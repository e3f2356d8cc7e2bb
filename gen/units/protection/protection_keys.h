// Keys of the protection-distance bypass (ACI thesis, section 4.2.5).
#pragma once
#include "gen/config/family.h"

namespace gen {

KeyInfo distance_key();

const Family& protection_family();

}  // namespace gen
