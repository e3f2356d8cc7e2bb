// Keys of the sharing predictor (DC-L1 thesis, section 3.3.5).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& sharing_predictor_family();

}  // namespace gen
