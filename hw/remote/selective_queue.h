// Queue of selective L2 requests (DC-L1 thesis, section 3.3.6): the searches under way, the oldest first,
// with the time at which they began. A part of the probe table.
#pragma once
#include <string>

#include "hw/remote/probe_table_params.h"
#include "hw/rtl/module.h"

namespace hw {

rtl::Module selective_queue(const ProbeTableParams& p, const std::string& name);

}  // namespace hw
