// Keys of SM dueling for the reuse-count filter (Decoupled L1D paper, section 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

KeyInfo dueling_interval_key();
KeyInfo dueling_margin_key();

const Family& filter_dueling_family();

}  // namespace gen
