// Data store of split tags: a bank for each slot, and the crossbars between slots and chunks of a line (TSC
// paper, section 3).
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

// Chunks of one line are read, and at the same edge others written, as long as their slots differ.
// `read_data` shows the line read last.
rtl::Module split_data(const TagParams& p, const std::string& name);

}  // namespace hw
