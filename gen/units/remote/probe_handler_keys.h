// Keys of the probe handler (DC-L1 thesis, section 3.3.4).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& probe_handler_family();

}  // namespace gen
