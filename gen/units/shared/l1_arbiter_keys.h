// Keys of the arbiter in front of a shared L1 (DC-L1 thesis, chapter 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& l1_arbiter_family();

}  // namespace gen
