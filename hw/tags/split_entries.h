// MSHR file of a cache with split tags: each entry names the slot of each chunk of its line, and how many
// loads wait for it, so that the slot is kept for them (TSC paper, section 3).
#pragma once
#include <string>

#include "hw/mshr/mshr_file.h"
#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

rtl::Module split_mshr(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                       const std::string& name);

}  // namespace hw
