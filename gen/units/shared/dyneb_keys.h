// Keys of DynEB (DC-L1 thesis, chapter 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& dyneb_family();

}  // namespace gen
