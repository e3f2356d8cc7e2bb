// The home of a line, one of the cores, and its L2 slice (DC-L1 thesis, chapter 4;
// docs/contracts/shared-l1.md).
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/shared/route_params.h"

namespace hw {

// Input `address`, a byte address; outputs `home` and, of several slices, `slice`.
rtl::Module home_select(const RouteParams& p, const std::string& name);

}  // namespace hw
