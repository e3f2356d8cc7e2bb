// Keys of a core among those that search each other's L1s (DC-L1 thesis, chapter 3).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& remote_node_family();

}  // namespace gen
