// Private caches behind one crossbar (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include "hw/topology/kinds.h"

namespace hw {

extern const KindRow baseline;

}  // namespace hw
