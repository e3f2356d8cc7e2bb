// MSHR file of a cache with decoupled sectored tags: each entry names the way of its line and its tag there,
// and counts the loads that wait for each chunk (DSC of the TSC paper).
#pragma once
#include <string>

#include "hw/mshr/mshr_file.h"
#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

rtl::Module decoupled_mshr(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                           const std::string& name);

}  // namespace hw
