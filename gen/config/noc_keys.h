// The keys of network units: arbiter.*, allocator.*
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& arbiter_family();
const Family& allocator_family();

}  // namespace gen
