// Shared L1s over a mesh as a kind of topology (DC-L1 thesis, chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include "hw/topology/kinds.h"

namespace hw {

extern const KindRow shared;

}  // namespace hw
