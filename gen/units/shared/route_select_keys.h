// Keys of routes of shared L1s (DC-L1 thesis, chapter 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& route_select_family();

}  // namespace gen
