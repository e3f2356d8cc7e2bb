// Draws cores by their weights in four short cycles a core, for a selector with stages (DC-L1 thesis, section
// 3.3.3).
#pragma once
#include <string>

#include "hw/remote/core_selector_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Inputs: `weights`, `sums` and `triple` of core_scan; a `random` number; what the cycle does: `begins` a
// list, `subtracts`, `draws`, `adds`, `searches`. Output: `found`, the core, while it searches.
rtl::Module staged_draw(const CoreSelectorParams& p, const std::string& name);

}  // namespace hw
