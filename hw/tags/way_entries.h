// MSHR file of a cache whose lines lie in ways: each entry names the way of its line.
#pragma once
#include <string>

#include "hw/mshr/mshr_file.h"
#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

rtl::Module way_mshr(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                     const std::string& name);

}  // namespace hw
