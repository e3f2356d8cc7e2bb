// Keys of the written filter of shared L1s (DC-L1 thesis, chapter 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

const Family& written_filter_family();

}  // namespace gen
