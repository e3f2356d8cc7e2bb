// Data store of the L1 data cache: a RAM bank per way and chunk, so that any chunks of a line are read or
// written in one cycle (baseline of the TSC, ACI and Decoupled-L1D papers).
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

// A fill and a read in one cycle never touch the same bank. `read_data` shows the line read last. With
// `reads_ahead` all ways may be read at once, and `hit_way` says in the cycle after which is shown.
rtl::Module way_data(const TagParams& p, const std::string& name);

}  // namespace hw
