// Keys and families of units of shared L1s that cores and topologies have, too, each defined beside its unit
// (DC-L1 thesis, chapter 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

// Of routes.
KeyInfo home_key();
KeyInfo min_home_l2_key();
KeyInfo memory_nodes_key();
// Of the arbiter, and of the written filter.
KeyInfo remote_wait_limit_key();
KeyInfo filter_bits_key();

const Family& dyneb_family();

}  // namespace gen
