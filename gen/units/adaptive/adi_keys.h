// Keys of the adaptive-indexing monitor, alone and inside a cache (ACI thesis, section 3.3).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& adi_family();

KeyInfo adaptive_period_key();
KeyInfo adaptive_counter_bits_key();
KeyInfo adaptive_idle_key();

}  // namespace gen
