// Draws cores by their weights, none twice (DC-L1 thesis, section 3.3.3): a part of the core selector.
#pragma once
#include <string>

#include "hw/remote/core_selector_params.h"
#include "hw/rtl/module.h"

namespace hw {

rtl::Module core_draw(const CoreSelectorParams& p, const std::string& name);

}  // namespace hw
