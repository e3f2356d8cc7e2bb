// Cores in which scouts have found a line, as a set and in the order in which a leader searches them (DC-L1
// thesis, section 3.3.4): parts of the probe table.
#pragma once
#include <string>

#include "hw/remote/probe_table_params.h"
#include "hw/rtl/module.h"

namespace hw {

// The set of the cores that a scout's list names: `found<k>` in, `cores` out.
rtl::Module found_cores(const ProbeTableParams& p, const std::string& name);

// The first cores of a set, from the next one upward and around: `cores` in, `target<k>` out.
rtl::Module candidate_list(const ProbeTableParams& p, const std::string& name);

}  // namespace hw
