// The keys of network units: arbiter.*, allocator.*, switch.*, crossbar.*
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& arbiter_family();
const Family& allocator_family();
const Family& switch_family();
const Family& crossbar_family();

}  // namespace gen
