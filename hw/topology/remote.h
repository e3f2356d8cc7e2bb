// Cores whose L1s are searched by others over a mesh, as a kind of topology (DC-L1 thesis, chapter 3;
// docs/contracts/remote-core.md).
#pragma once
#include "hw/topology/kinds.h"

namespace hw {

extern const KindRow remote;

}  // namespace hw
