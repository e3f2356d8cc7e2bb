// SM dueling for the reuse-count filter: its keys, for caches with the filter (Decoupled L1D paper, section
// 4).
#pragma once
#include "gen/config/key.h"

namespace gen {

KeyInfo dueling_interval_key();
KeyInfo dueling_margin_key();

}  // namespace gen
