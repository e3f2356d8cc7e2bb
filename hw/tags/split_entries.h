// MSHR file of a cache with split tags: each entry names the slot of each chunk of its line, and knows
// which load is the last that waits for it, so that the slot is kept until then (TSC paper, section 3).
#pragma once
#include <string>

#include "hw/mshr/mshr_file.h"
#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

// Each entry keeps the last load that waits for each chunk, in a RAM that nothing protects; else it counts
// them.
constexpr bool keeps_last_loads(const MshrParams& p) { return p.protection == Protection::none; }

rtl::Module split_mshr(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                       const std::string& name);

}  // namespace hw
