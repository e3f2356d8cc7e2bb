// Keys of the probe table (DC-L1 thesis, section 3.3.6).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& probe_table_family();

}  // namespace gen
