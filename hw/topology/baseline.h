// Private caches behind one crossbar (DC-L1 thesis, chapter 5; docs/dc-l1-timing.md).
#pragma once
#include "hw/topology/kinds.h"

namespace hw {

extern const KindRow baseline;

}  // namespace hw
